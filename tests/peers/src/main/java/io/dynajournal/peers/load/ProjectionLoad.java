package io.dynajournal.peers.load;

import akka.Done;
import akka.actor.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.persistence.query.Offset;
import akka.persistence.query.typed.EventEnvelope;
import akka.projection.HandlerRecoveryStrategy;
import akka.projection.Projection;
import akka.projection.ProjectionId;
import akka.projection.RunningProjection;
import akka.projection.StatusObserver;
import akka.projection.eventsourced.javadsl.EventSourcedProvider;
import akka.projection.javadsl.Handler;
import akka.projection.javadsl.SourceProvider;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.projection.javadsl.DynajournalProjection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import scala.jdk.javaapi.FutureConverters;

/** Entities of the toolkit, and projections of their events whose handlers do nothing. Argument: the configuration. */
final class ProjectionLoad extends LoadMain {

    private static final int LAST_SLICE = 1023;

    private final akka.actor.typed.ActorSystem<?> system;

    private ProjectionLoad(ActorSystem system) {
        super(system);
        this.system = Adapter.toTyped(system);
    }

    public static void main(String[] args) throws Exception {
        Commands.serve(() -> new ProjectionLoad(ActorSystem.create("load", ConfigFactory.load(args[0]))));
    }

    /** The group is the entity type, so that a projection can read its events alone. */
    @Override
    String persistenceId(String group, int number) {
        return group + "|" + id(group, number);
    }

    @Override
    public void project(String group, Run run, Measurement measurement) {
        long since = System.nanoTime();
        AtomicInteger left = new AtomicInteger(run.events());
        CompletableFuture<Done> all = new CompletableFuture<>();
        RunningProjection running = projection(group, run, events -> {
                    if (left.addAndGet(-events) <= 0) {
                        all.complete(Done.getInstance());
                    }
                })
                .withRestartBackoff(Duration.ofMillis(1), Duration.ofMillis(1), 0, 0)
                .withStatusObserver(new Failures(all))
                .run(system);
        all.thenCompose(done -> FutureConverters.asJava(running.stop())).whenComplete((stopped, failure) -> {
            if (failure == null) {
                measurement.done(since, run.events());
            } else {
                measurement.fail(failure);
            }
        });
    }

    private interface Counter {
        void handled(int events);
    }

    private Projection<EventEnvelope<LoadEvent>> projection(String group, Run run, Counter counter) {
        ProjectionId id = ProjectionId.of(run.name(), "all");
        SourceProvider<Offset, EventEnvelope<LoadEvent>> events =
                EventSourcedProvider.eventsBySlices(system, "dynajournal.query", group, 0, LAST_SLICE);
        return switch (run.kind()) {
            case "at-least-once" -> DynajournalProjection.atLeastOnce(id, events, () -> new Counting(counter), system);
            case "exactly-once" ->
                DynajournalProjection.exactlyOnce(
                        id,
                        events,
                        () -> envelope -> {
                            counter.handled(1);
                            return CompletableFuture.completedFuture(List.of());
                        },
                        system);
            case "grouped" ->
                DynajournalProjection.exactlyOnceGroupedWithin(
                        id,
                        events,
                        () -> envelopes -> {
                            counter.handled(envelopes.size());
                            return CompletableFuture.completedFuture(List.of());
                        },
                        system);
            default -> throw new IllegalArgumentException("unknown kind of projection: " + run.kind());
        };
    }

    private static final class Counting extends Handler<EventEnvelope<LoadEvent>> {
        private final Counter counter;

        private Counting(Counter counter) {
            this.counter = counter;
        }

        @Override
        public CompletionStage<Done> process(EventEnvelope<LoadEvent> envelope) {
            counter.handled(1);
            return CompletableFuture.completedFuture(Done.getInstance());
        }
    }

    /** Passes on the failure of the stream. */
    private static final class Failures extends StatusObserver<EventEnvelope<LoadEvent>> {
        private final CompletableFuture<Done> failed;

        private Failures(CompletableFuture<Done> failed) {
            this.failed = failed;
        }

        @Override
        public void failed(ProjectionId projectionId, Throwable cause) {
            failed.completeExceptionally(cause);
        }

        @Override
        public void started(ProjectionId projectionId) {}

        @Override
        public void stopped(ProjectionId projectionId) {}

        @Override
        public void beforeProcess(ProjectionId projectionId, EventEnvelope<LoadEvent> envelope) {}

        @Override
        public void afterProcess(ProjectionId projectionId, EventEnvelope<LoadEvent> envelope) {}

        @Override
        public void offsetProgress(ProjectionId projectionId, EventEnvelope<LoadEvent> envelope) {}

        @Override
        public void error(
                ProjectionId projectionId,
                EventEnvelope<LoadEvent> envelope,
                Throwable cause,
                HandlerRecoveryStrategy recoveryStrategy) {}
    }
}
