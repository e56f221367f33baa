package io.dynajournal.store;

import io.dynajournal.model.SliceRange;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What an index by slice and time shows of writes, be they of events or of states. The index follows the table: a write may
 * show late, and not in the order of its id. Thread-safe. No method throws or blocks; a failed stage carries a {@link
 * StoreException}.
 */
public interface SliceRows {

    /**
     * Rows in the order of time, and how to go on.
     *
     * @param next null at the end of what was asked for
     */
    record RowPage(List<SliceRow> rows, @Nullable PageToken next) {}

    /**
     * The partitions that may hold writes of these slices. There may be more over time, never fewer. One consistent read.
     */
    CompletionStage<List<SlicePartition>> partitions(String entityType, SliceRange slices);

    /** The same for all entity types, if the layout can tell which there are. */
    CompletionStage<List<SlicePartition>> partitions(SliceRange slices);

    /**
     * One page of a partition, both times inclusive. One request, eventually consistent: half a read unit for each 4 KB of
     * rows, and at least that.
     *
     * @param start null for the first page, else {@link RowPage#next()} of the one before
     */
    CompletionStage<RowPage> read(
            SlicePartition partition, long fromMicros, long toMicros, @Nullable PageToken start, int limit);

    /**
     * The lowest writes of an id with numbers between two, both exclusive, that were made at a time or later. Consistent,
     * from the table. Deleted and expired ones are left out.
     *
     * @return in order; fewer than {@code limit} only if there are no more
     */
    CompletionStage<List<SliceRow>> between(
            String persistenceId, long afterSeqNr, long beforeSeqNr, long fromMicros, int limit);

    /** Microseconds since 1970, by the clock that the writers of this process use. */
    long nowMicros();
}
