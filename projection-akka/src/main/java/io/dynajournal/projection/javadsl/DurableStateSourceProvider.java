package io.dynajournal.projection.javadsl;

import akka.NotUsed;
import akka.actor.typed.ActorSystem;
import akka.persistence.query.DurableStateChange;
import akka.persistence.query.NoOffset;
import akka.persistence.query.Offset;
import akka.persistence.query.UpdatedDurableState;
import akka.persistence.query.typed.javadsl.DurableStateStoreBySliceQuery;
import akka.persistence.state.DurableStateStoreRegistry;
import akka.projection.BySlicesSourceProvider;
import akka.projection.javadsl.SourceProvider;
import akka.stream.javadsl.Source;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The changes of durable states as the source of a projection. The toolkits have such a provider only in later versions of
 * their projections than the ones supported here.
 */
public final class DurableStateSourceProvider {

    private DurableStateSourceProvider() {}

    /**
     * The latest state of each entity of some slices, then every later change, deletes included. Revisions arrive in order;
     * intermediate ones may be left out, the last one never.
     *
     * @param pluginId of the durable state store, such as {@code dynajournal.state}
     */
    public static <A> SourceProvider<Offset, DurableStateChange<A>> changesBySlices(
            ActorSystem<?> system, String pluginId, String entityType, int minSlice, int maxSlice) {
        @SuppressWarnings("unchecked") // the caller names the type of the states
        DurableStateStoreBySliceQuery<A> store = DurableStateStoreRegistry.get(system)
                .getDurableStateStoreFor(DurableStateStoreBySliceQuery.class, pluginId);
        return new BySlices<>(store, entityType, minSlice, maxSlice);
    }

    private static final class BySlices<A> extends SourceProvider<Offset, DurableStateChange<A>>
            implements BySlicesSourceProvider {

        private final DurableStateStoreBySliceQuery<A> store;
        private final String entityType;
        private final int minSlice;
        private final int maxSlice;

        BySlices(DurableStateStoreBySliceQuery<A> store, String entityType, int minSlice, int maxSlice) {
            this.store = store;
            this.entityType = entityType;
            this.minSlice = minSlice;
            this.maxSlice = maxSlice;
        }

        @Override
        public CompletionStage<Source<DurableStateChange<A>, NotUsed>> source(
                Supplier<CompletionStage<Optional<Offset>>> offset) {
            return offset.get()
                    .thenApply(found -> store.changesBySlices(
                            entityType, minSlice, maxSlice, found.orElse(NoOffset.getInstance())));
        }

        @Override
        public Offset extractOffset(DurableStateChange<A> change) {
            return change.offset();
        }

        @Override
        public long extractCreationTime(DurableStateChange<A> change) {
            return change instanceof UpdatedDurableState<A> updated ? updated.timestamp() : 0;
        }

        @Override
        public int minSlice() {
            return minSlice;
        }

        @Override
        public int maxSlice() {
            return maxSlice;
        }
    }
}
