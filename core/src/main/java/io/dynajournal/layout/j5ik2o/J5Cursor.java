package io.dynajournal.layout.j5ik2o;

import io.dynajournal.dynamo.Item;
import io.dynajournal.store.PageToken;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * How far a replay has come.
 *
 * @param rows read, not yet looked at
 * @param older rows under keys of another resolver that are still to be read before the others, or null
 * @param next where our rows go on; null at the end
 * @param state what the rows so far have told
 */
record J5Cursor(List<Item> rows, @Nullable Older older, J5Rows.@Nullable Position next, J5Walk.State state)
        implements PageToken {

    /**
     * Rows that only the index finds.
     *
     * @param to the last number to look for there
     */
    record Older(long to, Map<String, AttributeValue> key) {}

    boolean isAtEnd() {
        return rows.isEmpty() && older == null && next == null;
    }

    @Override
    public long heldBytes() {
        return rows.stream().mapToLong(Item::size).sum();
    }
}
