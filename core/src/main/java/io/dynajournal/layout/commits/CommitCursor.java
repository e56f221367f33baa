package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Item;
import io.dynajournal.store.PageToken;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * How far a replay has come.
 *
 * @param items read from the table, not yet looked at
 * @param next where the table goes on behind them; null if it does not
 * @param state what the commits so far have told
 */
record CommitCursor(List<Item> items, @Nullable Map<String, AttributeValue> next, CommitWalk.State state)
        implements PageToken {

    @Override
    public long heldBytes() {
        return items.stream().mapToLong(Item::size).sum();
    }
}
