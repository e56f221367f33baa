package io.dynajournal.testkit;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.protocols.jsoncore.JsonWriter;

/** Removes items from a response. */
final class ShownItems {

    private static final String ITEMS = "Items";

    private ShownItems() {}

    static byte[] of(byte[] response, Predicate<Map<String, JsonNode>> shown) {
        Map<String, JsonNode> answer = JsonNode.parser()
                .parse(new String(response, StandardCharsets.UTF_8))
                .asObject();
        JsonNode items = answer.get(ITEMS);
        if (items == null) {
            return response;
        }
        List<JsonNode> left = items.asArray().stream()
                .filter(item -> shown.test(item.asObject()))
                .toList();
        JsonWriter json = JsonWriter.create().writeStartObject();
        answer.forEach((name, value) -> {
            if (!name.equals(ITEMS)) {
                SplitBatch.write(value, json.writeFieldName(name));
            }
        });
        json.writeFieldName(ITEMS).writeStartArray();
        left.forEach(item -> SplitBatch.write(item, json));
        return json.writeEndArray().writeEndObject().getBytes();
    }
}
