package io.dynajournal.store;

import io.dynajournal.model.StoredEvent;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** The events of all ids by slice and time. */
public interface SliceIndex extends SliceRows {

    /** Every entity type that has events. One consistent read. Not every layout can tell. */
    CompletionStage<Set<String>> entityTypes();

    /**
     * The events of rows: a list for each row, in its place. Events that were deleted since are left out. No request for
     * rows that hold their events; the others are read from the table, consistently.
     */
    CompletionStage<List<List<StoredEvent>>> events(List<SliceRow> rows);
}
