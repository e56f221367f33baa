package io.dynajournal.testkit.akka2;

import io.dynajournal.testkit.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Items that the predecessor wrote, and what a correct reader makes of them. */
record GoldenTables(Map<String, List<Map<String, AttributeValue>>> items, Map<String, JsonNode> facts) {

    private static final String FOLDER = "/golden/akka-2.0.12/";

    static GoldenTables load() {
        Map<String, List<Map<String, AttributeValue>>> tables = new HashMap<>();
        json("items.json").asObject().forEach((table, nodes) -> {
            List<Map<String, AttributeValue>> items = new ArrayList<>();
            nodes.asArray().forEach(node -> items.add(item(node)));
            tables.put(table, items);
        });
        return new GoldenTables(
                tables,
                Objects.requireNonNull(json("facts.json").asObject().get("persistenceIds"))
                        .asObject());
    }

    List<Map<String, AttributeValue>> of(String table) {
        return Objects.requireNonNull(items.get(table));
    }

    void putInto(DynamoDbAsyncClient client, String from, String into) {
        of(from).forEach(item ->
                Await.result(client.putItem(request -> request.tableName(into).item(item))));
    }

    private static JsonNode json(String name) {
        try (InputStream in = GoldenTables.class.getResourceAsStream(FOLDER + name)) {
            return JsonNode.parser().parse(Objects.requireNonNull(in, name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, AttributeValue> item(JsonNode node) {
        Map<String, AttributeValue> item = new HashMap<>();
        node.asObject()
                .forEach((name, typed) ->
                        typed.asObject().forEach((type, value) -> item.put(name, value(type, value))));
        return item;
    }

    private static AttributeValue value(String type, JsonNode value) {
        return switch (type) {
            case "S" -> AttributeValue.fromS(value.asString());
            case "N" -> AttributeValue.fromN(value.asString());
            case "B" ->
                AttributeValue.fromB(SdkBytes.fromByteArray(Base64.getDecoder().decode(value.asString())));
            case "BOOL" -> AttributeValue.fromBool(value.asBoolean());
            case "SS" ->
                AttributeValue.fromSs(
                        value.asArray().stream().map(JsonNode::asString).toList());
            default -> throw new IllegalArgumentException(type);
        };
    }
}
