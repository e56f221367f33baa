package io.dynajournal.projection;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.Projection;
import akka.projection.ProjectionId;
import akka.projection.RunningProjection;
import akka.projection.eventsourced.javadsl.EventSourcedProvider;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A real journal, projected by one instance, then by several over parts of its slices, then by one again. */
final class RangeChangeTest {

    /** A query of the layout akka2 reads an index partition for each slice. */
    private static final int SLICES = 64;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private Projection<EventEnvelope<String>> counting(ActorSystem<?> system, String plugin, int first, int last) {
        return DynajournalProjection.exactlyOnceGroupedWithin(
                        ProjectionId.of(Runs.NAME, first + "-" + last),
                        EventSourcedProvider.<String>eventsBySlices(
                                system, plugin + ".query", fixture.entityType, first, last),
                        () -> group -> CompletableFuture.completedFuture(group.stream()
                                .map(each -> fixture.count(each.persistenceId(), each.sequenceNr()))
                                .toList()),
                        system)
                .withGroup(10, Duration.ofMillis(20));
    }

    @ParameterizedTest(name = "{0} with the layout {1}")
    @CsvSource({"dynajournal, timestamp-offset", "dynajournal, packed", "akka2, timestamp-offset", "akka2, packed"})
    void eachEventTakesEffectOnce(String journal, String layout) {
        String plugin = journal.equals("akka2") ? String.join(".", "akka", "persistence", "dynamodb") : journal;
        fixture.createReadModel();
        ActorSystem<Void> system = fixture.start("dynajournal.projection.layout = " + layout);
        Writers writers = new Writers(system, plugin + ".journal");
        List<String> ids = IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> fixture.entityType + "|" + i)
                .filter(id -> Slices.of(id) < SLICES)
                .limit(6)
                .toList();
        Set<String> expected = new TreeSet<>();

        for (int instances : new int[] {1, 4, 2, 1}) {
            List<RunningProjection> running = new ArrayList<>();
            int size = SLICES / instances;
            for (int first = 0; first < SLICES; first += size) {
                running.add(counting(system, plugin, first, first + size - 1).run(system));
            }
            ids.forEach(id -> expected.add(id + "/" + Await.result(writers.send(id))));
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (!fixture.counts().keySet().containsAll(expected) && System.nanoTime() < deadline) {
                Thread.onSpinWait(); // each check is a request
            }
            running.forEach(each -> Await.result(Runs.stop(each)));
        }

        assertThat(fixture.counts().keySet()).isEqualTo(expected);
        assertThat(fixture.counts().values()).containsOnly(1L);
    }
}
