package io.dynajournal.testkit.simulator;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The name, key and content of an index.
 *
 * @param local whether it is a local secondary index, which never lags
 * @param projected the attributes of its rows; null for all
 */
record IndexShape(
        String name,
        KeySchema schema,
        boolean local,
        @Nullable Set<String> projected) {

    Map<String, AttributeValue> project(Map<String, AttributeValue> item) {
        if (projected == null) {
            return item;
        }
        Map<String, AttributeValue> row = new HashMap<>(item);
        row.keySet().retainAll(projected);
        return row;
    }
}
