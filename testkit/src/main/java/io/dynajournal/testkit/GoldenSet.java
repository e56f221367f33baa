package io.dynajournal.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Items that a release of a predecessor wrote, and what a correct reader recovers from them. */
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

    /** A field that must be there. */
    public static JsonNode field(JsonNode node, String name) {
        return node.field(name).orElseThrow(() -> new AssertionError("no field " + name));
    }

    /** What a correct reader recovers, by persistence id. */
    public Map<String, JsonNode> facts() {
        return field(facts, "persistenceIds").asObject();
    }

    /** The names of the set's tables. */
    public Set<String> tables() {
        return items.asObject().keySet();
    }

    /** The items of one of the set's tables. */
    public List<Map<String, AttributeValue>> items(String golden) {
        return field(items, golden).asArray().stream().map(AttributeJson::item).toList();
    }

    /** Puts the items of one of the set's tables into a table. */
    public void load(LocalDynamo local, String golden, String table) {
        items(golden)
                .forEach(item -> Await.result(
                        local.client().putItem(put -> put.tableName(table).item(item))));
    }
}
