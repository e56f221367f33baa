package io.dynajournal.internal.projection;

import akka.Done;
import akka.projection.scaladsl.Handler;
import io.dynajournal.internal.toolkit.EventTraces;
import io.dynajournal.internal.toolkit.ScalaFutures;
import io.dynajournal.listener.TraceContexts;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import scala.concurrent.Future;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** Stores what the user's handler returns together with the offset. */
final class CommittingHandler<T> implements Handler<T> {

    private final ItemsHandler<T> users;
    private final Supplier<OffsetStore> currentStore;
    private final Delivered<T> delivered;
    private final Supplier<EventTraces> traces;
    private @Nullable OffsetStore store;

    CommittingHandler(
            ItemsHandler<T> users,
            Supplier<OffsetStore> currentStore,
            Delivered<T> delivered,
            Supplier<EventTraces> traces) {
        this.users = users;
        this.currentStore = currentStore;
        this.delivered = delivered;
        this.traces = traces;
    }

    @Override
    public Future<Done> process(T envelopes) {
        try {
            Optional<T> unfiltered = delivered.unfiltered(envelopes);
            CompletionStage<List<TransactWriteItem>> items =
                    unfiltered.isPresent() ? items(unfiltered.get()) : CompletableFuture.completedFuture(List.of());
            return ScalaFutures.asScala(
                    items.thenCompose(all -> Objects.requireNonNull(store).commit(all, delivered.positions(envelopes)))
                            .thenApply(done -> Done.getInstance()));
        } catch (Exception e) {
            return ScalaFutures.asScala(CompletableFuture.failedFuture(e));
        }
    }

    @SuppressWarnings("try") // the scope is only closed
    private CompletionStage<List<TransactWriteItem>> items(T envelopes) throws Exception {
        try (TraceContexts.Scope restored = traces.get().restore(delivered.metadata(envelopes))) {
            return users.process(envelopes);
        }
    }

    /** Each run starts a handler of its own, after its store was opened. */
    @Override
    public Future<Done> start() {
        store = currentStore.get();
        return ScalaFutures.asScala(users.start());
    }

    @Override
    public Future<Done> stop() {
        return ScalaFutures.asScala(users.stop());
    }
}
