package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemSize;
import io.dynajournal.internal.store.PageToken;
import java.util.List;

/**
 * The position of a replay.
 *
 * @param items read from the table, not yet replayed
 * @param ahead the part of the log after these items
 * @param state what the items so far have shown
 */
record CommitCursor(List<Item> items, ReadAhead ahead, CommitWalk.State state) implements PageToken {

    CommitCursor with(ReadAhead newAhead) {
        return new CommitCursor(items, newAhead, state);
    }

    /** Pages in flight count as full ones. */
    @Override
    public long heldBytes() {
        return items.stream().mapToLong(Item::size).sum() + ahead.inFlight() * ItemSize.PAGE;
    }
}
