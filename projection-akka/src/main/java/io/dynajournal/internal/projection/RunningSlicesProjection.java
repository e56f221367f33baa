package io.dynajournal.internal.projection;

import akka.Done;
import akka.actor.Cancellable;
import akka.actor.typed.ActorSystem;
import akka.persistence.query.Offset;
import akka.persistence.query.TimestampOffset;
import akka.projection.RunningProjection;
import akka.projection.RunningProjectionManagement;
import akka.projection.internal.ManagementState;
import akka.projection.internal.ProjectionSettings;
import akka.stream.Materializer;
import akka.stream.scaladsl.Source;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.toolkit.ScalaFutures;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.concurrent.Future;
import scala.jdk.javaapi.FutureConverters;

/** A projection that runs, with restarts, and its management. */
final class RunningSlicesProjection<E> implements RunningProjection, RunningProjectionManagement<Offset> {

    private static final Logger log = LoggerFactory.getLogger(RunningSlicesProjection.class);

    private final Supplier<ProjectionRun<E>> newRun;
    private final Supplier<CompletionStage<OffsetStore>> freshStore;
    private final Function<Boolean, CompletionStage<Void>> pause;
    private final CompletionStage<Done> ended;
    // The rest is guarded by this.
    private boolean isStopped;
    private @Nullable ProjectionRun<E> current;

    /**
     * Starts it.
     *
     * @param freshStore for the management, whether or not the stream runs
     */
    RunningSlicesProjection(
            ActorSystem<?> system,
            ProjectionSettings settings,
            ProjectionStatus status,
            Supplier<ProjectionRun<E>> newRun,
            Supplier<CompletionStage<OffsetStore>> freshStore,
            Function<Boolean, CompletionStage<Void>> pause,
            RunningAudit audit) {
        this.newRun = newRun;
        this.freshStore = freshStore;
        this.pause = pause;
        this.ended = FutureConverters.asJava(
                RunningProjection.withBackoff(this::next, settings).run(Materializer.matFromSystem(system)));
        Cancellable looks = system.scheduler()
                .scheduleAtFixedRate(
                        ProjectionStatus.INTERVAL, ProjectionStatus.INTERVAL, this::look, system.executionContext());
        ended.whenComplete((done, failure) -> looks.cancel());
        Cancellable reports = system.scheduler()
                .scheduleAtFixedRate(
                        ProjectionStatus.INTERVAL,
                        ProjectionStatus.INTERVAL,
                        () -> {
                            status.report();
                            audit.look();
                        },
                        system.executionContext());
        ended.whenComplete((done, failure) -> {
            reports.cancel();
            status.ended(failure != null && !isStopped());
        });
    }

    /** A restart that was due when the projection was stopped does not take place. */
    private synchronized Source<Done, ?> next() {
        if (isStopped) {
            return Source.empty();
        }
        ProjectionRun<E> run = newRun.get();
        current = run;
        return run.mappedSource();
    }

    /** Starts again if a tool has changed the offsets. */
    private void look() {
        ProjectionRun<E> run = current();
        OffsetStore store = run == null ? null : run.storeIfOpen();
        if (run != null && store != null) {
            store.isChangedByTool().whenComplete((changed, failure) -> {
                if (failure != null) {
                    log.warn("It could not be read whether the offsets of a projection were changed", failure);
                } else if (changed) {
                    run.restart(new StoreException.OffsetConflict(
                            "The offsets were changed, or the projection was paused or"
                                    + " resumed, by a tool. The toolkit starts the projection again."));
                }
            });
        }
    }

    private synchronized boolean isStopped() {
        return isStopped;
    }

    private synchronized @Nullable ProjectionRun<E> current() {
        return current;
    }

    /** Stops after the envelopes in flight, then stores the offsets of slices. */
    @Override
    public Future<Done> stop() {
        ProjectionRun<E> run;
        synchronized (this) {
            isStopped = true;
            run = current;
        }
        if (run == null) {
            return ScalaFutures.asScala(ended);
        }
        run.shutdown();
        return ScalaFutures.asScala(ended.handle((done, failure) -> run.storeIfOpen())
                .thenCompose(
                        store -> store == null ? CompletableFuture.<@Nullable Void>completedFuture(null) : store.stop())
                .thenCompose(flushed -> ended));
    }

    @Override
    public Future<Option<Offset>> getOffset() {
        ProjectionRun<E> run = current();
        OffsetStore open = run == null ? null : run.storeIfOpen();
        CompletionStage<OffsetStore> store = open == null ? freshStore.get() : CompletableFuture.completedFuture(open);
        return ScalaFutures.asScala(store.thenApply(OffsetStore::newest)
                .thenApply(newest -> newest == null
                        ? Option.empty()
                        : Option.apply(ProjectionRun.offset(newest.micros(), newest.seen()))));
    }

    /** The toolkit has stopped the stream before. */
    @Override
    public Future<Done> setOffset(Option<Offset> offset) {
        long micros;
        Map<String, Long> seen;
        try {
            micros = offset.isEmpty() ? 0 : EnvelopeSource.micros(TimestampOffset.toTimestampOffset(offset.get()));
            seen = offset.isEmpty()
                    ? Map.of()
                    : TimestampOffset.toTimestampOffset(offset.get()).getSeen();
        } catch (RuntimeException e) {
            return ScalaFutures.asScala(CompletableFuture.failedFuture(e));
        }
        return ScalaFutures.asScala(
                freshStore.get().thenCompose(store -> store.set(micros, seen)).thenApply(done -> Done.getInstance()));
    }

    @Override
    public Future<Option<ManagementState>> getManagementState() {
        return ScalaFutures.asScala(
                freshStore.get().thenApply(store -> Option.apply(new ManagementState(store.isPaused()))));
    }

    @Override
    public Future<Done> setPaused(boolean paused) {
        return ScalaFutures.asScala(pause.apply(paused).thenApply(done -> Done.getInstance()));
    }
}
