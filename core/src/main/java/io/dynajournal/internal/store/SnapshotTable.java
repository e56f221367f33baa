package io.dynajournal.internal.store;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The snapshots of all persistence ids in one table, as many per persistence id as the user keeps. Thread-safe. No method throws or blocks; a
 * failed stage carries a {@link StoreException}.
 */
public interface SnapshotTable {

    /** The table, with saves that are read back before they fail: replies may be lost after a snapshot was stored. */
    static SnapshotTable readingBack(SnapshotTable table) {
        return new ReadBackSnapshots(table);
    }

    /** Stores a snapshot, replacing one with the same sequence number. It is visible completely or not at all. */
    CompletionStage<Void> save(StoredSnapshot snapshot);

    /** The snapshot with the highest sequence number within the criteria. Consistent. */
    CompletionStage<Optional<StoredSnapshot>> load(String persistenceId, SnapshotCriteria criteria);

    /** Deletes all snapshots within the criteria; succeeds if there are none. */
    CompletionStage<Void> delete(String persistenceId, SnapshotCriteria criteria);

    /** As {@link #delete}, for a clean-up: at once, also where the deletes of entities only set an expiry. */
    default CompletionStage<Void> remove(String persistenceId, SnapshotCriteria criteria) {
        return delete(persistenceId, criteria);
    }

    /**
     * What the toolkits ask for after a save that failed: to delete that snapshot. Nothing is deleted: a snapshot is stored as a
     * whole or not at all, so one whose save was reported as failed is valid, and may be the only one whose events are deleted
     * already.
     */
    default CompletionStage<Void> deleteAfterFailedSave(String persistenceId, long seqNr) {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Lets all snapshots within the criteria expire: from that time on they are deleted. Fails with {@link
     * UnsupportedOperationException} if the layout has no expiry.
     */
    default CompletionStage<Void> expire(String persistenceId, SnapshotCriteria criteria, long expirySeconds) {
        return CompletableFuture.failedFuture(Stages.noExpiry(this, "snapshots"));
    }

    /** The sequence number of the newest snapshot; empty if there is none. Consistent. */
    default CompletionStage<Optional<Long>> newestSeqNr(String persistenceId) {
        return load(persistenceId, SnapshotCriteria.ALL).thenApply(newest -> newest.map(StoredSnapshot::seqNr));
    }
}
