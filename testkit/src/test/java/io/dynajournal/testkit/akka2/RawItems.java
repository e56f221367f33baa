package io.dynajournal.testkit.akka2;

import io.dynajournal.testkit.Await;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/** The journal table, read and written without a layout. */
final class RawItems {

    private RawItems() {}

    static List<Map<String, AttributeValue>> all(DynamoDbAsyncClient client, String table) {
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        @Nullable Map<String, AttributeValue> start = null;
        do {
            @Nullable Map<String, AttributeValue> from = start;
            ScanResponse page = Await.result(client.scan(
                    request -> request.tableName(table).consistentRead(true).exclusiveStartKey(from)));
            items.addAll(page.items());
            start = page.hasLastEvaluatedKey() ? page.lastEvaluatedKey() : null;
        } while (start != null);
        return items;
    }

    static Map<String, AttributeValue> get(DynamoDbAsyncClient client, String table, String id, long seqNr) {
        return Await.result(client.getItem(
                        request -> request.tableName(table).consistentRead(true).key(key(id, seqNr))))
                .item();
    }

    static void put(DynamoDbAsyncClient client, String table, Map<String, AttributeValue> item) {
        Await.result(client.putItem(request -> request.tableName(table).item(item)));
    }

    static void remove(DynamoDbAsyncClient client, String table, String id, long seqNr) {
        Await.result(client.deleteItem(request -> request.tableName(table).key(key(id, seqNr))));
    }

    /** Changes a stored item. */
    static void change(
            DynamoDbAsyncClient client,
            String table,
            String id,
            long seqNr,
            Consumer<Map<String, AttributeValue>> change) {
        Map<String, AttributeValue> item = new HashMap<>(get(client, table, id, seqNr));
        change.accept(item);
        put(client, table, item);
    }

    static Map<String, AttributeValue> key(String id, long seqNr) {
        return Map.of("pid", AttributeValue.fromS(id), "seq_nr", AttributeValue.fromN(Long.toString(seqNr)));
    }
}
