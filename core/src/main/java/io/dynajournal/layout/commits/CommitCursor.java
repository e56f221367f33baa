package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemSize;
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

    CommitCursor with(Ahead more) {
        return new CommitCursor(items, more, state);
    }

    @Override
    public long heldBytes() {
        return items.stream().mapToLong(Item::size).sum() + ahead.onTheWay() * ItemSize.PAGE;
    }
}
