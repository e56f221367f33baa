package io.dynajournal.state.javadsl;

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
import io.dynajournal.internal.query.StateQueries;
import io.dynajournal.internal.state.SerializingStates;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Durable states in DynamoDB, and queries on them. Get it from the toolkit's {@code DurableStateStoreRegistry} with the plugin id,
 * such as {@code dynajournal.state}. {@code docs/durable-state.md} lists what each query guarantees and costs. Thread-safe.
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
    public CompletionStage<GetObjectResult<A>> getObject(String persistenceId) {
        return states.<A>get(persistenceId)
                .thenApply(current -> new GetObjectResult<>(current.state(), current.revision()));
    }

    @Override
    public CompletionStage<Done> upsertObject(String persistenceId, long revision, A value, String tag) {
        return states.upsert(persistenceId, revision, value, tag).thenApply(done -> Done.getInstance());
    }

    /** Deletes the state whatever its revision is. The toolkits deprecate it, because it does not detect a second writer. */
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
     * The latest state of each persistence id in an entity type's slices, then every later change, deletes included. The changes
     * of a persistence id arrive in the order of their revisions; intermediate ones may be skipped, the last one never. A query
     * that resumes from an offset repeats changes inside the backtracking window before it.
     */
    @Override
    public Source<DurableStateChange<A>, NotUsed> changesBySlices(
            String entityType, int minSlice, int maxSlice, Offset offset) {
        return queries.bySlices(entityType, minSlice, maxSlice, offset, true);
    }

    /** The latest state of each persistence id in an entity type's slices that the index shows now, deletes included. */
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

    /** The latest states with a tag, of all entity types, then every later change; see {@link #changesBySlices}. */
    @Override
    public Source<DurableStateChange<A>, NotUsed> changes(String tag, Offset offset) {
        return queries.byTag(tag, offset, true);
    }

    /** The latest states with a tag, of all entity types, that the index shows now. */
    @Override
    public Source<DurableStateChange<A>, NotUsed> currentChanges(String tag, Offset offset) {
        return queries.byTag(tag, offset, false);
    }

    /**
     * A page of the persistence ids that have a state, each once over all pages. Reads the table, not an index.
     *
     * @param afterId the last persistence id of the previous page; empty for the first page
     */
    @Override
    public Source<String, NotUsed> currentPersistenceIds(Optional<String> afterId, long limit) {
        return queries.ids(null, afterId.orElse(null), limit);
    }

    /** As {@link #currentPersistenceIds(Optional, long)}, for one entity type. */
    public Source<String, NotUsed> currentPersistenceIds(String entityType, Optional<String> afterId, long limit) {
        return queries.ids(entityType, afterId.orElse(null), limit);
    }
}
