package io.dynajournal.layout.akka2;

import io.dynajournal.dynamo.ItemPage;
import io.dynajournal.layout.akka2.Akka2Items.Row;
import io.dynajournal.store.PageToken;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * How far a replay has come.
 *
 * @param rows read from the table, not yet looked at
 * @param next where the table goes on behind them; null if it does not
 * @param state what the rows so far have told
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
