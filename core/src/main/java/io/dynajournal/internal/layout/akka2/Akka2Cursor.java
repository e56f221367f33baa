package io.dynajournal.internal.layout.akka2;

import io.dynajournal.internal.dynamo.ItemPage;
import io.dynajournal.internal.layout.akka2.Akka2Items.Row;
import io.dynajournal.internal.store.PageToken;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The position of a replay.
 *
 * @param rows rows that were read and not processed yet
 * @param next the start key of the next page; null after the last one
 * @param state what is known from the rows so far
 */
record Akka2Cursor(List<Row> rows, @Nullable Map<String, AttributeValue> next, Akka2Walk.State state)
        implements PageToken {

    static Akka2Cursor of(ItemPage page, Akka2Walk.State state) {
        return new Akka2Cursor(page.items().stream().map(Akka2Items::row).toList(), page.next(), state);
    }

    @Override
    public long heldBytes() {
        return rows.stream().mapToLong(Row::heldBytes).sum();
    }
}
