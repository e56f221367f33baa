package io.dynajournal.projection.scaladsl;

import akka.NotUsed;
import akka.actor.typed.ActorSystem;
import akka.persistence.query.DurableStateChange;
import akka.persistence.query.Offset;
import akka.projection.BySlicesSourceProvider;
import akka.projection.internal.SourceProviderAdapter;
import akka.projection.scaladsl.SourceProvider;
import akka.stream.scaladsl.Source;
import scala.Function0;
import scala.Option;
import scala.concurrent.Future;

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
        return new BySlices<>(
                new SourceProviderAdapter<>(
                        io.dynajournal.projection.javadsl.DurableStateSourceProvider.<A>changesBySlices(
                                system, pluginId, entityType, minSlice, maxSlice)),
                minSlice,
                maxSlice);
    }

    private record BySlices<A>(SourceProvider<Offset, DurableStateChange<A>> changes, int minSlice, int maxSlice)
            implements SourceProvider<Offset, DurableStateChange<A>>, BySlicesSourceProvider {

        @Override
        public Future<Source<DurableStateChange<A>, NotUsed>> source(Function0<Future<Option<Offset>>> offset) {
            return changes.source(offset);
        }

        @Override
        public Offset extractOffset(DurableStateChange<A> change) {
            return changes.extractOffset(change);
        }

        @Override
        public long extractCreationTime(DurableStateChange<A> change) {
            return changes.extractCreationTime(change);
        }
    }
}
