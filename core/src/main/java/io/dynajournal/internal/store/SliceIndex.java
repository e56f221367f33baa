package io.dynajournal.internal.store;

import io.dynajournal.internal.model.StoredEvent;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The events of all persistence ids by slice and time. */
public interface SliceIndex extends SliceRows {

    /**
     * The events of the first rows, one list for each row, in the order of the rows. Rows are left out once the payloads have
     * {@link #MAX_CONTENT_BYTES}. Events that were deleted since are left out. Rows that carry their events take no request; the
     * others are read from the table, consistently.
     */
    CompletionStage<List<List<StoredEvent>>> events(List<SliceRow> rows);
}
