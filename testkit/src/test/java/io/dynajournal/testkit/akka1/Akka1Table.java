package io.dynajournal.testkit.akka1;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/** A table of 1.x, read and written without a layout; the keys are those of its documentation. */
record Akka1Table(DynamoDbAsyncClient client, String name) {

    private static Map<String, AttributeValue> key(String par, long num) {
        return Map.of("par", AttributeValue.fromS(par), "num", AttributeValue.fromN(Long.toString(num)));
    }

    private static String par(String id, long seqNr) {
        return "journal-P-" + id + "-" + seqNr / 100;
    }

    void removeEvent(String id, long seqNr) {
        remove(par(id, seqNr), seqNr % 100);
    }

    void remove(String par, long num) {
        Await.result(client.deleteItem(request -> request.tableName(name).key(key(par, num))));
    }

    Optional<Item> event(String id, long seqNr) {
        return item(par(id, seqNr), seqNr % 100);
    }

    /** The sequence number of a mark; 0 without one. */
    long mark(String kind, String id, int shard) {
        return item("journal-" + kind + "-" + id + "-" + shard, 0)
                .map(mark -> mark.number("seq"))
                .orElse(0L);
    }

    Optional<Item> item(String par, long num) {
        Map<String, AttributeValue> found = Await.result(client.getItem(
                        request -> request.tableName(name).consistentRead(true).key(key(par, num))))
                .item();
        return found.isEmpty() ? Optional.empty() : Optional.of(Item.of(found));
    }

    void put(Map<String, AttributeValue> item) {
        Await.result(client.putItem(request -> request.tableName(name).item(item)));
    }

    /** An event as the predecessor stores it. */
    Item eventItem(String id, long seqNr, String writer) {
        return Item.create()
                .text("par", par(id, seqNr))
                .number("num", seqNr % 100)
                .text("persistence_id", id)
                .number("seq", seqNr)
                .text("writer_uuid", writer)
                .number("ev_ser_id", 20)
                .bytes("event", ("e" + seqNr).getBytes(StandardCharsets.UTF_8));
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
}
