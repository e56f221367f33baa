package io.dynajournal.internal.layout;

import io.dynajournal.internal.dynamo.Item;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The golden items of the predecessors: a corpus for tests of damaged items. */
public final class GoldenItems {

    private static final Path GOLDEN = Path.of("../testkit/src/main/resources/golden");

    /** Larger ones have the same shape as smaller ones, and take as many rounds as they have bits. */
    private static final int MAX_BYTES = 700;

    private static final int OF_EACH_SHAPE = 2;

    private GoldenItems() {}

    /** Some small items of each shape, which is the set of attributes, in one of a golden set's tables. */
    public static List<Item> ofEachShape(String set, String table) {
        Map<TreeSet<String>, List<Item>> shapes = new LinkedHashMap<>();
        for (Item item : all(set, table)) {
            List<Item> alike =
                    shapes.computeIfAbsent(new TreeSet<>(item.attributes().keySet()), shape -> new ArrayList<>());
            if (item.size() <= MAX_BYTES && alike.size() < OF_EACH_SHAPE) {
                alike.add(item);
            }
        }
        return shapes.values().stream().flatMap(List::stream).toList();
    }

    /** All items of one of a golden set's tables. */
    public static List<Item> all(String set, String table) {
        return read(set, table).stream().map(GoldenItems::item).toList();
    }

    private static Item item(JsonNode node) {
        return Item.of(attributes(node));
    }

    private static List<JsonNode> read(String set, String table) {
        try (InputStream in = Files.newInputStream(GOLDEN.resolve(set).resolve("items.json"))) {
            return Objects.requireNonNull(JsonNode.parser().parse(in).asObject().get(table), table)
                    .asArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, AttributeValue> attributes(JsonNode json) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>();
        json.asObject().forEach((name, value) -> attributes.put(name, attribute(value)));
        return attributes;
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
            case "M" -> AttributeValue.fromM(attributes(value));
            case "SS" ->
                AttributeValue.fromSs(
                        value.asArray().stream().map(JsonNode::asString).toList());
            default -> throw new AssertionError("no rule for an attribute of type " + only.getKey());
        };
    }
}
