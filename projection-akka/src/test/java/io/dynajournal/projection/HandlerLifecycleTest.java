package io.dynajournal.projection;

import static io.dynajournal.projection.ModelJournal.START;
import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.persistence.query.Offset;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.HandlerRecoveryStrategy;
import akka.projection.Projection;
import akka.projection.ProjectionId;
import akka.projection.RunningProjection;
import akka.projection.StatusObserver;
import akka.projection.javadsl.AtLeastOnceProjection;
import akka.projection.javadsl.StatefulHandler;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Handlers with state, what a status observer receives and in which order, and the time between restarts. */
final class HandlerLifecycleTest {

    private static final Duration BACK_OFF = Duration.ofMillis(200);

    @RegisterExtension
    final Fixture fixture = new Fixture();

    private final ModelJournal journal = new ModelJournal();

    /** Adds the labels of envelopes to its state, which is read when a run starts. */
    private static final class Collecting extends StatefulHandler<List<String>, EventEnvelope<String>> {

        private final List<String> saved;
        private final List<List<String>> states;

        Collecting(List<String> saved, List<List<String>> states) {
            this.saved = saved;
            this.states = states;
        }

        @Override
        public CompletionStage<List<String>> initialState() {
            return CompletableFuture.completedFuture(List.copyOf(saved));
        }

        @Override
        public CompletionStage<List<String>> process(List<String> state, EventEnvelope<String> envelope) {
            if (envelope.sequenceNr() == 3 && states.size() == 2) {
                saved.addAll(state);
                states.add(List.of("failed"));
                throw new IllegalStateException("on purpose");
            }
            List<String> next = new ArrayList<>(state);
            next.add(Runs.label(envelope));
            states.add(next);
            return CompletableFuture.completedFuture(next);
        }
    }

    @Test
    void aStatefulHandlerReadsItsStateAgainAfterARestart() {
        ActorSystem<Void> system = fixture.start();
        for (int i = 1; i <= 4; i++) {
            journal.deliver("A|1", i, START + i);
        }
        List<String> saved = new CopyOnWriteArrayList<>();
        List<List<String>> states = new CopyOnWriteArrayList<>();
        Runs.Observer<EventEnvelope<String>> observer = new Runs.Observer<>();
        Projection<EventEnvelope<String>> projection = DynajournalProjection.atLeastOnce(
                        Runs.ID, journal.source(), () -> new Collecting(saved, states), system)
                .withSaveOffset(1, Duration.ofSeconds(1))
                .withRestartBackoff(Duration.ofMillis(1), Duration.ofMillis(1), 0.0)
                .withStatusObserver(observer);
        RunningProjection running = projection.run(system);
        Runs.until(() -> states.size() == 5);
        Await.result(Runs.stop(running));

        assertThat(states)
                .containsExactly(
                        List.of("A|1/1"),
                        List.of("A|1/1", "A|1/2"),
                        List.of("failed"),
                        List.of("A|1/1", "A|1/2", "A|1/3"),
                        List.of("A|1/1", "A|1/2", "A|1/3", "A|1/4"));
    }

    /** Everything that an observer receives, in its order. */
    private static final class Calls extends StatusObserver<EventEnvelope<String>> {

        private final List<String> all = new CopyOnWriteArrayList<>();
        private final List<Long> startedNanos = new CopyOnWriteArrayList<>();

        @Override
        public void started(ProjectionId projectionId) {
            startedNanos.add(System.nanoTime());
            all.add("started " + projectionId.id());
        }

        @Override
        public void failed(ProjectionId projectionId, Throwable cause) {
            all.add("failed: " + cause.getMessage());
        }

        @Override
        public void stopped(ProjectionId projectionId) {
            all.add("stopped");
        }

        @Override
        public void beforeProcess(ProjectionId projectionId, EventEnvelope<String> envelope) {
            all.add("before " + Runs.label(envelope));
        }

        @Override
        public void afterProcess(ProjectionId projectionId, EventEnvelope<String> envelope) {
            all.add("after " + Runs.label(envelope));
        }

        @Override
        public void offsetProgress(ProjectionId projectionId, EventEnvelope<String> envelope) {
            all.add("stored " + Runs.label(envelope));
        }

        @Override
        public void error(
                ProjectionId projectionId,
                EventEnvelope<String> envelope,
                Throwable cause,
                HandlerRecoveryStrategy recoveryStrategy) {
            all.add("error " + Runs.label(envelope) + ": " + cause.getMessage());
        }
    }

    private AtLeastOnceProjection<Offset, EventEnvelope<String>> failingAt(String label, ActorSystem<?> system) {
        return DynajournalProjection.atLeastOnce(
                        Runs.ID,
                        journal.source(),
                        () -> Runs.handler(each -> {
                            if (each.equals(label)) {
                                throw new IllegalStateException("on purpose");
                            }
                        }),
                        system)
                .withSaveOffset(1, Duration.ofSeconds(1));
    }

    @Test
    void anObserverSeesEachEnvelopeThatReachesTheHandlerAndWhatBecomesOfIt() {
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START).deliver("A|1", 1, START);
        Calls calls = new Calls();
        RunningProjection running = failingAt("A|1/1", system)
                .withStatusObserver(calls)
                .withRestartBackoff(BACK_OFF, BACK_OFF, 0.0, 0)
                .run(system);
        Runs.until(() -> calls.all.contains("stopped"));
        Await.result(Runs.stop(running).handle((done, failure) -> failure));

        assertThat(calls.all)
                .containsExactly(
                        "started " + Runs.ID.id(),
                        "before A|1/1",
                        "error A|1/1: on purpose",
                        "failed: on purpose",
                        "stopped");

        journal.deliver("A|1", 2, START + 1);
        Calls skipping = new Calls();
        RunningProjection second = failingAt("A|1/1", system)
                .withRecoveryStrategy(HandlerRecoveryStrategy.skip())
                .withStatusObserver(skipping)
                .withRestartBackoff(BACK_OFF, BACK_OFF, 0.0, 0)
                .run(system);
        Runs.until(() -> skipping.all.contains("stopped"));
        Await.result(Runs.stop(second).handle((done, failure) -> failure));
        // An offset is stored while the next envelope is handled.
        assertThat(skipping.all)
                .containsExactlyInAnyOrder(
                        "started " + Runs.ID.id(),
                        "before A|1/1",
                        "error A|1/1: on purpose",
                        "stored A|1/1",
                        "before A|1/2",
                        "after A|1/2",
                        "stored A|1/2",
                        "stopped")
                .containsSubsequence("before A|1/1", "error A|1/1: on purpose", "stored A|1/1", "stopped")
                .containsSubsequence("before A|1/1", "before A|1/2", "after A|1/2", "stored A|1/2");
    }

    @Test
    void aProjectionThatFailsWaitsBeforeEachRestartAndEndsAfterTheLast() {
        ActorSystem<Void> system = fixture.start();
        journal.deliver("A|1", 1, START);
        Calls calls = new Calls();
        RunningProjection running = failingAt("A|1/1", system)
                .withStatusObserver(calls)
                .withRestartBackoff(BACK_OFF, BACK_OFF, 0.0, 2)
                .run(system);
        Runs.until(() -> calls.all.stream().filter("stopped"::equals).count() == 3);

        // A stream that would be restarted ends without a failure when it is stopped.
        Throwable failure = Await.result(Runs.stop(running).handle((done, failed) -> failed));
        assertThat(failure).hasMessage("on purpose");
        assertThat(calls.startedNanos).hasSize(3);
        for (int i = 1; i < 3; i++) {
            assertThat(calls.startedNanos.get(i) - calls.startedNanos.get(i - 1))
                    .isGreaterThanOrEqualTo(BACK_OFF.toNanos());
        }
    }
}
