package io.dynajournal.internal.store;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.StoredEvent;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The current events with a tag, for a layout that has no index by time: every query is a scan. Thread-safe.
 * No method throws or blocks; a failed stage carries a {@link StoreException}.
 */
public interface TaggedEvents {

    /**
     * All events with a tag that were written at a time or later, without their contents: in the order of time, and those of one
     * persistence id in the order of their sequence numbers.
     */
    CompletionStage<List<SliceRow>> find(String tag, long fromMicros);

    /** The events of rows, read consistently. Events that were deleted since are left out. */
    CompletionStage<List<StoredEvent>> events(List<SliceRow> rows);
}
