package io.dynajournal.state;

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
import io.dynajournal.query.StateQueries;
import io.dynajournal.toolkit.Stages;
import scala.Option;
import scala.collection.immutable.Range;
import scala.collection.immutable.Seq;
import scala.concurrent.Future;
import scala.jdk.javaapi.OptionConverters;

/** The same as {@link JavaStateStore}, for Scala. Thread-safe. */
public final class ScalaStateStore<A>
        implements DurableStateUpdateStore<A>,
                DurableStateStoreBySliceQuery<A>,
                DurableStateStoreQuery<A>,
                DurableStateStorePagedPersistenceIdsQuery<A> {

    private final Persistence persistence;
    private final SerializedStates states;
    private final StateQueries queries;

    ScalaStateStore(Persistence persistence, SerializedStates states, StateQueries queries) {
        this.persistence = persistence;
        this.states = states;
        this.queries = queries;
    }

    @Override
    public Future<GetObjectResult<A>> getObject(String persistenceId) {
        return Stages.asScala(states.<A>get(persistenceId)
                .thenApply(found -> new GetObjectResult<>(OptionConverters.toScala(found.state()), found.revision())));
    }

    @Override
    public Future<Done> upsertObject(String persistenceId, long revision, A value, String tag) {
        return Stages.asScala(states.upsert(persistenceId, revision, value, tag).thenApply(done -> Done.getInstance()));
    }

    /** Deletes whatever is there. The toolkits advise against it, because it stops no second writer. */
    @SuppressWarnings("deprecation")
    @Override
    public Future<Done> deleteObject(String persistenceId) {
        return Stages.asScala(states.delete(persistenceId).thenApply(done -> Done.getInstance()));
    }

    @Override
    public Future<Done> deleteObject(String persistenceId, long revision) {
        return Stages.asScala(states.delete(persistenceId, revision).thenApply(done -> Done.getInstance()));
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

    /** A page of the ids of an entity type. */
    public Source<String, NotUsed> currentPersistenceIds(String entityType, Option<String> afterId, long limit) {
        return queries.ids(entityType, afterId.getOrElse(() -> null), limit).asScala();
    }
}
