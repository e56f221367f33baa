package io.dynajournal.testkit;

import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Items in DynamoDB's JSON, such as {@code {"pid": {"S": "cart-1"}}}. */
final class AttributeJson {

    private AttributeJson() {}

    static Map<String, AttributeValue> item(JsonNode json) {
        Map<String, AttributeValue> attributes = new HashMap<>();
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
            case "M" -> AttributeValue.fromM(item(value));
            case "SS" -> AttributeValue.fromSs(strings(value));
            default -> throw new AssertionError("no rule for an attribute of type " + only.getKey());
        };
    }

    private static List<String> strings(JsonNode array) {
        return array.asArray().stream().map(JsonNode::asString).toList();
    }
}
