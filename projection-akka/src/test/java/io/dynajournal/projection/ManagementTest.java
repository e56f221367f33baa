package io.dynajournal.projection;

import static io.dynajournal.projection.ModelJournal.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import akka.Done;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Adapter;
import akka.persistence.query.Offset;
import akka.persistence.query.TimestampOffset;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.ProjectionBehavior;
import akka.projection.ProjectionId;
import akka.projection.RunningProjection;
import akka.projection.eventsourced.javadsl.EventSourcedProvider;
import akka.projection.javadsl.ActorHandler;
import akka.projection.javadsl.ProjectionManagement;
import akka.projection.javadsl.SourceProvider;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** Pause, resume, get, set and clear; starting from now; other ranges of slices. */
final class ManagementTest {

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private final ModelJournal journal = new ModelJournal();

    /** One slice: setting an offset writes a row per slice, and the toolkit waits for it only 3 seconds. */
    private SourceProvider<Offset, EventEnvelope<String>> events(ActorSystem<?> system, String id) {
        return EventSourcedProvider.eventsBySlices(
                system, "dynajournal.query", fixture.entityType, Slices.of(id), Slices.of(id));
    }

    private static Offset at(long micros) {
        return at(micros, Map.of());
    }

    private static Offset at(long micros, Map<String, Object> seen) {
        return TimestampOffset.apply(
                Instant.EPOCH.plus(micros, ChronoUnit.MICROS),
                Instant.now(),
                scala.collection.immutable.Map.from(CollectionConverters.asScala(seen)));
    }

    @SuppressWarnings("unchecked")
    private static void set(RunningProjection running, Option<Offset> offset) {
        Await.result(scala.jdk.javaapi.FutureConverters.asJava(
                ((akka.projection.RunningProjectionManagement<Offset>) running).setOffset(offset)));
    }

    private RunningProjection ended(ActorSystem<?> system) {
        Runs.Observer<EventEnvelope<String>> observer = new Runs.Observer<>();
        RunningProjection running = Runs.atLeastOnce(journal.source(), system, label -> {})
                .withStatusObserver(observer)
                .run(system);
        Await.result(observer.stopped);
        Await.result(Runs.stop(running));
        return running;
    }

    @Test
    void pausesResumesGetsSetsAndClearsWhileItRuns() {
        ActorSystem<Void> system = fixture.start();
        Writers writers = new Writers(system, "dynajournal.journal");
        String id = fixture.entityType + "|1";
        writers.write(id, 2);
        ProjectionId projectionId = ProjectionId.of("managed-" + fixture.entityType, "0-1023");
        Received received = new Received();
        ActorRef<ProjectionBehavior.Command> actor = Adapter.spawn(
                Adapter.toClassic(system),
                ProjectionBehavior.create(DynajournalProjection.atLeastOnce(
                                projectionId, events(system, id), () -> Runs.handler(received::add), system)
                        .withSaveOffset(1, java.time.Duration.ZERO)),
                "projection");
        ProjectionManagement management = ProjectionManagement.get(system);
        assertThat(received.next(2)).containsExactly(id + "/1", id + "/2");

        assertThat(Await.result(management.isPaused(projectionId))).isFalse();
        Await.result(management.pause(projectionId));
        assertThat(Await.result(management.isPaused(projectionId))).isTrue();
        writers.write(id, 1);
        Optional<Offset> offset = Await.result(management.<Offset>getOffset(projectionId));
        assertThat(offset)
                .hasValueSatisfying(
                        found -> assertThat(((TimestampOffset) found).getSeen()).containsEntry(id, 2L));
        received.assertNothingMore();
        Await.result(management.resume(projectionId));
        assertThat(received.next()).isEqualTo(id + "/3");

        // Back to the second event: the third one follows again.
        Await.result(management.updateOffset(projectionId, offset.orElseThrow()));
        assertThat(received.next()).isEqualTo(id + "/3");
        Await.result(management.clearOffset(projectionId));
        assertThat(received.next(3)).containsExactly(id + "/1", id + "/2", id + "/3");
        writers.write(id, 1);
        assertThat(received.next()).isEqualTo(id + "/4");
        received.assertNothingMore();
        actor.tell(ProjectionBehavior.stopMessage());
    }

    /** How a projection with offsets in another database moves over. */
    @Test
    void aTimeIsCarriedOverAsTheOffsetOfAProjectionThatStartsFromNow() {
        ActorSystem<Void> system = fixture.start("dynajournal.projection.start = now");
        journal.deliver("A|1", 1, START)
                .deliver("A|1", 2, START + 10)
                .deliver("A|2", 1, START + 20)
                .deliver("A|1", 3, START + 30);
        assertThat(Runs.received(journal.source(), system)).isEmpty();
        RunningProjection running = ended(system);

        set(running, Option.apply(Offset.timestamp(Instant.EPOCH.plus(START + 20, ChronoUnit.MICROS))));

        assertThat(Runs.received(journal.source(), system)).containsExactly("A|2/1", "A|1/3");
        assertThat(Runs.received(journal.source(), system)).isEmpty();
    }

    @Test
    void aPauseIsOneRow() {
        FaultProxy proxy = fixture.proxy();
        ActorSystem<Void> system = fixture.start(proxy);
        RunningProjection running = ended(system);
        int before = proxy.requests(RequestMatch.writes()).size();

        Await.result(scala.jdk.javaapi.FutureConverters.asJava(
                ((akka.projection.RunningProjectionManagement<?>) running).setPaused(true)));

        assertThat(proxy.requests(RequestMatch.writes())).hasSize(before + 1);
        assertThat(fixture.offset(Runs.NAME, 0, "_mgmt").get("paused")).isNotNull();
    }

    @Test
    void aPauseSurvivesASplitOfTheRange() {
        ActorSystem<Void> system = fixture.start();
        RunningProjection whole = ended(system);
        Await.result(scala.jdk.javaapi.FutureConverters.asJava(
                ((akka.projection.RunningProjectionManagement<?>) whole).setPaused(true)));
        RunningProjection half =
                Runs.atLeastOnce(journal.source(512, 1023), system, label -> {}).run(system);

        assertThat(Await.result(scala.jdk.javaapi.FutureConverters.asJava(
                                ((akka.projection.RunningProjectionManagement<?>) half).getManagementState()))
                        .get()
                        .paused())
                .isTrue();
        Await.result(Runs.stop(half));
    }

    @Test
    void aClearedOffsetProjectsEverythingAgain() {
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START).deliver("A|1", 2, START + 10).deliver("A|2", 1, START + 20);
        RunningProjection running = ended(system);
        assertThat(Runs.received(journal.source(), system)).isEmpty();

        set(running, Option.empty());

        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/1", "A|1/2", "A|2/1");
        assertThat(Runs.received(journal.source(), system)).isEmpty();
    }

    @Test
    void anOffsetThatWasSetIsWhereProjectingBegins() {
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START)
                .deliver("A|1", 2, START + 10)
                .deliver("A|1", 3, START + 20)
                .deliver("A|2", 1, START + 5)
                .deliver("A|3", 1, START + 30);
        RunningProjection running = ended(system);

        set(running, Option.apply(at(START + 10)));

        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/2", "A|1/3", "A|3/1");
        assertThat(Runs.received(journal.source(), system)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"timestamp-offset", "packed"})
    void whatAnOffsetThatWasSetHasSeenStaysProjectedAfterARestart(String layout) {
        ActorSystem<Void> system = fixture.start("dynajournal.projection.layout = " + layout);
        String inTheSameSlice = IntStream.iterate(2, i -> i + 1)
                .mapToObj(i -> "A|" + i)
                .filter(id -> Slices.of(id) == Slices.of("A|1"))
                .findFirst()
                .orElseThrow();
        RunningProjection running = ended(system);
        journal.deliver("A|1", 1, START).deliver("A|1", 2, START + 10).deliver(inTheSameSlice, 1, START + 20);

        set(running, Option.apply(at(START + 10, Map.of("A|1", 2L))));

        assertThat(Runs.received(journal.source(), system)).containsExactly(inTheSameSlice + "/1");
        assertThat(Runs.received(journal.source(), system)).isEmpty();
    }

    @Test
    void aFirstStartFromNowThatWasInterruptedProjectsNothingOlder() {
        FaultProxy proxy = fixture.proxy();
        ActorSystem<Void> system = fixture.start(Fixture.through(proxy) + "dynajournal.projection.start = now");
        fixture.createOffsets(system);
        long now = System.currentTimeMillis() * 1000;
        for (int i = 1; i <= 40; i++) {
            journal.deliver("A|" + i, 1, now - 60_000_000);
        }
        proxy.when(RequestMatch.operation("BatchWriteItem"))
                .after(20)
                .always()
                .answer(ErrorAnswer.of(400, "ValidationException", "on purpose"));
        assertThat(Runs.toEnd(Runs.atLeastOnce(journal.source(), system, label -> {}), system))
                .isNotNull();
        assertThat(fixture.scan(fixture.offsets)).hasSize(20 * 25);
        proxy.clear();

        assertThat(Runs.received(journal.source(), system)).isEmpty();
        journal.deliver("A|7", 2, now + 60_000_000);
        assertThat(Runs.received(journal.source(), system)).containsExactly("A|7/2");
    }

    @Test
    void anOffsetThatWasSetAheadSkipsWhatLiesBefore() {
        ActorSystem<Void> system = fixture.start();
        RunningProjection running = ended(system);
        set(running, Option.apply(at(START + 15)));
        journal.write("A|1", 1, START)
                .deliver("A|1", 2, START + 10)
                .write("A|1", 3, START + 16)
                .deliver("A|1", 4, START + 20)
                .deliver("A|2", 1, START + 5);

        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/3", "A|1/4");
    }

    @Test
    void startsFromNowIfConfigured() {
        ActorSystem<Void> system = fixture.start("dynajournal.projection.start = now");
        long now = System.currentTimeMillis() * 1000;
        journal.deliver("A|1", 1, now - 60_000_000).write("A|2", 1, now - 60_000_000);
        assertThat(Runs.received(journal.source(), system)).isEmpty();

        journal.deliver("A|2", 2, now + 60_000_000).deliver("A|1", 2, now + 60_000_001);
        assertThat(Runs.received(journal.source(), system)).containsExactly("A|2/2", "A|1/2");
        assertThat(journal.startedFrom.get(0)).isPresent();
    }

    @Test
    void keepsItsPlaceWhenARangeIsSplitAndJoined() {
        ActorSystem<Void> system = fixture.start();
        for (int i = 1; i <= 40; i++) {
            journal.deliver("A|" + i, 1, START + i);
        }
        assertThat(Runs.received(journal.source(), system)).hasSize(40);
        for (int i = 1; i <= 40; i++) {
            journal.deliver("A|" + i, 2, START + 100 + i);
        }
        int resumed = journal.startedFrom.size();
        for (int first = 0; first < 1024; first += 256) {
            int min = first;
            assertThat(Runs.received(journal.source(min, min + 255), system))
                    .containsExactlyElementsOf(java.util.stream.IntStream.rangeClosed(1, 40)
                            .filter(i -> Slices.of("A|" + i) / 256 == min / 256)
                            .mapToObj(i -> "A|" + i + "/2")
                            .toList());
        }
        journal.deliver("A|1", 3, START + 200);
        assertThat(Runs.received(journal.source(), system)).containsExactly("A|1/3");

        // Each part knows that the whole range was projected, although most of its slices have no row.
        assertThat(journal.startedFrom.subList(resumed, journal.startedFrom.size()))
                .hasSize(5)
                .allSatisfy(from -> assertThat(from)
                        .hasValueSatisfying(offset -> assertThat(((TimestampOffset) offset).timestamp())
                                .isAfterOrEqualTo(Instant.EPOCH.plus(START + 40, ChronoUnit.MICROS))));
    }

    @Test
    void anActorHandlerKeepsItsActor() {
        assumeTrue(startsActorsOfHandlers(), "the toolkit's ProjectionBehavior cannot start the actor of a handler");
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START).deliver("A|1", 2, START + 1);
        Received received = new Received();
        Adapter.spawn(
                Adapter.toClassic(system),
                ProjectionBehavior.create(DynajournalProjection.atLeastOnce(
                        ProjectionId.of("actor-" + fixture.entityType, "0-1023"),
                        journal.source(),
                        () -> new TellingHandler(received),
                        system)),
                "projection");

        assertThat(received.next(2)).isEqualTo(List.of("A|1/1", "A|1/2"));
    }

    /** The ProjectionBehavior of pekko-projection 1.0.0 calls a method that Pekko has only up to 1.0. */
    private static boolean startsActorsOfHandlers() {
        try {
            return Stream.of(Class.forName(akka.actor.typed.scaladsl.Behaviors.class.getName() + "$Supervise$")
                            .getMethods())
                    .anyMatch(method -> method.getName().equals("onFailure$extension")
                            && method.getReturnType().equals(Behavior.class));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static final class TellingHandler extends ActorHandler<EventEnvelope<String>, String> {

        TellingHandler(Received received) {
            super(akka.actor.typed.javadsl.Behaviors.receiveMessage(label -> {
                received.add(label);
                return akka.actor.typed.javadsl.Behaviors.same();
            }));
        }

        @Override
        public CompletionStage<Done> process(ActorRef<String> actor, EventEnvelope<String> envelope) {
            actor.tell(Runs.label(envelope));
            return CompletableFuture.completedFuture(Done.getInstance());
        }
    }
}
