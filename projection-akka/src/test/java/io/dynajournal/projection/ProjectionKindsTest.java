package io.dynajournal.projection;

import static org.assertj.core.api.Assertions.assertThat;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.persistence.query.Offset;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.Projection;
import akka.projection.ProjectionContext;
import akka.projection.ProjectionId;
import akka.projection.RunningProjection;
import akka.projection.eventsourced.javadsl.EventSourcedProvider;
import akka.projection.javadsl.Handler;
import akka.projection.javadsl.SourceProvider;
import akka.stream.javadsl.FlowWithContext;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import scala.concurrent.Future;
import scala.jdk.javaapi.CollectionConverters;

/** Every kind of projection over a real journal, of both layouts with slices, with restarts. */
final class ProjectionKindsTest {

    /** A query of the layout akka2 reads an index partition for each slice. */
    private static final int LAST_SLICE = 63;

    @RegisterExtension
    final Fixture fixture = new Fixture();

    enum Kind {
        AT_LEAST_ONCE,
        AT_LEAST_ONCE_ASYNC,
        AT_LEAST_ONCE_GROUPED,
        AT_LEAST_ONCE_FLOW,
        EXACTLY_ONCE,
        EXACTLY_ONCE_GROUPED,
        SCALA_AT_LEAST_ONCE,
        SCALA_EXACTLY_ONCE,
        SCALA_EXACTLY_ONCE_GROUPED
    }

    static Stream<Arguments> kindsAndLayouts() {
        return Stream.concat(
                Stream.of(Kind.values()).map(kind -> Arguments.of(kind, "dynajournal")),
                Stream.of(Kind.AT_LEAST_ONCE, Kind.EXACTLY_ONCE, Kind.EXACTLY_ONCE_GROUPED)
                        .map(kind -> Arguments.of(kind, adopted())));
    }

    /** The path of akka-persistence-dynamodb 2.x, on both toolkits. */
    static String adopted() {
        return String.join(".", "akka", "persistence", "dynamodb");
    }

    private Projection<EventEnvelope<String>> projection(
            Kind kind, ActorSystem<?> system, String plugin, Consumer<EventEnvelope<String>> receive) {
        ProjectionId id = Runs.ID;
        SourceProvider<Offset, EventEnvelope<String>> source =
                EventSourcedProvider.eventsBySlices(system, plugin + ".query", fixture.entityType, 0, LAST_SLICE);
        Handler<EventEnvelope<String>> handler = new Handler<>() {
            @Override
            public CompletionStage<Done> process(EventEnvelope<String> envelope) {
                receive.accept(envelope);
                return CompletableFuture.completedFuture(Done.getInstance());
            }
        };
        return switch (kind) {
            case AT_LEAST_ONCE -> DynajournalProjection.atLeastOnce(id, source, () -> handler, system);
            case AT_LEAST_ONCE_ASYNC -> DynajournalProjection.atLeastOnceAsync(id, source, () -> handler, system);
            case AT_LEAST_ONCE_GROUPED ->
                DynajournalProjection.atLeastOnceGroupedWithin(
                        id,
                        source,
                        () -> new Handler<List<EventEnvelope<String>>>() {
                            @Override
                            public CompletionStage<Done> process(List<EventEnvelope<String>> group) {
                                group.forEach(receive);
                                return CompletableFuture.completedFuture(Done.getInstance());
                            }
                        },
                        system);
            case AT_LEAST_ONCE_FLOW ->
                DynajournalProjection.atLeastOnceFlow(
                        id,
                        source,
                        FlowWithContext.<EventEnvelope<String>, ProjectionContext>create()
                                .map(envelope -> {
                                    receive.accept(envelope);
                                    return Done.getInstance();
                                }),
                        system);
            case EXACTLY_ONCE ->
                DynajournalProjection.exactlyOnce(
                        id,
                        source,
                        () -> envelope -> {
                            receive.accept(envelope);
                            return CompletableFuture.completedFuture(
                                    List.of(fixture.count(envelope.persistenceId(), envelope.sequenceNr())));
                        },
                        system);
            case EXACTLY_ONCE_GROUPED ->
                DynajournalProjection.exactlyOnceGroupedWithin(
                        id,
                        source,
                        () -> group -> {
                            group.forEach(receive);
                            return CompletableFuture.completedFuture(group.stream()
                                    .map(each -> fixture.count(each.persistenceId(), each.sequenceNr()))
                                    .toList());
                        },
                        system);
            default -> scalaProjection(kind, system, plugin, receive);
        };
    }

    private Projection<EventEnvelope<String>> scalaProjection(
            Kind kind, ActorSystem<?> system, String plugin, Consumer<EventEnvelope<String>> receive) {
        akka.projection.scaladsl.SourceProvider<Offset, EventEnvelope<String>> source =
                akka.projection.eventsourced.scaladsl.EventSourcedProvider.eventsBySlices(
                        system, plugin + ".query", fixture.entityType, 0, LAST_SLICE);
        return switch (kind) {
            case SCALA_AT_LEAST_ONCE ->
                io.dynajournal.projection.scaladsl.DynajournalProjection.atLeastOnce(
                        Runs.ID,
                        source,
                        () -> akka.projection.scaladsl.Handler.<EventEnvelope<String>>apply(envelope -> {
                            receive.accept(envelope);
                            return Future.successful(Done.getInstance());
                        }),
                        system);
            case SCALA_EXACTLY_ONCE ->
                io.dynajournal.projection.scaladsl.DynajournalProjection.exactlyOnce(
                        Runs.ID,
                        source,
                        () -> envelope -> {
                            receive.accept(envelope);
                            return Future.successful(CollectionConverters.asScala(
                                    List.of(fixture.count(envelope.persistenceId(), envelope.sequenceNr()))));
                        },
                        system);
            case SCALA_EXACTLY_ONCE_GROUPED ->
                io.dynajournal.projection.scaladsl.DynajournalProjection.exactlyOnceGroupedWithin(
                        Runs.ID,
                        source,
                        () -> group -> {
                            List<EventEnvelope<String>> envelopes = CollectionConverters.asJava(group);
                            envelopes.forEach(receive);
                            return Future.successful(CollectionConverters.asScala(envelopes.stream()
                                    .map(each -> fixture.count(each.persistenceId(), each.sequenceNr()))
                                    .toList()));
                        },
                        system);
            default -> throw new AssertionError(kind);
        };
    }

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("kindsAndLayouts")
    void everyEventArrivesOnceAndInOrderOverRestartsAndFailures(Kind kind, String plugin) {
        fixture.createReadModel();
        ActorSystem<Void> system = fixture.start();
        Writers writers = new Writers(system, plugin + ".journal");
        List<String> ids = fixture.ids(LAST_SLICE, 3);
        ids.forEach(id -> writers.write(id, 3));

        // The first run stops after all events, the second one fails at event 5 of each entity once, and restarts.
        Received received = new Received();
        RunningProjection first = projection(kind, system, plugin, envelope -> received.add(Runs.label(envelope)))
                .run(system);
        assertThat(received.next(9)).hasSize(9).doesNotHaveDuplicates();
        Await.result(Runs.stop(first));

        List<String> failed = Collections.synchronizedList(new ArrayList<>());
        Received later = new Received();
        RunningProjection second = projection(kind, system, plugin, envelope -> {
                    if (envelope.sequenceNr() == 5 && !failed.contains(Runs.label(envelope))) {
                        failed.add(Runs.label(envelope));
                        throw new IllegalStateException("on purpose");
                    }
                    later.add(Runs.label(envelope));
                })
                .withRestartBackoff(Duration.ofMillis(10), Duration.ofMillis(20), 0.0)
                .run(system);
        ids.forEach(id -> writers.write(id, 3));
        List<String> last = new ArrayList<>(ids);
        last.replaceAll(id -> id + "/6");
        while (!later.all().containsAll(last)) {
            later.next();
        }
        Await.result(Runs.stop(second));

        for (String id : ids) {
            List<String> ofId = later.all().stream()
                    .filter(label -> label.startsWith(id + "/"))
                    .distinct()
                    .toList();
            assertThat(ofId).containsExactly(id + "/4", id + "/5", id + "/6");
        }
        if (kind.name().contains("EXACTLY")) {
            assertThat(fixture.counts().values()).hasSize(18).containsOnly(1L);
        }
    }
}
