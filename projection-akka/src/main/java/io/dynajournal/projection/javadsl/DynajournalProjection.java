package io.dynajournal.projection.javadsl;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.persistence.query.Offset;
import akka.projection.ProjectionContext;
import akka.projection.ProjectionId;
import akka.projection.internal.GroupedHandlerAdapter;
import akka.projection.internal.HandlerAdapter;
import akka.projection.javadsl.AtLeastOnceFlowProjection;
import akka.projection.javadsl.AtLeastOnceProjection;
import akka.projection.javadsl.ExactlyOnceProjection;
import akka.projection.javadsl.GroupedProjection;
import akka.projection.javadsl.Handler;
import akka.projection.javadsl.SourceProvider;
import akka.stream.javadsl.FlowWithContext;
import io.dynajournal.internal.projection.ItemsHandler;
import io.dynajournal.internal.projection.ProjectionSource;
import io.dynajournal.internal.projection.SlicesProjection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * Creates projections whose offsets are stored in DynamoDB, in the table of {@code dynajournal.projection}. The source
 * provider must be one by slices: the toolkit's {@code EventSourcedProvider.eventsBySlices} with the plugin id {@code
 * dynajournal.query}, or {@link DurableStateSourceProvider#changesBySlices}. The projection's name must be unique for the
 * source; its key does not matter for the offsets, so that slice ranges may change. Run the projection with the toolkit's
 * {@code ProjectionBehavior}, one instance for each range of slices.
 *
 * <p>Every event of an entity reaches the handler in the order of sequence numbers. {@code docs/projections.md} has examples,
 * guarantees and costs.
 */
public final class DynajournalProjection {

    private static final String SETTINGS = "dynajournal.projection";

    private DynajournalProjection() {}

    /**
     * Passes each envelope to the handler at least once. Offsets are stored for many envelopes together, by default after 100
     * of them or half a second; after a failure the envelopes since then are passed again.
     *
     * @param handler creates the handler of each run
     */
    public static <E> AtLeastOnceProjection<Offset, E> atLeastOnce(
            ProjectionId projectionId,
            SourceProvider<Offset, E> sourceProvider,
            Supplier<? extends Handler<E>> handler,
            ActorSystem<?> system) {
        return atLeastOnce(projectionId, SETTINGS, sourceProvider, handler, system);
    }

    /**
     * Like the method without {@code settingsPath}, with other settings.
     *
     * @param settingsPath the path of a copy of {@code dynajournal.projection}
     */
    public static <E> AtLeastOnceProjection<Offset, E> atLeastOnce(
            ProjectionId projectionId,
            String settingsPath,
            SourceProvider<Offset, E> sourceProvider,
            Supplier<? extends Handler<E>> handler,
            ActorSystem<?> system) {
        return basis(projectionId, settingsPath, sourceProvider).atLeastOnce(() -> HandlerAdapter.apply(handler.get()));
    }

    /**
     * The same as {@code atLeastOnce}; other projections of the toolkit have this name for handlers that return a stage.
     *
     * @param handler creates the handler of each run
     */
    public static <E> AtLeastOnceProjection<Offset, E> atLeastOnceAsync(
            ProjectionId projectionId,
            SourceProvider<Offset, E> sourceProvider,
            Supplier<? extends Handler<E>> handler,
            ActorSystem<?> system) {
        return atLeastOnceAsync(projectionId, SETTINGS, sourceProvider, handler, system);
    }

    /**
     * Like the method without {@code settingsPath}, with other settings.
     *
     * @param settingsPath the path of a copy of {@code dynajournal.projection}
     */
    public static <E> AtLeastOnceProjection<Offset, E> atLeastOnceAsync(
            ProjectionId projectionId,
            String settingsPath,
            SourceProvider<Offset, E> sourceProvider,
            Supplier<? extends Handler<E>> handler,
            ActorSystem<?> system) {
        return atLeastOnce(projectionId, settingsPath, sourceProvider, handler, system);
    }

    /**
     * Passes groups of envelopes to the handler, by default up to 20 of them or those of half a second, at least once. The
     * offsets are stored after each group.
     *
     * @param handler creates the handler of each run
     */
    public static <E> GroupedProjection<Offset, E> atLeastOnceGroupedWithin(
            ProjectionId projectionId,
            SourceProvider<Offset, E> sourceProvider,
            Supplier<? extends Handler<List<E>>> handler,
            ActorSystem<?> system) {
        return atLeastOnceGroupedWithin(projectionId, SETTINGS, sourceProvider, handler, system);
    }

    /**
     * Like the method without {@code settingsPath}, with other settings.
     *
     * @param settingsPath the path of a copy of {@code dynajournal.projection}
     */
    public static <E> GroupedProjection<Offset, E> atLeastOnceGroupedWithin(
            ProjectionId projectionId,
            String settingsPath,
            SourceProvider<Offset, E> sourceProvider,
            Supplier<? extends Handler<List<E>>> handler,
            ActorSystem<?> system) {
        return basis(projectionId, settingsPath, sourceProvider)
                .atLeastOnceGrouped(() -> new GroupedHandlerAdapter<>(handler.get()));
    }

    /**
     * Passes the envelopes through a flow, at least once. The flow must emit one element for each envelope, in their order;
     * offsets are stored for those that were emitted.
     *
     * @param handler the flow of all runs
     */
    public static <E> AtLeastOnceFlowProjection<Offset, E> atLeastOnceFlow(
            ProjectionId projectionId,
            SourceProvider<Offset, E> sourceProvider,
            FlowWithContext<E, ProjectionContext, Done, ProjectionContext, ?> handler,
            ActorSystem<?> system) {
        return atLeastOnceFlow(projectionId, SETTINGS, sourceProvider, handler, system);
    }

    /**
     * Like the method without {@code settingsPath}, with other settings.
     *
     * @param settingsPath the path of a copy of {@code dynajournal.projection}
     */
    public static <E> AtLeastOnceFlowProjection<Offset, E> atLeastOnceFlow(
            ProjectionId projectionId,
            String settingsPath,
            SourceProvider<Offset, E> sourceProvider,
            FlowWithContext<E, ProjectionContext, Done, ProjectionContext, ?> handler,
            ActorSystem<?> system) {
        return basis(projectionId, settingsPath, sourceProvider).atLeastOnceFlow(handler.asScala());
    }

    /**
     * Writes the items that the handler returns for an envelope and its offset in one transaction, so that each event takes
     * effect exactly once, even if two instances of the projection run. The instance that finds the offset of another one
     * fails with {@link io.dynajournal.exception.StoreException.OffsetConflict} and is restarted from the stored offsets.
     *
     * @param handler creates the handler of each run
     */
    public static <E> ExactlyOnceProjection<Offset, E> exactlyOnce(
            ProjectionId projectionId,
            SourceProvider<Offset, E> sourceProvider,
            Supplier<? extends DynajournalTransactHandler<E>> handler,
            ActorSystem<?> system) {
        return exactlyOnce(projectionId, SETTINGS, sourceProvider, handler, system);
    }

    /**
     * Like the method without {@code settingsPath}, with other settings.
     *
     * @param settingsPath the path of a copy of {@code dynajournal.projection}
     */
    public static <E> ExactlyOnceProjection<Offset, E> exactlyOnce(
            ProjectionId projectionId,
            String settingsPath,
            SourceProvider<Offset, E> sourceProvider,
            Supplier<? extends DynajournalTransactHandler<E>> handler,
            ActorSystem<?> system) {
        return basis(projectionId, settingsPath, sourceProvider)
                .exactlyOnce(() -> items(handler.get(), Function.identity()));
    }

    /**
     * Like {@code exactlyOnce}, for groups of envelopes: one transaction for the items and the offsets of a group, with at
     * most 100 items in all. A group, by default of 20 envelopes, takes one item for each of its entities.
     *
     * @param handler creates the handler of each run
     */
    public static <E> GroupedProjection<Offset, E> exactlyOnceGroupedWithin(
            ProjectionId projectionId,
            SourceProvider<Offset, E> sourceProvider,
            Supplier<? extends DynajournalTransactHandler<List<E>>> handler,
            ActorSystem<?> system) {
        return exactlyOnceGroupedWithin(projectionId, SETTINGS, sourceProvider, handler, system);
    }

    /**
     * Like the method without {@code settingsPath}, with other settings.
     *
     * @param settingsPath the path of a copy of {@code dynajournal.projection}
     */
    public static <E> GroupedProjection<Offset, E> exactlyOnceGroupedWithin(
            ProjectionId projectionId,
            String settingsPath,
            SourceProvider<Offset, E> sourceProvider,
            Supplier<? extends DynajournalTransactHandler<List<E>>> handler,
            ActorSystem<?> system) {
        return basis(projectionId, settingsPath, sourceProvider)
                .exactlyOnceGrouped(() -> items(handler.get(), DynajournalProjection::list));
    }

    private static <E> SlicesProjection.Basis<E> basis(
            ProjectionId projectionId, String settingsPath, SourceProvider<Offset, E> sourceProvider) {
        return new SlicesProjection.Basis<>(projectionId, settingsPath, ProjectionSource.of(sourceProvider));
    }

    private static <E> List<E> list(Seq<E> group) {
        return List.copyOf(CollectionConverters.asJava(group));
    }

    private static <S, T> ItemsHandler<S> items(DynajournalTransactHandler<T> handler, Function<S, T> converted) {
        return new ItemsHandler<>() {
            @Override
            public CompletionStage<List<TransactWriteItem>> process(S envelopes) throws Exception {
                return handler.process(converted.apply(envelopes)).thenApply(List::copyOf);
            }

            @Override
            public CompletionStage<Done> start() {
                return handler.start();
            }

            @Override
            public CompletionStage<Done> stop() {
                return handler.stop();
            }
        };
    }
}
