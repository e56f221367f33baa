package io.dynajournal.internal.projection;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.persistence.query.Offset;
import akka.projection.HandlerRecoveryStrategy;
import akka.projection.ProjectionContext;
import akka.projection.ProjectionId;
import akka.projection.RunningProjection;
import akka.projection.StatusObserver;
import akka.projection.internal.ActorHandlerInit;
import akka.projection.internal.AtLeastOnce;
import akka.projection.internal.ExactlyOnce;
import akka.projection.internal.FlowHandlerStrategy;
import akka.projection.internal.GroupedHandlerStrategy;
import akka.projection.internal.HandlerStrategy;
import akka.projection.internal.InternalProjection;
import akka.projection.internal.NoopStatusObserver;
import akka.projection.internal.OffsetStrategy;
import akka.projection.internal.ProjectionSettings;
import akka.projection.internal.SingleHandlerStrategy;
import akka.projection.javadsl.AtLeastOnceFlowProjection;
import akka.projection.javadsl.AtLeastOnceProjection;
import akka.projection.javadsl.ExactlyOnceProjection;
import akka.projection.javadsl.GroupedProjection;
import akka.projection.scaladsl.Handler;
import akka.stream.RestartSettings;
import akka.stream.scaladsl.FlowWithContext;
import akka.stream.scaladsl.Source;
import io.dynajournal.internal.plugin.OpenPlugins;
import io.dynajournal.internal.projections.OffsetTable;
import io.dynajournal.internal.settings.ProjectionConfig;
import io.dynajournal.internal.toolkit.EventTraces;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.concurrent.Future;
import scala.concurrent.duration.FiniteDuration;
import scala.jdk.javaapi.DurationConverters;

/**
 * A projection over slices whose offsets are in DynamoDB, for Java and Scala. The factories return it as one of the toolkit's
 * interfaces. Immutable.
 */
public final class SlicesProjection<E>
        implements AtLeastOnceProjection<Offset, E>,
                ExactlyOnceProjection<Offset, E>,
                GroupedProjection<Offset, E>,
                AtLeastOnceFlowProjection<Offset, E>,
                akka.projection.scaladsl.AtLeastOnceProjection<Offset, E>,
                akka.projection.scaladsl.ExactlyOnceProjection<Offset, E>,
                akka.projection.scaladsl.GroupedProjection<Offset, E>,
                akka.projection.scaladsl.AtLeastOnceFlowProjection<Offset, E>,
                InternalProjection {

    private final ProjectionRun.Parts<E> parts;
    private final String configPath;
    private final @Nullable RestartSettings restarts;

    /** The run that new handlers belong to; the same in all copies, because the factories of handlers use it. */
    private final AtomicReference<@Nullable ProjectionRun<E>> current;

    private SlicesProjection(
            ProjectionRun.Parts<E> parts,
            String configPath,
            @Nullable RestartSettings restarts,
            AtomicReference<@Nullable ProjectionRun<E>> current) {
        this.parts = parts;
        this.configPath = configPath;
        this.restarts = restarts;
        this.current = current;
    }

    /** What all kinds of projections need. */
    public record Basis<E>(ProjectionId id, String configPath, ProjectionSource<E> source) {

        /** Each envelope at least once. */
        public SlicesProjection<E> atLeastOnce(Supplier<Handler<E>> handler) {
            AtomicReference<@Nullable ProjectionRun<E>> run = new AtomicReference<>();
            return of(
                    atLeastOnceOffsets(),
                    new SingleHandlerStrategy<>(() -> EnvelopeHandler.of(handler.get(), () -> traces(run))),
                    false,
                    run);
        }

        /** Each envelope at least once, through a flow. */
        public SlicesProjection<E> atLeastOnceFlow(
                FlowWithContext<E, ProjectionContext, Done, ProjectionContext, ?> flow) {
            return of(atLeastOnceOffsets(), new FlowHandlerStrategy<>(flow), false, new AtomicReference<>());
        }

        /** Groups of envelopes, at least once. */
        public SlicesProjection<E> atLeastOnceGrouped(Supplier<Handler<Seq<E>>> handler) {
            AtomicReference<@Nullable ProjectionRun<E>> run = new AtomicReference<>();
            return of(
                    new ExactlyOnce(Option.empty()),
                    grouped(() ->
                            new SavingHandler<>(handler.get(), () -> store(run), Delivered.group(), () -> traces(run))),
                    false,
                    run);
        }

        /** Each envelope with its offset in one transaction. */
        public SlicesProjection<E> exactlyOnce(Supplier<ItemsHandler<E>> handler) {
            AtomicReference<@Nullable ProjectionRun<E>> run = new AtomicReference<>();
            return of(
                    new ExactlyOnce(Option.empty()),
                    new SingleHandlerStrategy<>(() -> new CommittingHandler<>(
                            handler.get(), () -> store(run), Delivered.one(), () -> traces(run))),
                    true,
                    run);
        }

        /** Groups of envelopes with their offsets in one transaction. */
        public SlicesProjection<E> exactlyOnceGrouped(Supplier<ItemsHandler<Seq<E>>> handler) {
            AtomicReference<@Nullable ProjectionRun<E>> run = new AtomicReference<>();
            return of(
                    new ExactlyOnce(Option.empty()),
                    grouped(() -> new CommittingHandler<>(
                            handler.get(), () -> store(run), Delivered.group(), () -> traces(run))),
                    true,
                    run);
        }

        private SlicesProjection<E> of(
                OffsetStrategy offsets,
                HandlerStrategy handlers,
                boolean exactlyOnce,
                AtomicReference<@Nullable ProjectionRun<E>> run) {
            return new SlicesProjection<>(
                    new ProjectionRun.Parts<>(
                            id, source, offsets, handlers, NoopStatusObserver.getInstance(), exactlyOnce),
                    configPath,
                    null,
                    run);
        }

        private static AtLeastOnce atLeastOnceOffsets() {
            return new AtLeastOnce(Option.empty(), Option.empty(), Option.empty());
        }

        private static <E> GroupedHandlerStrategy<E> grouped(Supplier<Handler<Seq<E>>> handler) {
            return new GroupedHandlerStrategy<>(handler::get, Option.empty(), Option.empty());
        }

        private static <E> EventTraces traces(AtomicReference<@Nullable ProjectionRun<E>> current) {
            return Objects.requireNonNull(current.get()).traces();
        }

        private static <E> OffsetStore store(AtomicReference<@Nullable ProjectionRun<E>> current) {
            return Objects.requireNonNull(current.get()).store();
        }
    }

    private SlicesProjection<E> with(OffsetStrategy offsets, HandlerStrategy handlers, StatusObserver<E> observer) {
        return new SlicesProjection<>(
                new ProjectionRun.Parts<>(parts.id(), parts.source(), offsets, handlers, observer, parts.exactlyOnce()),
                configPath,
                restarts,
                current);
    }

    @Override
    public ProjectionId projectionId() {
        return parts.id();
    }

    @Override
    public StatusObserver<E> statusObserver() {
        return parts.observer();
    }

    @Override
    public OffsetStrategy offsetStrategy() {
        return parts.offsets();
    }

    @Override
    public <T> Option<ActorHandlerInit<T>> actorHandlerInit() {
        return parts.handlers().actorHandlerInit();
    }

    @Override
    public SlicesProjection<E> withStatusObserver(StatusObserver<E> observer) {
        return with(parts.offsets(), parts.handlers(), observer);
    }

    @Override
    public SlicesProjection<E> withRecoveryStrategy(HandlerRecoveryStrategy strategy) {
        Option<HandlerRecoveryStrategy> recovery = Option.apply(strategy);
        OffsetStrategy offsets = parts.offsets() instanceof AtLeastOnce save
                ? new AtLeastOnce(save.afterEnvelopes(), save.orAfterDuration(), recovery)
                : new ExactlyOnce(recovery);
        return with(offsets, parts.handlers(), parts.observer());
    }

    @Override
    public SlicesProjection<E> withSaveOffset(int afterEnvelopes, Duration afterDuration) {
        return withSaveOffset(afterEnvelopes, DurationConverters.toScala(afterDuration));
    }

    @Override
    public SlicesProjection<E> withSaveOffset(int afterEnvelopes, FiniteDuration afterDuration) {
        if (!(parts.offsets() instanceof AtLeastOnce save)) {
            throw new IllegalStateException("The offset is stored with each group or envelope");
        }
        return with(
                new AtLeastOnce(Option.apply(afterEnvelopes), Option.apply(afterDuration), save.recoveryStrategy()),
                parts.handlers(),
                parts.observer());
    }

    @Override
    public SlicesProjection<E> withGroup(int groupAfterEnvelopes, Duration groupAfterDuration) {
        return withGroup(groupAfterEnvelopes, DurationConverters.toScala(groupAfterDuration));
    }

    @Override
    @SuppressWarnings("unchecked") // the handlers of this projection
    public SlicesProjection<E> withGroup(int groupAfterEnvelopes, FiniteDuration groupAfterDuration) {
        if (!(parts.handlers() instanceof GroupedHandlerStrategy<?> grouped)) {
            throw new IllegalStateException("This projection is not grouped");
        }
        return with(
                parts.offsets(),
                new GroupedHandlerStrategy<>(
                        ((GroupedHandlerStrategy<E>) grouped).handlerFactory(),
                        Option.apply(groupAfterEnvelopes),
                        Option.apply(groupAfterDuration)),
                parts.observer());
    }

    @Override
    public SlicesProjection<E> withRestartBackoff(Duration minBackoff, Duration maxBackoff, double randomFactor) {
        return withRestarts(RestartSettings.create(minBackoff, maxBackoff, randomFactor));
    }

    @Override
    public SlicesProjection<E> withRestartBackoff(
            Duration minBackoff, Duration maxBackoff, double randomFactor, int maxRestarts) {
        return withRestarts(
                RestartSettings.create(minBackoff, maxBackoff, randomFactor).withMaxRestarts(maxRestarts, minBackoff));
    }

    @Override
    public SlicesProjection<E> withRestartBackoff(
            FiniteDuration minBackoff, FiniteDuration maxBackoff, double randomFactor) {
        return withRestarts(RestartSettings.apply(minBackoff, maxBackoff, randomFactor));
    }

    @Override
    public SlicesProjection<E> withRestartBackoff(
            FiniteDuration minBackoff, FiniteDuration maxBackoff, double randomFactor, int maxRestarts) {
        return withRestarts(
                RestartSettings.apply(minBackoff, maxBackoff, randomFactor).withMaxRestarts(maxRestarts, minBackoff));
    }

    private SlicesProjection<E> withRestarts(RestartSettings settings) {
        return new SlicesProjection<>(parts, configPath, settings, current);
    }

    private ProjectionSettings settings(ActorSystem<?> system) {
        ProjectionSettings configured = ProjectionSettings.apply(system);
        return restarts == null
                ? configured
                : new ProjectionSettings(
                        restarts,
                        configured.saveOffsetAfterEnvelopes(),
                        configured.saveOffsetAfterDuration(),
                        configured.groupAfterEnvelopes(),
                        configured.groupAfterDuration(),
                        configured.recoveryStrategy());
    }

    /** For the toolkit's test kit: one run without restarts. */
    @Override
    public Source<Done, Future<Done>> mappedSource(ActorSystem<?> system) {
        return newRun(system, status(system)).mappedSource();
    }

    @Override
    public RunningProjection run(ActorSystem<?> system) {
        ProjectionStatus status = status(system);
        return new RunningSlicesProjection<>(
                system,
                settings(system),
                status,
                () -> newRun(system, status),
                () -> opened(
                        system,
                        (table, config) -> OffsetStore.open(
                                table, parts.id().name(), parts.source().slices(), config, System::nanoTime)),
                paused -> opened(
                        system, (table, config) -> table.pause(parts.source().slices(), paused)),
                new RunningAudit(status, parts.source().slices(), System::nanoTime, audit -> opened(system, audit)));
    }

    private ProjectionStatus status(ActorSystem<?> system) {
        return new ProjectionStatus(
                OpenPlugins.get(system).projectionListener(),
                OpenPlugins.get(system).latestProgress(),
                parts.id(),
                parts.source().slices(),
                System::nanoTime);
    }

    private ProjectionRun<E> newRun(ActorSystem<?> system, ProjectionStatus status) {
        ProjectionRun<E> run = ProjectionRun.of(
                parts, system, settings(system), opening -> open(system, opening::flushFailed), status);
        current.set(run);
        return run;
    }

    private CompletionStage<OffsetStore> open(ActorSystem<?> system, Consumer<Throwable> flushFailures) {
        return opened(
                system,
                (table, config) -> OffsetStore.openToRun(
                        table, parts.id().name(), parts.source().slices(), config, System::nanoTime, flushFailures));
    }

    private <R> CompletionStage<R> opened(
            ActorSystem<?> system, BiFunction<OffsetTable, ProjectionConfig, CompletionStage<R>> use) {
        OpenPlugins plugins = OpenPlugins.get(system);
        String name = parts.id().name();
        return plugins.offsets(configPath).use(dynamo -> {
            ProjectionConfig config = plugins.projection(configPath, name);
            return use.apply(new OffsetTable(dynamo, config.table().name(), name, config.timeToLive()), config);
        });
    }
}
