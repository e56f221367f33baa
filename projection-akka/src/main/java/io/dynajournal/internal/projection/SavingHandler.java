package io.dynajournal.internal.projection;

import akka.Done;
import akka.projection.scaladsl.Handler;
import io.dynajournal.internal.toolkit.EventTraces;
import io.dynajournal.internal.toolkit.ScalaFutures;
import io.dynajournal.listener.TraceContexts;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import scala.concurrent.Future;
import scala.jdk.javaapi.FutureConverters;

/** Stores the offsets of a group after the user's handler. The toolkit itself would store only that of the last envelope. */
final class SavingHandler<T> implements Handler<T> {

    private final Handler<T> users;
    private final Supplier<OffsetStore> currentStore;
    private final Delivered<T> delivered;
    private final Supplier<EventTraces> traces;
    private @Nullable OffsetStore store;

    SavingHandler(
            Handler<T> users,
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
        Future<Done> handled = delivered
                .unfiltered(envelopes)
                .map(this::handled)
                .orElseGet(() -> Future.successful(Done.getInstance()));
        return ScalaFutures.asScala(FutureConverters.asJava(handled)
                .thenCompose(done -> Objects.requireNonNull(store)
                        .save(delivered.positions(envelopes))
                        .thenApply(saved -> done)));
    }

    @SuppressWarnings("try") // the scope is only closed
    private Future<Done> handled(T envelopes) {
        try (TraceContexts.Scope restored = traces.get().restore(delivered.metadata(envelopes))) {
            return users.process(envelopes);
        }
    }

    /** Each run starts a handler of its own, after its store was opened. */
    @Override
    public Future<Done> start() {
        store = currentStore.get();
        return users.start();
    }

    @Override
    public Future<Done> stop() {
        return users.stop();
    }
}
