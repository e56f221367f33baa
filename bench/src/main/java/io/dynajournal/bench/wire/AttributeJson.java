package io.dynajournal.bench.wire;

import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads attribute values from the JSON of requests; only the types that journals and projections write. */
final class AttributeJson {

    private AttributeJson() {}

    static Map<String, AttributeValue> item(Map<String, JsonNode> attributes) {
        Map<String, AttributeValue> item = new HashMap<>();
        attributes.forEach((name, value) -> item.put(name, value(value)));
        return item;
    }

    static AttributeValue value(JsonNode node) {
        Map.Entry<String, JsonNode> typed =
                node.asObject().entrySet().iterator().next();
        JsonNode value = typed.getValue();
        return switch (typed.getKey()) {
            case "S" -> AttributeValue.fromS(value.asString());
            case "N" -> AttributeValue.fromN(value.asString());
            case "B" ->
                AttributeValue.fromB(
                        SdkBytes.fromByteArrayUnsafe(Base64.getDecoder().decode(value.asString())));
            case "BOOL" -> AttributeValue.fromBool(value.asBoolean());
            case "SS" ->
                AttributeValue.fromSs(
                        value.asArray().stream().map(JsonNode::asString).toList());
            case "L" ->
                AttributeValue.fromL(
                        value.asArray().stream().map(AttributeJson::value).toList());
            case "M" -> AttributeValue.fromM(item(value.asObject()));
            default -> throw new IllegalArgumentException("no size rule for attribute type " + typed.getKey());
        };
    }
}
