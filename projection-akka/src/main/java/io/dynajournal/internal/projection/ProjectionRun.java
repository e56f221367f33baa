package io.dynajournal.internal.projection;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.event.Logging;
import akka.event.LoggingAdapter;
import akka.persistence.query.Offset;
import akka.persistence.query.TimestampOffset;
import akka.projection.ProjectionId;
import akka.projection.RunningProjection;
import akka.projection.StatusObserver;
import akka.projection.internal.HandlerStrategy;
import akka.projection.internal.InternalProjectionState;
import akka.projection.internal.OffsetStrategy;
import akka.projection.internal.ProjectionContextImpl;
import akka.projection.internal.ProjectionSettings;
import io.dynajournal.internal.plugin.OpenPlugins;
import io.dynajournal.internal.projections.Position;
import io.dynajournal.internal.toolkit.EventTraces;
import io.dynajournal.internal.toolkit.ScalaFutures;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.concurrent.ExecutionContext;
import scala.concurrent.Future;
import scala.jdk.javaapi.CollectionConverters;

/** One run of a projection's stream; a restart is another run with another store. The toolkit calls the handlers. */
final class ProjectionRun<E> extends InternalProjectionState<Offset, E> {

    /** The parts of a projection that are the same in all its runs. */
    record Parts<E>(
            ProjectionId id,
            ProjectionSource<E> source,
            OffsetStrategy offsets,
            HandlerStrategy handlers,
            StatusObserver<E> observer,
            boolean exactlyOnce) {}

    private final Parts<E> parts;
    private final ActorSystem<?> system;
    private final LoggingAdapter log;
    private final Function<ProjectionRun<E>, CompletionStage<OffsetStore>> open;
    private final ProjectionStatus status;
    private final AtomicReference<@Nullable OffsetStore> store;

    private ProjectionRun(
            Parts<E> parts,
            ActorSystem<?> system,
            ProjectionSettings settings,
            Function<ProjectionRun<E>, CompletionStage<OffsetStore>> open,
            ProjectionStatus status,
            AtomicReference<@Nullable OffsetStore> store) {
        super(
                parts.id(),
                new OrderedSourceProvider<>(
                        parts.source().provider(), parts.source().envelopes(), status, () -> opened(store)),
                parts.offsets(),
                parts.handlers(),
                new ReportingObserver<>(parts.observer(), status),
                settings);
        this.parts = parts;
        this.system = system;
        this.log = Logging.getLogger(system.classicSystem(), ProjectionRun.class);
        this.open = open;
        this.status = status;
        this.store = store;
    }

    static <E> ProjectionRun<E> of(
            Parts<E> parts,
            ActorSystem<?> system,
            ProjectionSettings settings,
            Function<ProjectionRun<E>, CompletionStage<OffsetStore>> open,
            ProjectionStatus status) {
        return new ProjectionRun<>(parts, system, settings, open, status, new AtomicReference<>());
    }

    private static OffsetStore opened(AtomicReference<@Nullable OffsetStore> store) {
        OffsetStore opened = store.get();
        if (opened == null) {
            throw new IllegalStateException("The offsets of the projection were not read yet");
        }
        return opened;
    }

    /** The store of this run, once the toolkit has read the offset. */
    OffsetStore store() {
        return opened(store);
    }

    /** The trace contexts of the actor system. */
    EventTraces traces() {
        return OpenPlugins.get(system).traces();
    }

    @Nullable
    OffsetStore storeIfOpen() {
        return store.get();
    }

    void flushFailed(Throwable failure) {
        log.warning(
                "Projection {}: the offsets of slices were not stored. {}",
                parts.id().id(),
                failure.getMessage());
    }

    /** Ends the stream, so that the toolkit starts another run. */
    void restart(Throwable reason) {
        killSwitch().abort(reason);
    }

    /** Lets the stream finish what it has begun, and ends retries. */
    void shutdown() {
        killSwitch().shutdown();
        abort().tryFailure(RunningProjection.AbortProjectionException$.MODULE$);
    }

    @Override
    public LoggingAdapter logger() {
        return log;
    }

    @Override
    public ActorSystem<?> system() {
        return system;
    }

    @Override
    public ExecutionContext executionContext() {
        return system.executionContext();
    }

    /** Reads all offsets, which tell whether the projection is paused, too. */
    @Override
    public Future<Object> readPaused() {
        return ScalaFutures.asScala(open.apply(this).thenApply(opened -> {
            store.set(opened);
            opened.reportTo(status);
            return (Object) opened.isPaused();
        }));
    }

    @Override
    public Future<Option<Offset>> readOffsets() {
        return ScalaFutures.asScala(store().start()
                .thenApply(micros -> Option.apply(micros == 0 ? null : offset(micros, Map.of()))));
    }

    static Offset offset(long micros, Map<String, Long> seen) {
        Map<String, Object> boxed = Map.copyOf(seen);
        return TimestampOffset.apply(
                EnvelopeSource.instant(micros),
                Instant.now(),
                scala.collection.immutable.Map.from(CollectionConverters.asScala(boxed)));
    }

    /** Not called: an offset alone does not name the entity. */
    @Override
    public Future<Done> saveOffset(ProjectionId projectionId, Offset offset) {
        return ScalaFutures.asScala(CompletableFuture.failedFuture(
                new UnsupportedOperationException("Offsets are stored with the envelopes they belong to")));
    }

    @Override
    public Future<Done> saveOffsetAndReport(
            ProjectionId projectionId, ProjectionContextImpl<Offset, E> context, int batchSize) {
        return saved(List.of(context), batchSize);
    }

    @Override
    public Future<Done> saveOffsetsAndReport(ProjectionId projectionId, Seq<ProjectionContextImpl<Offset, E>> batch) {
        List<ProjectionContextImpl<Offset, E>> contexts = CollectionConverters.asJava(batch);
        return saved(
                contexts,
                contexts.stream().mapToInt(ProjectionContextImpl::groupSize).sum());
    }

    private Future<Done> saved(List<ProjectionContextImpl<Offset, E>> contexts, int envelopes) {
        List<Position> positions = contexts.stream()
                .map(context -> EnvelopeSource.position(context.envelope()))
                .toList();
        // With exactly-once only skipped envelopes come here. Their offsets must not overwrite those of another
        // instance.
        CompletionStage<Void> saving =
                parts.exactlyOnce() ? store().commit(List.of(), positions) : store().save(positions);
        return ScalaFutures.asScala(saving.thenApply(done -> {
            report(contexts.get(contexts.size() - 1).envelope(), envelopes);
            return Done.getInstance();
        }));
    }

    private void report(E last, int envelopes) {
        try {
            parts.observer().offsetProgress(parts.id(), last);
        } catch (RuntimeException e) {
            log.warning(
                    "Projection {}: the status observer has thrown {}",
                    parts.id().id(),
                    e);
        }
        getTelemetry().onOffsetStored(envelopes);
    }
}
