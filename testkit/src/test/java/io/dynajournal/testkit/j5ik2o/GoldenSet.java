package io.dynajournal.testkit.j5ik2o;

import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.LocalDynamo;
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
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The items that j5ik2o's 1.16.492 wrote, and what is in them. */
final class GoldenSet {

    private static final String FOLDER = "/golden/j5ik2o-1.16.492/";

    private final JsonNode items = parse("items.json");
    private final JsonNode facts = parse("facts.json");

    private static JsonNode parse(String name) {
        try (InputStream in = GoldenSet.class.getResourceAsStream(FOLDER + name)) {
            return JsonNode.parser().parse(Objects.requireNonNull(in, name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode field(JsonNode node, String name) {
        return node.field(name).orElseThrow(() -> new AssertionError("no field " + name));
    }

    Map<String, JsonNode> facts() {
        return field(facts, "persistenceIds").asObject();
    }

    List<Map<String, AttributeValue>> items(String table) {
        List<Map<String, AttributeValue>> found = new ArrayList<>();
        for (JsonNode item : field(items, table).asArray()) {
            Map<String, AttributeValue> attributes = new HashMap<>();
            item.asObject().forEach((name, value) -> attributes.put(name, attribute(value)));
            found.add(attributes);
        }
        return found;
    }

    private static AttributeValue attribute(JsonNode typed) {
        Map.Entry<String, JsonNode> only =
                typed.asObject().entrySet().iterator().next();
        JsonNode value = only.getValue();
        return switch (only.getKey()) {
            case "S" -> AttributeValue.fromS(value.asString());
            case "N" -> AttributeValue.fromN(value.asString());
            case "BOOL" -> AttributeValue.fromBool(value.asBoolean());
            case "B" ->
                AttributeValue.fromB(SdkBytes.fromByteArray(Base64.getDecoder().decode(value.asString())));
            default -> throw new AssertionError("a golden item of type " + only.getKey());
        };
    }

    /** Puts the items of a golden table into one of ours. */
    void load(LocalDynamo local, String golden, String table) {
        items(golden)
                .forEach(item -> Await.result(
                        local.client().putItem(put -> put.tableName(table).item(item))));
    }
}
