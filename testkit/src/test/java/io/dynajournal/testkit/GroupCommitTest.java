package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.listener.Operation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Commits of different entities that wait for each other go together, and each meets what it would have met alone. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GroupCommitTest {

    private static final RequestMatch GROUP = RequestMatch.operation("BatchExecuteStatement");
    private static final RequestMatch PUT = RequestMatch.operation("PutItem");

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final LogFixture fixture = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
    private final CostMeter meter = new CostMeter();
    private FaultProxy proxy;
    private EventLog log;

    @BeforeEach
    void open() {
        proxy = fixture.proxy().measure(meter);
        log = fixture.log(local.open(proxy, LocalDynamo.PATIENT, CostMeter.WITH_CAPACITY, 1));
        // The first write of a process reads the registry.
        LogWriter.recover(log, TestEvents.freshId()).write(1);
    }

    private List<LogWriter> writers(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> LogWriter.recover(log, TestEvents.freshId()))
                .toList();
    }

    /** Each writes two events, while another's put is in flight. */
    private List<CompletionStage<LogEnd>> writeTogether(List<LogWriter> writers) {
        return writeTogether(writers, () -> TestEvents.events(2, 50));
    }

    private List<CompletionStage<LogEnd>> writeTogether(List<LogWriter> writers, Supplier<List<Event>> events) {
        LogWriter first = LogWriter.recover(log, TestEvents.freshId());
        HeldRequest gate = proxy.when(PUT.containing(first.persistenceId())).hold();
        CompletionStage<LogEnd> ahead = first.send(first.next(TestEvents.events(2, 50)));
        gate.awaitArrival();
        meter.take();
        List<CompletionStage<LogEnd>> sent = writers.stream()
                .map(writer -> writer.send(writer.next(events.get())))
                .toList();
        gate.release();
        Await.result(ahead);
        return sent;
    }

    private List<Long> numbers(String persistenceId) {
        return LogReading.all(fixture.log(), persistenceId).stream()
                .map(StoredEvent::seqNr)
                .toList();
    }

    @Test
    void thirtyThatWaitTakeTwoRequests() {
        List<LogWriter> writers = writers(30);
        for (CompletionStage<LogEnd> sent : writeTogether(writers)) {
            assertThat(Await.result(sent).seqNr()).isEqualTo(2);
        }

        // DynamoDB Local reports no capacity of a group.
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.PUT, 1, Operation.BATCH_INSERT, 2));
        assertThat(writers)
                .allSatisfy(
                        writer -> assertThat(numbers(writer.persistenceId())).containsExactly(1L, 2L));
    }

    @Test
    void withoutOthersNobodyWaits() {
        LogWriter.recover(log, TestEvents.freshId()).writeSingles(3);
        assertThat(proxy.requests(GROUP)).isEmpty();
    }

    @Test
    void oneThatIsRefusedFailsAlone() {
        List<LogWriter> writers = writers(3);
        LogWriter other = LogWriter.recover(fixture.log(), writers.get(1).persistenceId());
        other.write(1);
        List<CompletionStage<LogEnd>> sent = writeTogether(writers);

        Await.result(sent.get(0));
        Await.result(sent.get(2));
        StoreException.WriteConflict conflict = Await.failure(sent.get(1), StoreException.WriteConflict.class);
        assertThat(conflict)
                .hasMessageContainingAll(other.uuid(), writers.get(1).uuid());
        assertThat(numbers(other.persistenceId())).containsExactly(1L);
        assertThat(proxy.requests(GROUP)).hasSize(1);
    }

    @Test
    void twoWritersOfOneIdMeetInOneGroup() {
        String id = TestEvents.freshId();
        List<LogWriter> writers = List.of(
                LogWriter.recover(log, id),
                LogWriter.recover(log, id),
                writers(1).get(0));
        List<CompletionStage<LogEnd>> sent = writeTogether(writers);

        Await.result(sent.get(0));
        Await.failure(sent.get(1), StoreException.WriteConflict.class);
        Await.result(sent.get(2));
        assertThat(numbers(id)).containsExactly(1L, 2L);
    }

    @Test
    void aLostReplyIsRecognised() {
        List<LogWriter> writers = writers(3);
        proxy.when(GROUP).loseReply();
        writeTogether(writers).forEach(Await::result);

        assertThat(writers)
                .allSatisfy(
                        writer -> assertThat(numbers(writer.persistenceId())).containsExactly(1L, 2L));
    }

    @Test
    void aLostOrThrottledGroupGoesOneByOne() {
        List<LogWriter> lost = writers(3);
        proxy.when(GROUP).loseRequest();
        writeTogether(lost).forEach(Await::result);
        List<LogWriter> throttled = writers(3);
        proxy.when(GROUP).answer(ErrorAnswer.throttling("TableWriteAccountLimitExceeded", "t"));
        writeTogether(throttled).forEach(Await::result);

        assertThat(lost)
                .allSatisfy(
                        writer -> assertThat(numbers(writer.persistenceId())).containsExactly(1L, 2L));
        assertThat(throttled)
                .allSatisfy(
                        writer -> assertThat(numbers(writer.persistenceId())).containsExactly(1L, 2L));
        assertThat(proxy.requests(GROUP)).hasSize(2);
    }

    @Test
    void withoutThePermissionThereAreNoGroups() {
        proxy.when(GROUP)
                .answer(ErrorAnswer.of(400, "AccessDeniedException", "not authorized: dynamodb:PartiQLInsert"));
        writeTogether(writers(3)).forEach(Await::result);
        writeTogether(writers(3)).forEach(Await::result);
        assertThat(proxy.requests(GROUP)).hasSize(1);
    }

    @Test
    void whatIsStoredIsTheSame() {
        Event event =
                new Event(TestEvents.event(40).payload(), "adapter's \"manifest\"", Set.of("it's", "a \"tag\""), null);
        List<LogWriter> writers = writers(2);
        writeTogether(writers, () -> List.of(event)).forEach(Await::result);

        assertThat(proxy.requests(GROUP)).hasSize(1);
        assertThat(writers)
                .allSatisfy(writer -> assertThat(LogReading.all(fixture.log(), writer.persistenceId()))
                        .extracting(StoredEvent::event)
                        .containsExactly(event));
    }
}
