package io.dynajournal.store;

import io.dynajournal.model.StateChange;
import io.dynajournal.model.StoredState;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

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
}
