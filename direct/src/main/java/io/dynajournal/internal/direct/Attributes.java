package io.dynajournal.internal.direct;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Attribute values in DynamoDB's JSON: an object whose only name is the type. */
final class Attributes {

    /** DynamoDB allows 32 levels. */
    private static final int MAX_DEPTH = 64;

    private Attributes() {}

    static void write(JsonWriter json, Map<String, AttributeValue> attributes) {
        json.beginObject();
        attributes.forEach((name, value) -> write(json.name(name), value));
        json.endObject();
    }

    static void write(JsonWriter json, AttributeValue value) {
        json.beginObject();
        switch (value.type()) {
            case S -> json.name("S").text(value.s());
            case N -> json.name("N").text(value.n());
            case B -> json.name("B").base64(value.b().asByteArrayUnsafe());
            case BOOL -> json.name("BOOL").bare(value.bool());
            case NUL -> json.name("NULL").bare(value.nul());
            case SS -> texts(json.name("SS"), value.ss());
            case NS -> texts(json.name("NS"), value.ns());
            case BS -> {
                json.name("BS").beginList();
                value.bs().forEach(bytes -> json.base64(bytes.asByteArrayUnsafe()));
                json.endList();
            }
            case L -> {
                json.name("L").beginList();
                value.l().forEach(each -> write(json, each));
                json.endList();
            }
            case M -> write(json.name("M"), value.m());
            case UNKNOWN_TO_SDK_VERSION -> throw new IllegalArgumentException("An attribute has no value");
        }
        json.endObject();
    }

    private static void texts(JsonWriter json, List<String> texts) {
        json.beginList();
        texts.forEach(json::text);
        json.endList();
    }

    static Map<String, AttributeValue> read(JsonReader json) {
        return read(json, 0);
    }

    private static Map<String, AttributeValue> read(JsonReader json, int depth) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>();
        json.beginObject();
        for (@Nullable String name = json.nextName(); name != null; name = json.nextName()) {
            attributes.put(name, value(json, depth));
        }
        return attributes;
    }

    private static AttributeValue value(JsonReader json, int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("An attribute has more than " + MAX_DEPTH + " levels");
        }
        json.beginObject();
        @Nullable String type = json.nextName();
        if (type == null) {
            throw new IllegalArgumentException("An attribute has no value");
        }
        AttributeValue value = switch (type) {
            case "S" -> AttributeValue.fromS(json.text());
            case "N" -> AttributeValue.fromN(json.text());
            case "B" -> AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(json.base64()));
            case "BOOL" -> AttributeValue.fromBool(json.flag());
            case "NULL" -> AttributeValue.fromNul(json.flag());
            case "SS" -> AttributeValue.fromSs(list(json, JsonReader::text));
            case "NS" -> AttributeValue.fromNs(list(json, JsonReader::text));
            case "BS" -> AttributeValue.fromBs(list(json, each -> SdkBytes.fromByteArrayUnsafe(each.base64())));
            case "L" -> AttributeValue.fromL(list(json, each -> value(each, depth + 1)));
            case "M" -> AttributeValue.fromM(read(json, depth + 1));
            default -> throw new IllegalArgumentException("An attribute has the unknown type " + type);
        };
        if (json.nextName() != null) {
            throw new IllegalArgumentException("An attribute has two values");
        }
        return value;
    }

    interface Element<T> {
        T read(JsonReader json);
    }

    static <T> List<T> list(JsonReader json, Element<T> element) {
        List<T> list = new ArrayList<>();
        json.beginList();
        while (json.hasNext()) {
            list.add(element.read(json));
        }
        return list;
    }
}
