package io.dynajournal.internal.store;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.StoredSnapshot;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of all persistence ids by slice, and by the time at which they were saved. The index lags the table: a snapshot
 * may appear late, and a deleted one may still appear. Thread-safe. No method throws or blocks; a failed stage carries a
 * {@link StoreException}.
 */
public interface SnapshotIndex {

    /** The key of a snapshot. */
    record Key(String persistenceId, long seqNr) {}

    /**
     * Keys in the order of time, and where the next page starts. A persistence id occurs once for each of its snapshots.
     *
     * @param next null at the end; a page may be empty although there is a next one
     */
    record KeyPage(List<Key> keys, @Nullable PageToken next) {}

    /** The partitions that may hold snapshots of these slices. Makes no request. */
    List<SlicePartition> partitions(String entityType, SliceRange slices);

    /**
     * One page of the snapshots that were saved at a time or later. One request, eventually consistent: half a read unit for
     * each 4 KB of keys, and at least that.
     *
     * @param start null for the first page, else {@link KeyPage#next()} of the previous one
     */
    CompletionStage<KeyPage> read(SlicePartition partition, long fromMicros, @Nullable PageToken start);

    /**
     * Snapshots in no particular order. A snapshot that no longer exists is replaced by the latest of its persistence id, if
     * there is one. Consistent; one request, and one more for each snapshot that is missing or stored in parts.
     */
    CompletionStage<List<StoredSnapshot>> load(List<Key> keys);
}
