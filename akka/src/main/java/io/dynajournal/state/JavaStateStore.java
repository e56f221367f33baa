package io.dynajournal.state;

import akka.Done;
import akka.NotUsed;
import akka.japi.Pair;
import akka.persistence.Persistence;
import akka.persistence.query.DurableStateChange;
import akka.persistence.query.Offset;
import akka.persistence.query.javadsl.DurableStateStorePagedPersistenceIdsQuery;
import akka.persistence.query.javadsl.DurableStateStoreQuery;
import akka.persistence.query.typed.javadsl.DurableStateStoreBySliceQuery;
import akka.persistence.state.javadsl.DurableStateUpdateStore;
import akka.persistence.state.javadsl.GetObjectResult;
import akka.stream.javadsl.Source;
import io.dynajournal.query.StateQueries;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The store for Java, with its queries. {@code docs/durable-state.md} has what each promises and costs. Thread-safe. */
public final class JavaStateStore<A>
        implements DurableStateUpdateStore<A>,
                DurableStateStoreBySliceQuery<A>,
                DurableStateStoreQuery<A>,
                DurableStateStorePagedPersistenceIdsQuery<A> {

    private final Persistence persistence;
    private final SerializedStates states;
    private final StateQueries queries;

    JavaStateStore(Persistence persistence, SerializedStates states, StateQueries queries) {
        this.persistence = persistence;
        this.states = states;
        this.queries = queries;
    }

    @Override
    public CompletionStage<GetObjectResult<A>> getObject(String persistenceId) {
        return states.<A>get(persistenceId).thenApply(found -> new GetObjectResult<>(found.state(), found.revision()));
    }

    @Override
    public CompletionStage<Done> upsertObject(String persistenceId, long revision, A value, String tag) {
        return states.upsert(persistenceId, revision, value, tag).thenApply(done -> Done.getInstance());
    }

    /** Deletes whatever is there. The toolkits advise against it, because it stops no second writer. */
    @SuppressWarnings("deprecation")
    @Override
    public CompletionStage<Done> deleteObject(String persistenceId) {
        return states.delete(persistenceId).thenApply(done -> Done.getInstance());
    }

    @Override
    public CompletionStage<Done> deleteObject(String persistenceId, long revision) {
        return states.delete(persistenceId, revision).thenApply(done -> Done.getInstance());
    }

    /**
     * The newest state of each id in an entity type's slices and those to come, deletes included: in the order of each id's
     * revisions, and never without its last one. Resumed from an offset, a run repeats what lies inside the trailing window
     * before it.
     */
    @Override
    public Source<DurableStateChange<A>, NotUsed> changesBySlices(
            String entityType, int minSlice, int maxSlice, Offset offset) {
        return queries.bySlices(entityType, minSlice, maxSlice, offset, true);
    }

    /** The newest state of each id in an entity type's slices that the index shows now, deletes included. */
    @Override
    public Source<DurableStateChange<A>, NotUsed> currentChangesBySlices(
            String entityType, int minSlice, int maxSlice, Offset offset) {
        return queries.bySlices(entityType, minSlice, maxSlice, offset, false);
    }

    @Override
    public int sliceForPersistenceId(String persistenceId) {
        return persistence.sliceForPersistenceId(persistenceId);
    }

    @Override
    public List<Pair<Integer, Integer>> sliceRanges(int numberOfRanges) {
        return persistence.getSliceRanges(numberOfRanges);
    }

    /** The newest states with a tag, of all entity types, and those to come; like {@link #changesBySlices}. */
    @Override
    public Source<DurableStateChange<A>, NotUsed> changes(String tag, Offset offset) {
        return queries.byTag(tag, offset, true);
    }

    /** The newest states with a tag, of all entity types, that the index shows now. */
    @Override
    public Source<DurableStateChange<A>, NotUsed> currentChanges(String tag, Offset offset) {
        return queries.byTag(tag, offset, false);
    }

    /** A page of the ids that have a state, behind the last one of the page before. Reads the table, not an index. */
    @Override
    public Source<String, NotUsed> currentPersistenceIds(Optional<String> afterId, long limit) {
        return queries.ids(null, afterId.orElse(null), limit);
    }

    /** A page of the ids of an entity type. */
    public Source<String, NotUsed> currentPersistenceIds(String entityType, Optional<String> afterId, long limit) {
        return queries.ids(entityType, afterId.orElse(null), limit);
    }
}
