package io.dynajournal.store;

import io.dynajournal.model.StoredEvent;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The events with a tag that are there now, for a layout that has no index by time: every question is a scan. Thread-safe.
 * No method throws or blocks; a failed stage carries a {@link StoreException}.
 */
public interface TaggedEvents {

    /**
     * All events with a tag that were written at a time or later, without their contents: in the order of time, and those of
     * an id in the order of their numbers.
     */
    CompletionStage<List<SliceRow>> find(String tag, long fromMicros);

    /** The events of rows, consistently; those that were deleted since are left out. */
    CompletionStage<List<StoredEvent>> events(List<SliceRow> rows);
}
