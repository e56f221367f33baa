package io.dynajournal.internal.store;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredState;
import io.dynajournal.internal.store.PersistenceIds.IdPage;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The latest state of each entity. Thread-safe. No method throws or blocks; a failed stage carries a {@link StoreException}. */
public interface StateTable {

    /** The state, also a deleted one; empty if there was never one, or if its tombstone has expired. Consistent. */
    CompletionStage<Optional<StoredState>> get(String persistenceId);

    /**
     * Writes the next revision. It is stored only if the stored revision is its predecessor, so of two writers one fails with
     * {@link StoreException.RevisionConflict} and stores nothing. A retry of our own write after a lost reply succeeds.
     */
    CompletionStage<Void> write(StateChange change);

    /**
     * Stores a state as another table has it: with its revision, time and writer. It replaces a lower revision, also one that is
     * not its predecessor. The same state once more is success. Fails with {@link StoreException.RevisionConflict}, and stores
     * nothing, if there is another state of this revision, or a higher revision.
     */
    CompletionStage<Void> restore(StoredState state);

    /** Deletes the state whatever its revision is; succeeds if there is none. */
    CompletionStage<Void> delete(String persistenceId);

    /**
     * Removes the state or the tombstone of a deleted one, whatever its revision is: the next state has revision 1. A writer
     * that knew the state fails with {@link StoreException.RevisionConflict}. Succeeds if there is nothing.
     */
    CompletionStage<Void> reset(String persistenceId);

    /**
     * Lets the state expire: from that time on it is deleted, and its revision is kept until DynamoDB removes it. Fails with
     * {@link UnsupportedOperationException} if the layout has no expiry. Succeeds if there is no state.
     */
    default CompletionStage<Void> expire(String persistenceId, long expirySeconds) {
        return CompletableFuture.failedFuture(Stages.noExpiry(this, "states"));
    }

    /**
     * A page of the persistence ids that have a state. Each occurs once over all pages, in an order that
     * no write changes. One request, eventually consistent: one read unit for each 8 KB of states.
     *
     * @param start null for the first page, else {@link IdPage#next()} of the previous one, or {@link #after}
     * @param limit how many items are read at most
     * @param deletedToo whether deleted states are included, as long as they have a tombstone
     */
    CompletionStage<IdPage> ids(@Nullable PageToken start, int limit, boolean deletedToo);

    /** As {@link #ids(PageToken, int, boolean)}, without deleted states. */
    default CompletionStage<IdPage> ids(@Nullable PageToken start, int limit) {
        return ids(start, limit, false);
    }

    /** Where {@link #ids} continues after a persistence id, whether it exists or not. Makes no request. */
    PageToken after(String persistenceId);
}
