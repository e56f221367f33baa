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
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every event of an entity reaches the handler once and in order, whatever the query delivers. */
final class EntityOrderTest {

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private final ModelJournal journal = new ModelJournal();

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
}
