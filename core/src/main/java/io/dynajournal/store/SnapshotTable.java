package io.dynajournal.store;

import io.dynajournal.model.SnapshotCriteria;
import io.dynajournal.model.StoredSnapshot;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The snapshots of all ids in one table, as many per id as the user keeps. Thread-safe. No method throws or blocks; a
 * failed stage carries a {@link StoreException}.
 */
public interface SnapshotTable {

    /** Stores a snapshot, in place of one with the same number. It is seen whole or not at all. */
    CompletionStage<Void> save(StoredSnapshot snapshot);

    /** The snapshot with the highest number within the criteria. Consistent. */
    CompletionStage<Optional<StoredSnapshot>> load(String persistenceId, SnapshotCriteria criteria);

    /** Deletes all snapshots within the criteria; none is no error. */
    CompletionStage<Void> delete(String persistenceId, SnapshotCriteria criteria);
}
