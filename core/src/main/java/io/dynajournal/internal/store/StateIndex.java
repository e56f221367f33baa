package io.dynajournal.internal.store;

import io.dynajournal.internal.model.StoredState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The latest states of all persistence ids by slice and time. A state replaces its predecessor, so a row covers every sequence
 * number up to its own and there are no gaps. Its sequence numbers are times in microseconds: they rise with every write of a
 * persistence id, while revisions start at 1 again after the tombstone of a deleted state has expired.
 */
public interface StateIndex extends SliceRows {

    /**
     * The current states of the first rows' persistence ids, in the order of the rows: the row's own, or one that has replaced
     * it since, deleted ones included. Empty if the tombstone has expired. Rows are left out once the payloads have {@link
     * #MAX_CONTENT_BYTES}. Read from the table, consistently.
     */
    CompletionStage<List<Optional<StoredState>>> states(List<SliceRow> rows);
}
