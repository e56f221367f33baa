package io.dynajournal.store;

import io.dynajournal.model.SliceRange;
import io.dynajournal.model.StoredEvent;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The writes of all ids by slice and time. The index follows the table: a write may show late, and not in the order of its
 * id; {@link #between} reads the table itself. Thread-safe. No method throws or blocks; a failed stage carries a {@link
 * StoreException}.
 */
public interface SliceIndex {

    /**
     * Rows in the order of time, and how to go on.
     *
     * @param next null at the end of what was asked for
     */
    record RowPage(List<SliceRow> rows, @Nullable PageToken next) {}

    /** Every entity type that has events. One consistent read. Not every layout can tell. */
    CompletionStage<Set<String>> entityTypes();

    /**
     * The partitions that may hold events of these slices. There may be more over time, never fewer. One consistent read.
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

    /**
     * The events of rows: a list for each row, in its place. Events that were deleted since are left out. No request for
     * rows that hold their events; the others are read from the table, consistently.
     */
    CompletionStage<List<List<StoredEvent>>> events(List<SliceRow> rows);

    /** Microseconds since 1970, by the clock that the writers of this process use. */
    long nowMicros();
}
