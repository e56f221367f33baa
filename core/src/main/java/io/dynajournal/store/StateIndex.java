package io.dynajournal.store;

import io.dynajournal.model.StoredState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The newest states of all ids by slice and time. A state replaces the one before it, so a row covers every number up to its
 * own and none is ever missing before it. Its numbers are times, in microseconds: they rise with every write of an id, while
 * revisions begin with 1 again when all trace of an id has expired.
 */
public interface StateIndex extends SliceRows {

    /**
     * The states of the rows' ids as they are now, each in its row's place: the row's own, or one that has replaced it since,
     * deleted ones included. Empty if all trace of it has expired. Consistent, from the table.
     */
    CompletionStage<List<Optional<StoredState>>> states(List<SliceRow> rows);
}
