package io.dynajournal.state.scaladsl;

import akka.Done;
import akka.NotUsed;
import akka.persistence.Persistence;
import akka.persistence.query.DurableStateChange;
import akka.persistence.query.Offset;
import akka.persistence.query.scaladsl.DurableStateStorePagedPersistenceIdsQuery;
import akka.persistence.query.scaladsl.DurableStateStoreQuery;
import akka.persistence.query.typed.scaladsl.DurableStateStoreBySliceQuery;
import akka.persistence.state.scaladsl.DurableStateUpdateStore;
import akka.persistence.state.scaladsl.GetObjectResult;
import akka.stream.scaladsl.Source;
import io.dynajournal.internal.query.StateQueries;
import io.dynajournal.internal.state.SerializingStates;
import io.dynajournal.internal.toolkit.ScalaFutures;
import scala.Option;
import scala.collection.immutable.Range;
import scala.collection.immutable.Seq;
import scala.concurrent.Future;
import scala.jdk.javaapi.OptionConverters;

/**
 * The Scala form of {@link io.dynajournal.state.javadsl.DynajournalDurableStateStore}. Thread-safe.
 *
 * @param <A> the type of the states; it is not checked
 */
public final class DynajournalDurableStateStore<A>
        implements DurableStateUpdateStore<A>,
                DurableStateStoreBySliceQuery<A>,
                DurableStateStoreQuery<A>,
                DurableStateStorePagedPersistenceIdsQuery<A> {

    private final Persistence persistence;
    private final SerializingStates states;
    private final StateQueries queries;

    /** Called by the plugin; get a store from the toolkit's {@code DurableStateStoreRegistry}. */
    public DynajournalDurableStateStore(Persistence persistence, SerializingStates states, StateQueries queries) {
        this.persistence = persistence;
        this.states = states;
        this.queries = queries;
    }

    @Override
    public Future<GetObjectResult<A>> getObject(String persistenceId) {
        return ScalaFutures.asScala(states.<A>get(persistenceId)
                .thenApply(current ->
                        new GetObjectResult<>(OptionConverters.toScala(current.state()), current.revision())));
    }

    @Override
    public Future<Done> upsertObject(String persistenceId, long revision, A value, String tag) {
        return ScalaFutures.asScala(
                states.upsert(persistenceId, revision, value, tag).thenApply(done -> Done.getInstance()));
    }

    /** Deletes the state whatever its revision is. The toolkits deprecate it, because it does not detect a second writer. */
    @SuppressWarnings("deprecation")
    @Override
    public Future<Done> deleteObject(String persistenceId) {
        return ScalaFutures.asScala(states.delete(persistenceId).thenApply(done -> Done.getInstance()));
    }

    @Override
    public Future<Done> deleteObject(String persistenceId, long revision) {
        return ScalaFutures.asScala(states.delete(persistenceId, revision).thenApply(done -> Done.getInstance()));
    }

    @Override
    public Source<DurableStateChange<A>, NotUsed> changesBySlices(
            String entityType, int minSlice, int maxSlice, Offset offset) {
        return queries.<A>bySlices(entityType, minSlice, maxSlice, offset, true).asScala();
    }

    @Override
    public Source<DurableStateChange<A>, NotUsed> currentChangesBySlices(
            String entityType, int minSlice, int maxSlice, Offset offset) {
        return queries.<A>bySlices(entityType, minSlice, maxSlice, offset, false)
                .asScala();
    }

    @Override
    public int sliceForPersistenceId(String persistenceId) {
        return persistence.sliceForPersistenceId(persistenceId);
    }

    @Override
    public Seq<Range> sliceRanges(int numberOfRanges) {
        return persistence.sliceRanges(numberOfRanges);
    }

    @Override
    public Source<DurableStateChange<A>, NotUsed> changes(String tag, Offset offset) {
        return queries.<A>byTag(tag, offset, true).asScala();
    }

    @Override
    public Source<DurableStateChange<A>, NotUsed> currentChanges(String tag, Offset offset) {
        return queries.<A>byTag(tag, offset, false).asScala();
    }

    @Override
    public Source<String, NotUsed> currentPersistenceIds(Option<String> afterId, long limit) {
        return queries.ids(null, afterId.getOrElse(() -> null), limit).asScala();
    }

    /** As the method without an entity type, for one entity type. */
    public Source<String, NotUsed> currentPersistenceIds(String entityType, Option<String> afterId, long limit) {
        return queries.ids(entityType, afterId.getOrElse(() -> null), limit).asScala();
    }
}
