package io.dynajournal.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import akka.Done;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.persistence.PersistentRepr;
import akka.persistence.query.Offset;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.Projection;
import akka.projection.ProjectionBehavior;
import akka.projection.ProjectionId;
import akka.projection.RunningProjection;
import akka.projection.eventsourced.javadsl.EventSourcedProvider;
import akka.projection.javadsl.ActorHandler;
import akka.projection.javadsl.Handler;
import akka.projection.javadsl.SourceProvider;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.testkit.Await;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Events that were stored as filtered do not reach a handler, but their offsets are stored. Only newer toolkits have them; the
 * build runs this test on one in tests/projection28.
 */
final class FilteredEventsTest {

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private final Received received = new Received();

    enum Kind {
        AT_LEAST_ONCE,
        AT_LEAST_ONCE_GROUPED,
        EXACTLY_ONCE,
        EXACTLY_ONCE_GROUPED
    }

    private static Object filteredPayload() throws ReflectiveOperationException {
        return Class.forName(PersistentRepr.class.getPackageName() + ".FilteredPayload$")
                .getField("MODULE$")
                .get(null);
    }

    @BeforeEach
    void onlyWhereTheToolkitHasThem() {
        boolean has = Stream.of(EventEnvelope.class.getMethods())
                .anyMatch(method -> method.getName().equals("filtered"));
        assumeTrue(has, "this toolkit has no filtered events");
    }

    private SourceProvider<Offset, EventEnvelope<String>> events(ActorSystem<?> system) {
        return EventSourcedProvider.eventsBySlices(system, "dynajournal.query", fixture.entityType, 0, 1023);
    }

    private Projection<EventEnvelope<String>> projection(Kind kind, ActorSystem<?> system) {
        return switch (kind) {
            case AT_LEAST_ONCE ->
                DynajournalProjection.atLeastOnce(Runs.ID, events(system), () -> Runs.handler(received::add), system);
            case AT_LEAST_ONCE_GROUPED ->
                DynajournalProjection.atLeastOnceGroupedWithin(
                        Runs.ID,
                        events(system),
                        () -> new Handler<List<EventEnvelope<String>>>() {
                            @Override
                            public CompletionStage<Done> process(List<EventEnvelope<String>> group) {
                                group.forEach(each -> received.add(Runs.label(each)));
                                return CompletableFuture.completedFuture(Done.getInstance());
                            }
                        },
                        system);
            case EXACTLY_ONCE ->
                DynajournalProjection.exactlyOnce(
                        Runs.ID,
                        events(system),
                        () -> envelope -> {
                            received.add(Runs.label(envelope));
                            return CompletableFuture.completedFuture(List.of());
                        },
                        system);
            case EXACTLY_ONCE_GROUPED ->
                DynajournalProjection.exactlyOnceGroupedWithin(
                        Runs.ID,
                        events(system),
                        () -> group -> {
                            group.forEach(each -> received.add(Runs.label(each)));
                            return CompletableFuture.completedFuture(List.of());
                        },
                        system);
        };
    }

    @ParameterizedTest
    @EnumSource
    void doNotReachTheHandlerButTheirOffsetsAreStored(Kind kind) throws ReflectiveOperationException {
        ActorSystem<Void> system = fixture.start();
        Writers writers = new Writers(system, "dynajournal.journal");
        String id = fixture.entityType + "|1";
        writers.writeNumbers(id, 1);
        writers.write(id, filteredPayload());
        writers.writeNumbers(id, 3);
        writers.write(id, filteredPayload());

        RunningProjection running = projection(kind, system).run(system);
        assertThat(received.next(2)).containsExactly(id + "/1", id + "/3");
        int slice = Slices.of(id);
        Runs.until(() -> {
            Map<String, AttributeValue> row = fixture.offset(Runs.NAME, slice, id);
            return !row.isEmpty() && Fixture.number(row, "seq_nr") == 4;
        });
        Await.result(Runs.stop(running));
        received.assertNothingMore();
    }

    @Test
    void anActorHandlerIsStartedAndDoesNotReceiveThem() throws ReflectiveOperationException {
        ActorSystem<Void> system = fixture.start();
        Writers writers = new Writers(system, "dynajournal.journal");
        String id = fixture.entityType + "|1";
        writers.writeNumbers(id, 1);
        writers.write(id, filteredPayload());
        writers.writeNumbers(id, 3);
        Behavior<String> actor = Behaviors.receiveMessage(label -> {
            received.add(label);
            return Behaviors.same();
        });
        Projection<EventEnvelope<String>> projection = DynajournalProjection.atLeastOnce(
                ProjectionId.of(Runs.NAME, "0-1023"),
                events(system),
                () -> new ActorHandler<EventEnvelope<String>, String>(actor) {
                    @Override
                    public CompletionStage<Done> process(ActorRef<String> self, EventEnvelope<String> envelope) {
                        self.tell(Runs.label(envelope));
                        return CompletableFuture.completedFuture(Done.getInstance());
                    }
                },
                system);
        Adapter.spawn(Adapter.toClassic(system), ProjectionBehavior.create(projection), "projection");

        assertThat(received.next(2)).containsExactly(id + "/1", id + "/3");
    }
}
