package io.dynajournal.internal.dynamo;

import java.util.List;
import java.util.stream.Collectors;

/**
 * An item to put where none is yet.
 *
 * @param keyNames names of the table's key attributes, partition key first
 * @param deadline by {@link ClientScheduler#nanoTime}
 */
record Insert(String table, Item item, List<String> keyNames, long deadline) {

    String partitionKeyName() {
        return keyNames.get(0);
    }

    String partitionKey() {
        return item.text(partitionKeyName());
    }

    /** For messages. */
    String key() {
        return keyNames.stream().map(item::described).collect(Collectors.joining(", "));
    }
}
