package io.dynajournal.testkit.sclasen;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.sclasen.SclasenJournal;
import io.dynajournal.model.Event;
import io.dynajournal.model.EventBatch;
import io.dynajournal.model.Payload;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.store.EventJournal;
import io.dynajournal.store.EventLog;
import io.dynajournal.store.LogEnd;
import io.dynajournal.store.StoreException;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.EventLogContract;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.Gate;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract on the layout of 0.3, with seven shards to be quick. What the format cannot do is in the overrides, with the
 * refusal instead.
 */
class SclasenEventLogTest extends EventLogContract {

    @Override
    protected JournalLayout layout(String tableName) {
        return new SclasenJournal(tableName, "journal", 7, false);
    }

    @Override
    public void removeItem(String persistenceId, long seqNr) {
        new SclasenTable(local.client(), fixture().tableName()).remove("journal-P-" + persistenceId + "-" + seqNr);
    }

    // An event is one item, so it cannot be larger than one.
    @Override
    public int largeEventSize() {
        return 350_000;
    }

    private static StoreException.Refused refusal(LogWriter writer, List<Event> events) {
        return Await.failure(writer.send(writer.next(events)), StoreException.Refused.class);
    }

    // No tags: they are refused. Times in milliseconds.
    @Override
    @Test
    public void everyFieldOfAnEventComesBack() {
        String id = TestEvents.freshId();
        Event full = new Event(
                new Payload(-7, "manifest-ü", TestEvents.randomBytes(50)),
                "adapter",
                Set.of(),
                new Payload(Integer.MIN_VALUE, "replicated", TestEvents.randomBytes(9)));
        Event bare = Event.of(new Payload(Integer.MAX_VALUE, "", new byte[0]));
        Event emptyMetadata = new Event(new Payload(0, "", new byte[1]), "", Set.of(), new Payload(0, "", new byte[0]));
        LogWriter writer = LogWriter.recover(fixture().log(), id).write(List.of(full, bare, emptyMetadata));

        List<StoredEvent> stored = LogReading.all(fixture().log(), id);
        assertThat(LogReading.contents(stored)).containsExactly(full, bare, emptyMetadata);
        assertThat(LogReading.numbers(stored)).containsExactly(1L, 2L, 3L);
        assertThat(stored).allSatisfy(event -> {
            assertThat(event.persistenceId()).isEqualTo(id);
            assertThat(event.writer()).isEqualTo(writer.uuid());
            assertThat(event.timestampMicros())
                    .isPositive()
                    .isEqualTo(writer.seen().timestampMicros());
        });
        assertThat(writer.seen()
                        .sameAs(Await.result(fixture().log().head(id, 1)).end()))
                .isTrue();

        Event tagged = new Event(new Payload(1, "", new byte[1]), "", Set.of("red"), null);
        assertThat(refusal(writer, List.of(tagged)))
                .hasMessageContaining("red")
                .hasMessageContaining(id)
                .hasMessageContaining("Event 4 ");
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(3);
    }

    // Times in milliseconds: two writes may have the same.
    @Override
    @Test
    public void timesRiseFromWriteToWrite() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(5);
        LogWriter.recover(fixture().log(), id).writeSingles(3);
        assertThat(LogReading.all(fixture().log(), id).stream().map(StoredEvent::timestampMicros))
                .hasSize(8)
                .isSorted();
    }

    // One atomic write has 99 events at most, because a transaction has 100 actions.
    @Override
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 98, 99, 100, 1_000})
    public void anyNumberOfEventsIsOneAtomicWrite(int count) {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id).write(1);
        List<Event> events = TestEvents.events(count, 100);
        if (count > 99) {
            assertThat(refusal(writer, events))
                    .hasMessageContaining(count + " events")
                    .hasMessageContaining("99")
                    .hasMessageContaining("commits");
            assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(1);
            return;
        }
        writer.write(events).write(1);
        List<StoredEvent> stored = LogReading.all(fixture().log(), id);
        assertThat(LogReading.contents(stored)).isEqualTo(writer.written());
        assertThat(LogReading.numbers(stored))
                .isEqualTo(LongStream.rangeClosed(1, count + 2L).boxed().toList());
        assertThat(stored.subList(1, count + 1).stream()
                        .map(StoredEvent::timestampMicros)
                        .distinct())
                .hasSize(1);
    }

    // An event is one item, so it cannot be larger than one.
    @Override
    @ParameterizedTest
    @ValueSource(ints = {900, 1_024, 4_096, 399_000, 409_000, 409_600, 410_000})
    public void eventsAroundTheLimitsOfItemsComeBack(int size) {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id);
        if (size > 409_500) {
            StoreException.ItemTooLarge refusal = Await.failure(
                    writer.send(writer.next(List.of(TestEvents.event(size)))), StoreException.ItemTooLarge.class);
            assertThat(refusal).hasMessageContaining("409600").hasMessageContaining(id);
            assertThat(refusal.seqNr()).isEqualTo(1);
            assertThat(LogReading.highest(fixture().log(), id)).isZero();
            return;
        }
        writer.write(List.of(TestEvents.event(size)))
                .write(List.of(TestEvents.compressible(size), TestEvents.event(10)));
        assertThat(LogReading.contents(LogReading.all(fixture().log(), id)).equals(writer.written()))
                .isTrue();
    }

    // A transaction has 4 MB at most.
    @Test
    void anAtomicWriteOfMoreThanATransactionIsRefused() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id);
        assertThat(refusal(writer, TestEvents.events(12, 380_000)))
                .hasMessageContaining("4194304")
                .hasMessageContaining(id);
        assertThat(LogReading.highest(fixture().log(), id)).isZero();
    }

    // An event is one item, so it cannot be larger than one.
    @Override
    @Test
    public void longLogsAndLargeEventsAreDeleted() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id).write(40);
        writer.write(List.of(TestEvents.event(300_000))).writeSingles(5);
        Await.result(fixture().log().deleteTo(id, 43));
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(44L, 45L, 46L);
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(46);
    }

    // One atomic write has 99 events at most.
    @Override
    @Test
    public void theSecondWriterIsRefusedWhateverTheSizes() {
        for (int mine : new int[] {1, 3, 99}) {
            for (int others : new int[] {1, 3, 99}) {
                String id = TestEvents.freshId();
                LogWriter.recover(fixture().log(), id).write(2);
                LogWriter one = LogWriter.recover(fixture().log(), id);
                LogWriter two = LogWriter.recover(fixture().log(), id);
                one.write(others);
                StoreException.WriteConflict conflict = Await.failure(
                        two.send(two.next(TestEvents.events(mine, 20))), StoreException.WriteConflict.class);
                assertThat(conflict.writer()).isEqualTo(two.uuid());
                assertThat(conflict.otherWriter()).isEqualTo(one.uuid());
                assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(2 + others);
            }
        }
    }

    // An event is one item, so it cannot be larger than one.
    @Override
    @ParameterizedTest
    @ValueSource(ints = {20, 300_000})
    public void aLostReplyIsNoConflictWithOneself(int size) {
        for (int writes = 1; writes <= 4; writes++) {
            String id = TestEvents.freshId();
            FaultProxy proxy = fixture().proxy();
            proxy.when(RequestMatch.writes()).after(writes - 1).loseReply();
            LogWriter writer = LogWriter.recover(fixture().log(proxy), id).write(1);
            writer.write(List.of(TestEvents.event(size))).write(List.of(TestEvents.event(size), TestEvents.event(9)));
            assertThat(LogReading.contents(LogReading.all(fixture().log(), id)).equals(writer.written()))
                    .isTrue();
        }
    }

    // One atomic write has 99 events at most.
    @Override
    @Test
    public void aHeldWriteIsSeenWholeOrNotAtAll() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        EventLog reader = fixture().log();
        LogWriter writer = LogWriter.recover(fixture().log(proxy), id).write(1);
        Gate gate = proxy.when(RequestMatch.writes().containing(id)).hold();
        CompletableFuture<LogEnd> write =
                writer.send(writer.next(TestEvents.events(99, 1000))).toCompletableFuture();
        gate.awaitArrival();
        assertThat(LogReading.numbers(LogReading.all(reader, id))).containsExactly(1L);
        gate.release();
        assertThat(Await.result(write).seqNr()).isEqualTo(100);
        assertThat(LogReading.all(reader, id)).hasSize(100);
    }

    // A persist is two requests, event and mark.
    @Override
    @Test
    public void aLostReplyCostsOneRequestMore() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        LogWriter writer = LogWriter.recover(fixture().log(proxy), id);
        proxy.when(RequestMatch.writes()).loseReply();
        writer.write(1);
        assertThat(proxy.requests(RequestMatch.writes())).hasSize(3);
        assertThat(LogReading.contents(LogReading.all(fixture().log(), id))).isEqualTo(writer.written());
    }

    // A persist is two requests, event and mark.
    @Override
    @ParameterizedTest
    @MethodSource("io.dynajournal.testkit.LogFaultTests#passing")
    public void whatPassesIsRepeated(ErrorAnswer error) {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        EventLog log = fixture().log(proxy);
        LogWriter writer = LogWriter.recover(log, id);
        proxy.when(RequestMatch.writes()).times(2).answer(error);
        writer.write(1);
        assertThat(proxy.requests(RequestMatch.writes())).hasSize(4);
        proxy.when(RequestMatch.operation("UpdateItem")).times(2).answer(error);
        writer.write(1);
        assertThat(proxy.requests(RequestMatch.writes())).hasSize(8);
        int readsBefore = proxy.requests(RequestMatch.reads()).size();
        proxy.when(RequestMatch.reads()).times(3).answer(error);
        assertThat(LogReading.contents(LogReading.all(log, id))).isEqualTo(writer.written());
        assertThat(proxy.requests(RequestMatch.reads())).hasSizeGreaterThanOrEqualTo(readsBefore + 4);
        proxy.when(RequestMatch.all()).answer(error);
        Await.result(log.deleteTo(id, 2));
        assertThat(LogReading.all(log, id)).isEmpty();
        assertThat(LogReading.highest(log, id)).isEqualTo(2);
    }

    // A persist is two requests, event and mark.
    @Override
    @Test
    public void writesOfAnIdLeaveOneAfterAnother() {
        String id = TestEvents.freshId();
        String writer = TestEvents.freshWriter();
        Object reader = new Object();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        Await.result(journal.highestSeqNr(id, 1, reader));
        RequestMatch writes = RequestMatch.writes().containing(id);
        int reads = proxy.requests(RequestMatch.reads()).size();
        Gate gate = proxy.when(writes).hold();
        List<CompletionStage<Void>> appends = IntStream.rangeClosed(1, 5)
                .mapToObj(number -> journal.append(single(id, writer, number), reader))
                .toList();
        gate.awaitArrival();
        assertThat(proxy.requests(writes)).hasSize(1);
        gate.release();
        appends.forEach(Await::result);
        assertThat(proxy.requests(writes)).hasSize(10);
        assertThat(proxy.requests(RequestMatch.reads())).hasSize(reads);
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    // A persist is two requests, event and mark.
    @Override
    @Test
    public void theQueuedWriteOfAnotherWriterStillRuns() {
        String id = TestEvents.freshId();
        String one = TestEvents.freshWriter();
        String two = TestEvents.freshWriter();
        Object readerOne = new Object();
        Object readerTwo = new Object();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        Await.result(journal.highestSeqNr(id, 1, readerOne));
        Await.result(journal.highestSeqNr(id, 1, readerTwo));
        proxy.when(RequestMatch.writes()).answer(ErrorAnswer.of(400, "AccessDeniedException", "Not now."));
        CompletionStage<Void> failed = journal.append(single(id, one, 1), readerOne);
        CompletionStage<Void> unsent = journal.append(single(id, one, 2), readerOne);
        CompletionStage<Void> stored = journal.append(single(id, two, 1), readerTwo);
        Await.failure(failed, StoreException.Refused.class);
        Await.failure(unsent, StoreException.Unavailable.class);
        Await.result(stored);
        assertThat(proxy.requests(RequestMatch.writes())).hasSize(3);
        assertThat(LogReading.all(fixture().log(), id))
                .hasSize(1)
                .allSatisfy(event -> assertThat(event.writer()).isEqualTo(two));
    }

    private static EventBatch single(String id, String writer, long number) {
        return EventBatch.of(id, writer, number, TestEvents.events(1, 20));
    }

    // A hole is no damage here: 0.3 left some, and it is reported and passed over.
    @Override
    @Test
    public void aMissingItemFailsTheReading() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).write(20);
        removeItem(id, 12);
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id)))
                .hasSize(19)
                .doesNotContain(12L)
                .endsWith(20L);
    }

    // A hole is no damage here.
    @Override
    @ParameterizedTest
    @ValueSource(longs = {5, 11, 12})
    public void aMissingItemFailsTheReadingThatStartsNearIt(long from) {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).write(20);
        removeItem(id, 12);
        assertThat(LogReading.numbers(LogReading.read(fixture().log(), id, LogReading.everythingFrom(from))))
                .isEqualTo(LongStream.rangeClosed(from, 20)
                        .filter(number -> number != 12)
                        .boxed()
                        .toList());
    }

    // A hole is no damage here: at the start it is what 0.3's permanent deletes leave.
    @Override
    @Test
    public void aMissingFirstItemFailsTheReading() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(5);
        removeItem(id, 1);
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(2L, 3L, 4L, 5L);
    }
}
