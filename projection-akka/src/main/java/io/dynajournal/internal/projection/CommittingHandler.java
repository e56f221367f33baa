package io.dynajournal.internal.projection;

import akka.Done;
import akka.projection.scaladsl.Handler;
import io.dynajournal.internal.toolkit.ScalaFutures;
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
    private @Nullable OffsetStore store;

    CommittingHandler(ItemsHandler<T> users, Supplier<OffsetStore> currentStore, Delivered<T> delivered) {
        this.users = users;
        this.currentStore = currentStore;
        this.delivered = delivered;
    }

    @Override
    public Future<Done> process(T envelopes) {
        try {
            Optional<T> unfiltered = delivered.unfiltered(envelopes);
            CompletionStage<List<TransactWriteItem>> items = unfiltered.isPresent()
                    ? users.process(unfiltered.get())
                    : CompletableFuture.completedFuture(List.of());
            return ScalaFutures.asScala(
                    items.thenCompose(all -> Objects.requireNonNull(store).commit(all, delivered.positions(envelopes)))
                            .thenApply(done -> Done.getInstance()));
        } catch (Exception e) {
            return ScalaFutures.asScala(CompletableFuture.failedFuture(e));
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
