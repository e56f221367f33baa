package io.dynajournal.internal.store;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredState;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Cleans up the durable state of one persistence id, on every layout. Each operation may be repeated, whether it has failed
 * or not. An entity that is alive is stopped: its next write fails with {@link StoreException.RevisionConflict}. Thread-safe;
 * no method throws or blocks.
 */
public final class StateCleanup {

    private final StateTable states;
    private final PerIdQueue<String> writes;

    /**
     * The clean-up of a store.
     *
     * @param writes the queue of the store's own writes
     */
    public StateCleanup(StateTable states, PerIdQueue<String> writes) {
        this.states = states;
        this.writes = writes;
    }

    /**
     * Deletes the state.
     *
     * @param resetRevision whether the next state has revision 1; otherwise a tombstone keeps the revision
     */
    public CompletionStage<Void> delete(String persistenceId, boolean resetRevision) {
        return writes.run(
                persistenceId, () -> resetRevision ? states.reset(persistenceId) : states.delete(persistenceId));
    }

    /** Lets the state expire. A later change of it does not expire. */
    public CompletionStage<Void> expire(String persistenceId, long expirySeconds) {
        return writes.run(persistenceId, () -> states.expire(persistenceId, expirySeconds));
    }

    /** Deletes the state if its last change was made before a time. A state that changes meanwhile stays. */
    public CompletionStage<Void> deleteIfBefore(String persistenceId, long micros) {
        return writes.run(
                persistenceId,
                () -> states.get(persistenceId)
                        .thenCompose(found -> found.filter(state -> isBefore(state, micros))
                                .map(this::deleteRevision)
                                .orElseGet(() -> CompletableFuture.completedFuture(null))));
    }

    private static boolean isBefore(StoredState state, long micros) {
        return state.payload() != null && state.timestampMicros() < micros;
    }

    private CompletionStage<Void> deleteRevision(StoredState state) {
        return states.write(StateChange.delete(state.persistenceId(), state.revision() + 1))
                .handle((deleted, failure) ->
                        failure == null || Stages.unwrap(failure) instanceof StoreException.RevisionConflict
                                ? CompletableFuture.<Void>completedFuture(null)
                                : CompletableFuture.<Void>failedFuture(failure))
                .thenCompose(Function.identity());
    }

    /** Removes the tombstone of a deleted state; a state that is not deleted stays. */
    public CompletionStage<Void> deleteTombstone(String persistenceId) {
        return writes.run(
                persistenceId,
                () -> states.get(persistenceId)
                        .thenCompose(found -> isTombstone(found)
                                ? states.reset(persistenceId)
                                : CompletableFuture.completedFuture(null)));
    }

    private static boolean isTombstone(Optional<StoredState> state) {
        return state.isPresent() && state.get().payload() == null;
    }
}
