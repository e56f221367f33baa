package io.dynajournal.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Items that a real predecessor wrote, and what a correct reader recovers from them. */
public final class GoldenSet {

    private final JsonNode items;
    private final JsonNode facts;

    /**
     * Reads the set.
     *
     * @param name plugin and version, such as {@code akka-1.3.0}
     */
    public GoldenSet(String name) {
        this.items = parse("/golden/" + name + "/items.json");
        this.facts = parse("/golden/" + name + "/facts.json");
    }

    private static JsonNode parse(String path) {
        try (InputStream in = GoldenSet.class.getResourceAsStream(path)) {
            return JsonNode.parser().parse(Objects.requireNonNull(in, path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static JsonNode field(JsonNode node, String name) {
        return node.field(name).orElseThrow(() -> new AssertionError("no field " + name));
    }

    /** By persistence id. */
    public Map<String, JsonNode> facts() {
        return field(facts, "persistenceIds").asObject();
    }

    /** The names of the set's tables. */
    public Set<String> tables() {
        return items.asObject().keySet();
    }

    /** The items of one of the set's tables. */
    public List<Map<String, AttributeValue>> items(String golden) {
        return field(items, golden).asArray().stream().map(GoldenSet::item).toList();
    }

    private static Map<String, AttributeValue> item(JsonNode json) {
        Map<String, AttributeValue> attributes = new HashMap<>();
        json.asObject().forEach((name, value) -> attributes.put(name, attribute(value)));
        return attributes;
    }

    /** Puts the items of one of the set's tables into a table. */
    public void load(LocalDynamo local, String golden, String table) {
        items(golden)
                .forEach(item -> Await.result(
                        local.client().putItem(put -> put.tableName(table).item(item))));
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
            case "SS" -> AttributeValue.fromSs(strings(value));
            default -> throw new AssertionError("a golden item of type " + only.getKey());
        };
    }

    private static List<String> strings(JsonNode array) {
        return array.asArray().stream().map(JsonNode::asString).toList();
    }
}
