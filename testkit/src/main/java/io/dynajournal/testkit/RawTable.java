package io.dynajournal.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/** The items of a table with the key {@code pid} and {@code seq}, read and removed without a layout. */
record RawTable(DynamoDbAsyncClient client, String name) {

    void remove(String persistenceId, long seqNr) {
        Await.result(client.deleteItem(request -> request.tableName(name).key(key(persistenceId, seqNr))));
    }

    List<Map<String, AttributeValue>> items() {
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        @Nullable Map<String, AttributeValue> start = null;
        do {
            @Nullable Map<String, AttributeValue> from = start;
            ScanResponse page = Await.result(client.scan(
                    request -> request.tableName(name).consistentRead(true).exclusiveStartKey(from)));
            items.addAll(page.items());
            start = page.hasLastEvaluatedKey() ? page.lastEvaluatedKey() : null;
        } while (start != null);
        return items;
    }

    private static Map<String, AttributeValue> key(String persistenceId, long seqNr) {
        return Map.of("pid", AttributeValue.fromS(persistenceId), "seq", AttributeValue.fromN(Long.toString(seqNr)));
    }
}
