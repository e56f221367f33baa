package io.dynajournal.internal.store;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.SliceRange;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The writes of events or states in an index by slice and time. The index lags the table: a write may appear late, and before an
 * earlier one of the same persistence id. Thread-safe. No method throws or blocks; a failed stage carries a {@link
 * StoreException}.
 */
public interface SliceRows {

    /** Contents of rows are read until their payloads have this many bytes; one row's are always read whole. */
    long MAX_CONTENT_BYTES = 8 * 1024 * 1024;

    /**
     * Rows in the order of time, and where the next page starts.
     *
     * @param next null at the end of the requested times
     */
    record RowPage(List<SliceRow> rows, @Nullable PageToken next) {}

    /**
     * The partitions that may hold writes of these slices. Their number may grow, never shrink. One consistent read.
     */
    CompletionStage<List<SlicePartition>> partitions(String entityType, SliceRange slices);

    /** As {@link #partitions(String, SliceRange)}, for all entity types. Fails if the layout does not record them. */
    CompletionStage<List<SlicePartition>> partitions(SliceRange slices);

    /**
     * One page of a partition, both times inclusive. One request, eventually consistent: half a read unit for each 4 KB of
     * rows, and at least that.
     *
     * @param start null for the first page, else {@link RowPage#next()} of the previous one
     */
    CompletionStage<RowPage> read(
            SlicePartition partition, long fromMicros, long toMicros, @Nullable PageToken start, int limit);

    /**
     * The lowest writes of a persistence id between two sequence numbers, both exclusive, that were made at a time or later.
     * Read from the table, consistently. Deleted and expired ones are left out.
     *
     * @return in order; fewer than {@code limit} only if there are no more
     */
    CompletionStage<List<SliceRow>> between(
            String persistenceId, long afterSeqNr, long beforeSeqNr, long fromMicros, int limit);

    /** Microseconds since 1970, by the clock that the writers of this process use. */
    long nowMicros();
}
