package io.dynajournal.testkit.commits;

import io.dynajournal.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/** A native table without its layout: for what time to live, operators and accidents do to its items. */
record JournalTable(DynamoDbAsyncClient client, String name) {

    private static Map<String, AttributeValue> key(String id, long seq) {
        return Map.of("pid", AttributeValue.fromS(id), "seq", AttributeValue.fromN(Long.toString(seq)));
    }

    /** The items of one persistence id, by ascending key. */
    List<Map<String, AttributeValue>> items(String id) {
        return Await.result(client.query(query -> query.tableName(name)
                        .consistentRead(true)
                        .keyConditionExpression("pid = :pid")
                        .expressionAttributeValues(Map.of(":pid", AttributeValue.fromS(id)))))
                .items();
    }

    /** All items of the table, parts and the registry included. */
    List<Map<String, AttributeValue>> allItems() {
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        @Nullable Map<String, AttributeValue> start = null;
        do {
            @Nullable Map<String, AttributeValue> from = start;
            ScanResponse page = Await.result(client.scan(
                    scan -> scan.tableName(name).consistentRead(true).exclusiveStartKey(from)));
            items.addAll(page.items());
            start = page.hasLastEvaluatedKey() ? page.lastEvaluatedKey() : null;
        } while (start != null);
        return items;
    }

    void remove(String id, long seq) {
        Await.result(client.deleteItem(delete -> delete.tableName(name).key(key(id, seq))));
    }

    void set(String id, long seq, String attribute, long value) {
        set(id, seq, attribute, AttributeValue.fromN(Long.toString(value)));
    }

    void set(String id, long seq, String attribute, AttributeValue value) {
        Await.result(client.updateItem(update -> update.tableName(name)
                .key(key(id, seq))
                .updateExpression("SET #a = :v")
                .conditionExpression("attribute_exists(pid)")
                .expressionAttributeNames(Map.of("#a", attribute))
                .expressionAttributeValues(Map.of(":v", value))));
    }

    /** The item that keeps the highest sequence number of a log whose commits expire. */
    void putFloor(String id, long highestSeqNr) {
        Await.result(client.putItem(put -> put.tableName(name)
                .item(Map.of(
                        "pid",
                        AttributeValue.fromS(id),
                        "seq",
                        AttributeValue.fromN("0"),
                        "hi",
                        AttributeValue.fromN(Long.toString(highestSeqNr)),
                        "id",
                        AttributeValue.fromS("0"),
                        "ts",
                        AttributeValue.fromN("1")))));
    }

    /** Removes every tombstone that may expire, as time to live does one by one. */
    void expireTombstones(String id) {
        for (Map<String, AttributeValue> item : items(id)) {
            if (!item.containsKey("ix") && item.containsKey("exp")) {
                remove(id, seq(item));
            }
        }
    }

    static long seq(Map<String, AttributeValue> item) {
        return number(item, "seq", 0);
    }

    static long number(Map<String, AttributeValue> item, String name, long otherwise) {
        AttributeValue value = item.get(name);
        return value == null ? otherwise : Long.parseLong(value.n());
    }
}
