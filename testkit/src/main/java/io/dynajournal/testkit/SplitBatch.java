package io.dynajournal.testkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.protocols.jsoncore.JsonWriter;

/** Splits a BatchWriteItem into the writes that DynamoDB receives, and those that are returned as unprocessed. */
final class SplitBatch {

    private static final String REQUEST = "RequestItems";
    private static final String UNPROCESSED = "UnprocessedItems";

    private final Map<String, JsonNode> request;
    private final Map<String, List<JsonNode>> processed = new LinkedHashMap<>();
    private final Map<String, List<JsonNode>> left = new LinkedHashMap<>();

    SplitBatch(String request, int keep) {
        this.request = JsonNode.parser().parse(request).asObject();
        int kept = 0;
        for (Map.Entry<String, JsonNode> table :
                node(this.request, REQUEST).asObject().entrySet()) {
            for (JsonNode write : table.getValue().asArray()) {
                (kept++ < keep ? processed : left)
                        .computeIfAbsent(table.getKey(), name -> new ArrayList<>())
                        .add(write);
            }
        }
    }

    /** Whether no write is left to send; DynamoDB rejects an empty batch. */
    boolean keepsNothing() {
        return processed.isEmpty();
    }

    byte[] request() {
        return with(request, REQUEST, processed);
    }

    byte[] response(byte[] response) {
        return with(
                JsonNode.parser()
                        .parse(new String(response, StandardCharsets.UTF_8))
                        .asObject(),
                UNPROCESSED,
                left);
    }

    byte[] responseToNothing() {
        return with(Map.of(), UNPROCESSED, left);
    }

    private static JsonNode node(Map<String, JsonNode> object, String name) {
        JsonNode node = object.get(name);
        if (node == null) {
            throw new IllegalArgumentException("no " + name + " in the request");
        }
        return node;
    }

    private static byte[] with(Map<String, JsonNode> object, String name, Map<String, List<JsonNode>> writes) {
        JsonWriter json = JsonWriter.create().writeStartObject();
        object.forEach((key, value) -> {
            if (!key.equals(name)) {
                write(value, json.writeFieldName(key));
            }
        });
        json.writeFieldName(name).writeStartObject();
        writes.forEach((table, nodes) -> {
            json.writeFieldName(table).writeStartArray();
            nodes.forEach(node -> write(node, json));
            json.writeEndArray();
        });
        return json.writeEndObject().writeEndObject().getBytes();
    }

    static void write(JsonNode node, JsonWriter json) {
        if (node.isObject()) {
            json.writeStartObject();
            node.asObject().forEach((name, value) -> write(value, json.writeFieldName(name)));
            json.writeEndObject();
        } else if (node.isArray()) {
            json.writeStartArray();
            node.asArray().forEach(value -> write(value, json));
            json.writeEndArray();
        } else if (node.isString()) {
            json.writeValue(node.asString());
        } else if (node.isNumber()) {
            json.writeNumber(node.asNumber());
        } else if (node.isBoolean()) {
            json.writeValue(node.asBoolean());
        } else {
            json.writeNull();
        }
    }
}
