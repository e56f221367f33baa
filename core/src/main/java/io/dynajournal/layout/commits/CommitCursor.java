package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Item;
import io.dynajournal.store.PageToken;
import java.util.List;

/**
 * How far a replay has come.
 *
 * @param items read from the table, not yet looked at
 * @param ahead what of the log comes behind them
 * @param state what the commits so far have told
 */
record CommitCursor(List<Item> items, Ahead ahead, CommitWalk.State state) implements PageToken {

    /** For a log that is known to end there, or further up by now. */
    CommitCursor withKnown(long end) {
        return new CommitCursor(items, ahead.known(end), state);
    }

    @Override
    public long heldBytes() {
        return items.stream().mapToLong(Item::size).sum();
    }
}
