package io.dynajournal.projection;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.persistence.query.Offset;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.HandlerRecoveryStrategy;
import akka.projection.Projection;
import akka.projection.ProjectionId;
import akka.projection.RunningProjection;
import akka.projection.StatusObserver;
import akka.projection.javadsl.Handler;
import akka.projection.javadsl.SourceProvider;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import io.dynajournal.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.FutureConverters;

/** Runs projections until their source ends. */
final class Runs {

    static final String NAME = "view";
    static final ProjectionId ID = ProjectionId.of(NAME, "0-1023");

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long POLL_NANOS = 5_000_000;

    private Runs() {}

    /** Remembers what the toolkit reports. */
    static final class Observer<E> extends StatusObserver<E> {
        final CompletableFuture<Done> stopped = new CompletableFuture<>();
        final List<Throwable> failures = new CopyOnWriteArrayList<>();
        final List<E> processed = new CopyOnWriteArrayList<>();
        final List<E> progress = new CopyOnWriteArrayList<>();

        @Override
        public void started(ProjectionId projectionId) {}

        @Override
        public void failed(ProjectionId projectionId, Throwable cause) {
            failures.add(cause);
        }

        @Override
        public void stopped(ProjectionId projectionId) {
            stopped.complete(Done.getInstance());
        }

        @Override
        public void beforeProcess(ProjectionId projectionId, E envelope) {}

        @Override
        public void afterProcess(ProjectionId projectionId, E envelope) {
            processed.add(envelope);
        }

        @Override
        public void offsetProgress(ProjectionId projectionId, E envelope) {
            progress.add(envelope);
        }

        @Override
        public void error(
                ProjectionId projectionId, E envelope, Throwable cause, HandlerRecoveryStrategy recoveryStrategy) {}
    }

    /** Runs it once, without restarts; null if it ended well. */
    static <E> @Nullable Throwable toEnd(Projection<E> projection, ActorSystem<?> system) {
        return toEnd(projection, system, new Observer<>());
    }

    static <E> @Nullable Throwable toEnd(Projection<E> projection, ActorSystem<?> system, Observer<E> observer) {
        RunningProjection running = projection
                .withStatusObserver(observer)
                .withRestartBackoff(Duration.ofMillis(1), Duration.ofMillis(1), 0.0, 0)
                .run(system);
        Await.result(observer.stopped);
        return Await.result(stop(running).handle((done, failure) -> failure)) == null ? null : observer.failures.get(0);
    }

    /** Waits for what other threads do. */
    static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("the condition was not met within " + PATIENCE.toSeconds() + " seconds");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    static CompletionStage<Done> stop(RunningProjection running) {
        return FutureConverters.asJava(running.stop());
    }

    /** Runs an at-least-once projection to the end of its source; what the handler received. */
    static List<String> received(SourceProvider<Offset, EventEnvelope<String>> source, ActorSystem<?> system) {
        List<String> received = new CopyOnWriteArrayList<>();
        Throwable failure = toEnd(atLeastOnce(source, system, received::add), system);
        if (failure != null) {
            throw new AssertionError("the projection failed", failure);
        }
        return received;
    }

    static Projection<EventEnvelope<String>> atLeastOnce(
            SourceProvider<Offset, EventEnvelope<String>> source, ActorSystem<?> system, Consumer<String> receive) {
        return DynajournalProjection.atLeastOnce(ID, source, () -> handler(receive), system);
    }

    static Handler<EventEnvelope<String>> handler(Consumer<String> receive) {
        return new Handler<>() {
            @Override
            public CompletionStage<Done> process(EventEnvelope<String> envelope) {
                receive.accept(label(envelope));
                return CompletableFuture.completedFuture(Done.getInstance());
            }
        };
    }

    static String label(EventEnvelope<?> envelope) {
        return envelope.persistenceId() + "/" + envelope.sequenceNr();
    }
}
