package io.dynajournal.store;

import io.dynajournal.model.SliceRange;
import io.dynajournal.model.StoredSnapshot;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of all ids by slice, and by the time at which they were saved. The index follows the table: a snapshot may
 * show late, and one that was deleted may still show. Thread-safe. No method throws or blocks; a failed stage carries a
 * {@link StoreException}.
 */
public interface SnapshotIndex {

    /** Which snapshot. */
    record Key(String persistenceId, long seqNr) {}

    /**
     * Keys in the order of time, and how to go on. An id comes as often as it has snapshots.
     *
     * @param next null at the end; a page may be empty although there is a next one
     */
    record KeyPage(List<Key> keys, @Nullable PageToken next) {}

    /** The partitions that may hold snapshots of these slices. No request is made. */
    List<SlicePartition> partitions(String entityType, SliceRange slices);

    /**
     * One page of the snapshots that were saved at a time or later. One request, eventually consistent: half a read unit for
     * each 4 KB of keys, and at least that.
     *
     * @param start null for the first page, else {@link KeyPage#next()} of the one before
     */
    CompletionStage<KeyPage> read(SlicePartition partition, long fromMicros, @Nullable PageToken start);

    /**
     * Snapshots, in no order. In place of one that is gone comes the newest of its id, if there is any. Consistent; one
     * request, and one more for each that is gone or in parts.
     */
    CompletionStage<List<StoredSnapshot>> load(List<Key> keys);
}
