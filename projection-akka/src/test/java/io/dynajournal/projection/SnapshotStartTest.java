package io.dynajournal.projection;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.persistence.query.Offset;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.Projection;
import akka.projection.RunningProjection;
import akka.projection.javadsl.SourceProvider;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.projection.javadsl.EventSourcedSnapshotProvider;
import io.dynajournal.testkit.Await;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.concurrent.Future;
import scala.jdk.javaapi.CollectionConverters;

/** Projections that start and continue from snapshots, after the events before them were deleted. */
final class SnapshotStartTest {

    /** A query of the layout akka2 reads an index partition for each slice. */
    private static final int LAST_SLICE = 63;

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private final Received received = new Received();

    private ActorSystem<Void> start(String plugin, String layout) {
        String table = "s_" + UUID.randomUUID();
        return fixture.start("dynajournal.projection { layout = " + layout + ", flush-interval = 50 ms }\n"
                + "dynajournal.snapshot { table = \"" + table + "\", index.slices = on }\n"
                + (plugin.equals("dynajournal")
                        ? ""
                        : plugin + ".snapshot { table = \"a" + table + "\", create-tables = on }\n"));
    }

    private Projection<EventEnvelope<String>> java(ActorSystem<?> system, String plugin) {
        SourceProvider<Offset, EventEnvelope<String>> source =
                EventSourcedSnapshotProvider.<String, String>eventsBySlicesStartingFromSnapshots(
                        system, plugin + ".query", fixture.entityType, 0, LAST_SLICE, state -> "state " + state);
        return DynajournalProjection.exactlyOnce(
                Runs.ID,
                source,
                () -> envelope -> {
                    received.add(Runs.label(envelope) + " " + envelope.event());
                    return CompletableFuture.completedFuture(
                            List.of(fixture.count(envelope.persistenceId(), envelope.sequenceNr())));
                },
                system);
    }

    private Projection<EventEnvelope<String>> scala(ActorSystem<?> system, String plugin) {
        return io.dynajournal.projection.scaladsl.DynajournalProjection.exactlyOnce(
                Runs.ID,
                io.dynajournal.projection.scaladsl.EventSourcedSnapshotProvider
                        .<String, String>eventsBySlicesStartingFromSnapshots(
                                system,
                                plugin + ".query",
                                fixture.entityType,
                                0,
                                LAST_SLICE,
                                state -> "state " + state),
                () -> envelope -> {
                    received.add(Runs.label(envelope) + " " + envelope.event());
                    return Future.successful(CollectionConverters.asScala(
                            List.of(fixture.count(envelope.persistenceId(), envelope.sequenceNr()))));
                },
                system);
    }

    private List<String> run(Projection<EventEnvelope<String>> projection, ActorSystem<?> system, int events) {
        RunningProjection running = projection.run(system);
        List<String> found = received.next(events).stream().sorted().toList();
        Await.result(Runs.stop(running));
        received.assertNothingMore();
        return found;
    }

    @ParameterizedTest
    @CsvSource({
        "dynajournal, timestamp-offset, java",
        "dynajournal, packed, scala",
        "adopted, timestamp-offset, scala",
        "adopted, packed, java"
    })
    void startsAndContinuesFromSnapshots(String named, String layout, String dsl) {
        String plugin = named.equals("adopted") ? ProjectionKindsTest.adopted() : named;
        fixture.createReadModel();
        ActorSystem<Void> system = start(plugin, layout);
        Function<ActorSystem<?>, Projection<EventEnvelope<String>>> projection =
                dsl.equals("java") ? each -> java(each, plugin) : each -> scala(each, plugin);
        // What was received is compared in alphabetical order, in which 100 comes before 11.
        List<String> ids = fixture.ids(LAST_SLICE, 4).stream().sorted().toList();
        Writers writers = new Writers(system, plugin + ".journal", plugin + ".snapshot");
        // 0 has no snapshot, 1 keeps its events, 2 has nothing but the snapshot, 3 has later events.
        ids.forEach(id -> writers.writeNumbers(id, 1, 2, 3));
        ids.subList(1, 4).forEach(writers::saveSnapshot);
        ids.subList(2, 4).forEach(id -> writers.deleteTo(id, 3));
        writers.writeNumbers(ids.get(3), 4);

        assertThat(run(projection.apply(system), system, 7))
                .containsExactly(
                        ids.get(0) + "/1 1",
                        ids.get(0) + "/2 2",
                        ids.get(0) + "/3 3",
                        ids.get(1) + "/3 state 3",
                        ids.get(2) + "/3 state 3",
                        ids.get(3) + "/3 state 3",
                        ids.get(3) + "/4 4");

        // While it is stopped: 0 gets a snapshot, and loses events that were not projected; 1 goes on.
        writers.writeNumbers(ids.get(0), 4, 5);
        writers.saveSnapshot(ids.get(0));
        writers.deleteTo(ids.get(0), 5);
        writers.writeNumbers(ids.get(0), 6);
        writers.writeNumbers(ids.get(1), 4);
        assertThat(run(projection.apply(system), system, 3))
                .containsExactly(ids.get(0) + "/5 state 5", ids.get(0) + "/6 6", ids.get(1) + "/4 4");

        writers.writeNumbers(ids.get(2), 4);
        assertThat(run(projection.apply(system), system, 1)).containsExactly(ids.get(2) + "/4 4");
        assertThat(fixture.counts().values()).hasSize(11).containsOnly(1L);
    }
}
