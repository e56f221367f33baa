package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.TableSpec;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The key of an item in a native table: all of them have the hash key {@code pid} and the range key {@code seq}. */
record ItemKey(String persistenceId, long seq) {

    static final String PID = "pid";
    static final String SEQ = "seq";

    static ItemKey of(Item item) {
        return new ItemKey(item.text(PID), item.number(SEQ));
    }

    Map<String, AttributeValue> attributes() {
        return Map.of(PID, AttributeValue.fromS(persistenceId), SEQ, number(seq));
    }

    /** Makes errors about a stored item name its table and its key, and no other value. */
    static Item named(String table, Item item) {
        return item.in(table, PID, SEQ);
    }

    /** A native table with these indexes. */
    static TableSpec table(String name, List<TableSpec.Index> indexes, String expiry) {
        return new TableSpec(name, new TableSpec.Key(PID, "S"), new TableSpec.Key(SEQ, "N"), indexes, expiry);
    }

    static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }
}
