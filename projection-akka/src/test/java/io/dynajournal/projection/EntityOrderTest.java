package io.dynajournal.projection;

import static io.dynajournal.projection.ModelJournal.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.NotUsed;
import akka.actor.typed.ActorSystem;
import akka.persistence.query.Offset;
import akka.persistence.query.TimestampOffset;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.javadsl.SourceProvider;
import akka.stream.javadsl.Source;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every event of an entity reaches the handler once and in order, whatever the query delivers. */
final class EntityOrderTest {

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private static final long HOUR = 3_600_000_000L;

    private final ModelJournal journal = new ModelJournal();

    private static String acceptingResets(String layout) {
        return "dynajournal.projection { layout = " + layout
                + ", packed-window = 3 hours, accept-sequence-number-reset-after = 1 hour }";
    }

    /** The events from before the reset do not exist any more, but an index may still show them. */
    private void resetAfterThree() {
        journal.deliver("A|1", 1, START).deliver("A|1", 2, START + 1).deliver("A|1", 3, START + 2);
        IntStream.rangeClosed(1, 3).forEach(seqNr -> journal.delete("A|1", seqNr));
    }

    @Test
    void dropsDuplicatesOfARunAndOfAnEarlierRun() {
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START)
                .deliver("A|2", 1, START)
                .deliver("A|1", 1, START)
                .deliver("A|1", 2, START + 5);
        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/1", "A|2/1", "A|1/2");

        journal.deliver("A|1", 3, START + 9);
        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/3");
    }

    @Test
    void readsMissingEventsFromTheJournal() {
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START)
                .write("A|1", 2, START + 1)
                .write("A|1", 3, START + 2)
                .deliver("A|1", 4, START + 3)
                .deliver("A|1", 2, START + 1)
                .deliver("A|1", 5, START + 4);

        assertThat(Runs.received(journal.source(), system))
                .containsExactly("A|1/1", "A|1/2", "A|1/3", "A|1/4", "A|1/5");
        assertThat(journal.loaded).containsExactly("A|1/2", "A|1/3");
    }

    @Test
    void readsMissingEventsAfterARestartToo() {
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START);
        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/1");

        ModelJournal later = new ModelJournal()
                .write("A|1", 1, START)
                .write("A|1", 2, START + 1)
                .deliver("A|1", 3, START + 2);
        assertThat(Runs.received(later.source(), system)).containsExactly("A|1/2", "A|1/3");
    }

    @Test
    void beginsAnUnknownEntityWithItsFirstEventThatExists() {
        ActorSystem<Void> system = fixture.start();
        journal.write("A|1", 1, START)
                .write("A|1", 2, START + 1)
                .deliver("A|1", 3, START + 2)
                .write("A|2", 1, START)
                .write("A|2", 2, START + 1)
                .deliver("A|2", 3, START + 2)
                .deliver("A|3", 7, START + 3);
        journal.delete("A|2", 1);

        assertThat(Runs.received(journal.source(), system))
                .containsExactly("A|1/1", "A|1/2", "A|1/3", "A|2/2", "A|2/3", "A|3/7");
    }

    @Test
    void passesOverEventsThatWereDeletedMeanwhile() {
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START).write("A|1", 3, START + 2).deliver("A|1", 4, START + 3);

        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/1", "A|1/3", "A|1/4");
    }

    @Test
    void readsThePayloadThatAnEnvelopeLacks() {
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START).deliverWithoutPayload("A|1", 2, START + 1);
        List<String> payloads = new ArrayList<>();
        Runs.Observer<EventEnvelope<String>> observer = new Runs.Observer<>();

        assertThat(Runs.toEnd(Runs.atLeastOnce(journal.source(), system, label -> {}), system, observer))
                .isNull();
        observer.processed.forEach(envelope -> payloads.add(envelope.event()));
        assertThat(payloads).containsExactly("event 1", "event 2");
    }

    @Test
    void failsIfAnEventAdapterSplitsAnEvent() {
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START).deliverSplit("A|1", 1, START);

        assertThat(Runs.toEnd(Runs.atLeastOnce(journal.source(), system, label -> {}), system))
                .hasMessageContaining("event adapter")
                .hasMessageContaining("A|1");
    }

    @Test
    void rejectsASourceThatIsNotBySlices() {
        ActorSystem<Void> system = fixture.start();
        SourceProvider<Offset, EventEnvelope<String>> byTag = new SourceProvider<>() {
            @Override
            public CompletionStage<Source<EventEnvelope<String>, NotUsed>> source(
                    Supplier<CompletionStage<Optional<Offset>>> offset) {
                throw new AssertionError("not called");
            }

            @Override
            public Offset extractOffset(EventEnvelope<String> envelope) {
                return envelope.offset();
            }

            @Override
            public long extractCreationTime(EventEnvelope<String> envelope) {
                return 0;
            }
        };

        assertThatThrownBy(() -> Runs.atLeastOnce(byTag, system, label -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("by slices");
    }

    @Test
    void readsTheRowOfAnEntityOnceEvenIfThereIsNone() {
        FaultProxy proxy = fixture.proxy();
        ActorSystem<Void> system = fixture.start(proxy);
        for (int i = 1; i <= 50; i++) {
            journal.deliver("A|1", i, START + i).deliver("B|" + i, 1, START + i);
        }

        assertThat(Runs.received(journal.source(), system)).hasSize(100);
        assertThat(proxy.requests(RequestMatch.operation("BatchGetItem").containing("\"A|1\"")))
                .hasSize(1);
        assertThat(proxy.requests(RequestMatch.operation("BatchGetItem").containing("\"B|7\"")))
                .hasSize(1);
        assertThat(proxy.requests(RequestMatch.operation("Query"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 5000})
    void anEntityThatWasEvictedContinuesFromItsRowAndOneInFlightIsNotEvicted(int saveAfter) {
        FaultProxy proxy = fixture.proxy();
        ActorSystem<Void> system =
                fixture.start(Fixture.through(proxy) + "dynajournal.projection.tracked-entities = 1000");
        for (int i = 1; i <= 1300; i++) {
            journal.deliver("A|" + i, 1, START + i);
        }
        journal.deliver("A|1", 1, START + 1).deliver("A|1", 2, START + 1400);
        List<String> received = new CopyOnWriteArrayList<>();

        assertThat(Runs.toEnd(
                        DynajournalProjection.atLeastOnce(
                                        Runs.ID, journal.source(), () -> Runs.handler(received::add), system)
                                .withSaveOffset(saveAfter, Duration.ofMinutes(1)),
                        system))
                .isNull();
        assertThat(received).hasSize(1301).doesNotHaveDuplicates().endsWith("A|1/2");
        assertThat(proxy.requests(RequestMatch.operation("BatchGetItem").containing("\"A|1\"")))
                .hasSize(saveAfter == 100 ? 2 : 1);
    }

    @Test
    void resumesWhereEveryChangeOfTheRangeWasProjected() {
        ActorSystem<Void> system = fixture.start();
        for (int i = 1; i <= 30; i++) {
            journal.deliver("A|" + i, 1, START + i);
        }
        Runs.received(journal.source(), system);
        Runs.received(journal.source(), system);

        Instant last = Instant.EPOCH.plus(START + 30, ChronoUnit.MICROS);
        assertThat(journal.startedFrom).hasSize(2);
        assertThat(journal.startedFrom.get(0)).isEmpty();
        assertThat(journal.startedFrom.get(1))
                .hasValueSatisfying(offset ->
                        assertThat(((TimestampOffset) offset).timestamp()).isEqualTo(last));
    }

    @ParameterizedTest
    @ValueSource(strings = {"timestamp-offset", "packed"})
    void sequenceNumbersThatStartAgainAreAccepted(String layout) {
        ActorSystem<Void> system = fixture.start(acceptingResets(layout));
        resetAfterThree();
        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/1", "A|1/2", "A|1/3");

        journal.deliver("A|1", 1, START + 2 * HOUR).deliver("A|1", 2, START + 2 * HOUR + 1);
        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/1", "A|1/2");
        assertThat(Runs.received(journal.source(), system)).isEmpty();
        journal.deliver("A|1", 3, START + 2 * HOUR + 2).deliver("A|1", 4, START + 2 * HOUR + 3);
        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/3", "A|1/4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"timestamp-offset", "packed"})
    void sequenceNumbersThatStartAgainAreAcceptedWithinARun(String layout) {
        fixture.createReadModel();
        ActorSystem<Void> system = fixture.start(acceptingResets(layout));
        resetAfterThree();
        journal.deliver("A|1", 1, START + 2 * HOUR)
                .deliver("A|1", 2, START + 2 * HOUR + 1)
                .deliver("A|1", 3, START + 2 * HOUR + 2);

        assertThat(Runs.toEnd(
                        DynajournalProjection.exactlyOnce(
                                Runs.ID,
                                journal.source(),
                                () -> envelope -> CompletableFuture.completedFuture(
                                        List.of(fixture.count(envelope.persistenceId(), envelope.sequenceNr()))),
                                system),
                        system))
                .isNull();

        assertThat(fixture.counts()).isEqualTo(Map.of("A|1/1", 2L, "A|1/2", 2L, "A|1/3", 2L));
        assertThat(Runs.received(journal.source(), system)).isEmpty();
    }

    @Test
    void theFirstEventsAfterAResetAreReadFromTheJournal() {
        ActorSystem<Void> system = fixture.start(acceptingResets("timestamp-offset"));
        resetAfterThree();
        assertThat(Runs.received(journal.source(), system)).hasSize(3);

        journal.write("A|1", 1, START + 2 * HOUR).deliver("A|1", 2, START + 2 * HOUR + 1);
        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/1", "A|1/2");
    }

    @Test
    void aLowSequenceNumberIsADuplicateIfItIsNotLateEnough() {
        ActorSystem<Void> system = fixture.start(acceptingResets("timestamp-offset"));
        resetAfterThree();
        journal.deliver("A|1", 1, START + HOUR);

        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/1", "A|1/2", "A|1/3");
    }

    @Test
    void sequenceNumbersThatStartAgainAreDuplicatesByDefault() {
        ActorSystem<Void> system = fixture.start();
        resetAfterThree();
        journal.deliver("A|1", 1, START + 100 * HOUR);

        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/1", "A|1/2", "A|1/3");
    }
}
