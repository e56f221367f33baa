package io.dynajournal.internal.projection;

import akka.Done;
import akka.projection.scaladsl.Handler;
import io.dynajournal.internal.toolkit.ScalaFutures;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import scala.concurrent.Future;

/** Stores what the user's handler returns together with the offset. */
final class CommittingHandler<T> implements Handler<T> {

    private final ItemsHandler<T> users;
    private final Supplier<OffsetStore> currentStore;
    private final Function<T, List<Position>> positions;
    private @Nullable OffsetStore store;

    CommittingHandler(
            ItemsHandler<T> users, Supplier<OffsetStore> currentStore, Function<T, List<Position>> positions) {
        this.users = users;
        this.currentStore = currentStore;
        this.positions = positions;
    }

    @Override
    public Future<Done> process(T envelopes) {
        try {
            return ScalaFutures.asScala(users.process(envelopes)
                    .thenCompose(items -> Objects.requireNonNull(store).commit(items, positions.apply(envelopes)))
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
