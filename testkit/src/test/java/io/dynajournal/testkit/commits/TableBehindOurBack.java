package io.dynajournal.testkit.commits;

import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What time to live, operators and accidents do to a journal table. */
final class TableBehindOurBack {

    private final DynamoDbAsyncClient client;
    private final String table;

    TableBehindOurBack(DynamoDbAsyncClient client, String table) {
        this.client = client;
        this.table = table;
    }

    private static Map<String, AttributeValue> key(String id, long seq) {
        return Map.of("pid", AttributeValue.fromS(id), "seq", AttributeValue.fromN(Long.toString(seq)));
    }

    List<Map<String, AttributeValue>> items(String id) {
        return client.query(query -> query.tableName(table)
                        .consistentRead(true)
                        .keyConditionExpression("pid = :pid")
                        .expressionAttributeValues(Map.of(":pid", AttributeValue.fromS(id))))
                .join()
                .items();
    }

    /** All items of the table, parts included. */
    int count() {
        return client.scan(scan -> scan.tableName(table).consistentRead(true))
                .join()
                .count();
    }

    void remove(String id, long seq) {
        client.deleteItem(delete -> delete.tableName(table).key(key(id, seq))).join();
    }

    void set(String id, long seq, String attribute, long value) {
        client.updateItem(update -> update.tableName(table)
                        .key(key(id, seq))
                        .updateExpression("SET #a = :v")
                        .conditionExpression("attribute_exists(pid)")
                        .expressionAttributeNames(Map.of("#a", attribute))
                        .expressionAttributeValues(Map.of(":v", AttributeValue.fromN(Long.toString(value)))))
                .join();
    }

    /** The item that keeps the highest number of a log whose commits expire. */
    void putFloor(String id, long highest) {
        client.putItem(put -> put.tableName(table)
                        .item(Map.of(
                                "pid",
                                AttributeValue.fromS(id),
                                "seq",
                                AttributeValue.fromN("0"),
                                "hi",
                                AttributeValue.fromN(Long.toString(highest)),
                                "id",
                                AttributeValue.fromS("0"),
                                "ts",
                                AttributeValue.fromN("1"))))
                .join();
    }

    /** What time to live does, all at once: removes the stubs that may go. */
    void expireStubs(String id) {
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
