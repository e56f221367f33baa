package io.dynajournal.store;

import io.dynajournal.model.StateChange;
import io.dynajournal.model.StoredState;
import io.dynajournal.store.PersistenceIds.IdPage;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The newest state of each entity. Thread-safe; stages fail with a {@link StoreException}. */
public interface StateTable {

    /** The state, also one that was deleted; empty if there was never one, or if all trace of it has expired. Consistent. */
    CompletionStage<Optional<StoredState>> get(String persistenceId);

    /**
     * Writes the next revision. It is stored only behind the revision before it, so of two writers one fails with {@link
     * StoreException.RevisionConflict}, and nothing of it is stored. A repetition of our own write after a lost reply
     * succeeds.
     */
    CompletionStage<Void> write(StateChange change);

    /** Deletes the state, whatever its revision is; nothing happens if there is none. */
    CompletionStage<Void> delete(String persistenceId);

    /**
     * A page of the ids that have a state, deleted ones left out. Each comes once over all pages, in an order that no write
     * changes. One request that costs a read unit for each 8 KB of states, eventually consistent.
     *
     * @param start null for the first page, else {@link IdPage#next()} of the one before, or {@link #behind}
     * @param limit how many items are looked at, at most
     */
    CompletionStage<IdPage> ids(@Nullable PageToken start, int limit);

    /** Where {@link #ids} goes on behind an id, be it there or not; no request is made. */
    PageToken behind(String persistenceId);
}
