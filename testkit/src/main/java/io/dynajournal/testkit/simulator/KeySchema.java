package io.dynajournal.testkit.simulator;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;

/** The key attributes of a table or of an index. */
record KeySchema(Attribute hash, @Nullable Attribute range) {

    private static final int MAX_HASH_BYTES = 2048;
    private static final int MAX_RANGE_BYTES = 1024;

    /** @param type {@code S}, {@code N} or {@code B} */
    record Attribute(String name, String type) {}

    static KeySchema of(List<KeySchemaElement> schema, List<AttributeDefinition> definitions) {
        Attribute hash = null;
        Attribute range = null;
        for (KeySchemaElement element : schema) {
            Attribute attribute = new Attribute(element.attributeName(), typeOf(element.attributeName(), definitions));
            if (element.keyType() == KeyType.HASH) {
                hash = attribute;
            } else {
                range = attribute;
            }
        }
        if (hash == null) {
            throw Errors.validation("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
        }
        return new KeySchema(hash, range);
    }

    private static String typeOf(String name, List<AttributeDefinition> definitions) {
        return definitions.stream()
                .filter(definition -> definition.attributeName().equals(name))
                .findFirst()
                .orElseThrow(() -> Errors.validation("One or more parameter values were invalid: Some index key"
                        + " attributes are not defined in AttributeDefinitions. Keys: [" + name + "]"))
                .attributeTypeAsString();
    }

    List<String> names() {
        return attributes().map(Attribute::name).toList();
    }

    Stream<Attribute> attributes() {
        return Stream.concat(Stream.of(hash), Stream.ofNullable(range));
    }

    /** The key of an item that has one; null if an attribute is missing or of another type, as in a sparse index. */
    @Nullable
    ItemKey find(Map<String, AttributeValue> item) {
        if (!attributes().allMatch(attribute -> has(item, attribute))) {
            return null;
        }
        return key(item);
    }

    private static boolean has(Map<String, AttributeValue> item, Attribute attribute) {
        AttributeValue value = item.get(attribute.name);
        return value != null && Values.type(value).equals(attribute.type);
    }

    /** The caller has checked that the attributes are there. */
    private ItemKey key(Map<String, AttributeValue> item) {
        return new ItemKey(value(item, hash), range == null ? null : value(item, range));
    }

    private static KeyValue value(Map<String, AttributeValue> item, Attribute attribute) {
        return new KeyValue(Objects.requireNonNull(item.get(attribute.name)));
    }

    /** The key of an item that is written. */
    ItemKey of(Map<String, AttributeValue> item) {
        attributes().forEach(attribute -> check(item, attribute));
        return key(item);
    }

    /** A key on its own, without further attributes. */
    ItemKey exactly(Map<String, AttributeValue> key) {
        if (key.size() != (range == null ? 1 : 2) || !key.keySet().containsAll(names())) {
            throw Errors.validation("The provided key element does not match the schema");
        }
        attributes().forEach(attribute -> {
            AttributeValue value = key.get(attribute.name);
            if (value == null || !Values.type(value).equals(attribute.type)) {
                throw Errors.validation("The provided key element does not match the schema");
            }
            check(key, attribute);
        });
        return key(key);
    }

    private void check(Map<String, AttributeValue> item, Attribute attribute) {
        AttributeValue value = item.get(attribute.name);
        if (value == null) {
            throw Errors.validation(
                    "One or more parameter values were invalid: Missing the key " + attribute.name + " in the item");
        }
        if (!Values.type(value).equals(attribute.type)) {
            throw Errors.validation("One or more parameter values were invalid: Type mismatch for key " + attribute.name
                    + " expected: " + attribute.type + " actual: " + Values.type(value));
        }
        checkLength(value, attribute);
    }

    private void checkLength(AttributeValue value, Attribute attribute) {
        int length = value.s() != null
                ? Values.utf8(value.s()).length
                : value.b() != null ? value.b().asByteArrayUnsafe().length : 1;
        if (length == 0) {
            throw Errors.validation("One or more parameter values are not valid. The AttributeValue for a key"
                    + " attribute cannot contain an empty string value. Key: " + attribute.name);
        }
        int max = attribute.equals(hash) ? MAX_HASH_BYTES : MAX_RANGE_BYTES;
        if (length > max) {
            throw Errors.validation("One or more parameter values were invalid: Size of "
                    + (attribute.equals(hash) ? "hashkey" : "rangekey") + " has exceeded the maximum size limit of"
                    + max + " bytes");
        }
    }

    /** An item's index key may be absent, but not of another type or empty. */
    void checkIndexed(Map<String, AttributeValue> item, String index) {
        attributes().forEach(attribute -> {
            AttributeValue value = item.get(attribute.name);
            if (value == null) {
                return;
            }
            if (!Values.type(value).equals(attribute.type)) {
                throw Errors.validation("One or more parameter values were invalid: Type mismatch for Index Key "
                        + attribute.name + " Expected: " + attribute.type + " Actual: " + Values.type(value)
                        + " IndexName: " + index);
            }
            checkLength(value, attribute);
        });
    }

    Map<String, AttributeValue> only(Map<String, AttributeValue> item) {
        Map<String, AttributeValue> key = new HashMap<>();
        attributes().forEach(attribute -> key.put(attribute.name, item.get(attribute.name)));
        return key;
    }
}
