package io.dynajournal.dynamo;

import io.dynajournal.store.StoreException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An item of a table, read and written by attribute name. What is stored is untrusted: a missing attribute or one of
 * another type is a {@link StoreException.CorruptItem} that names it. Not thread-safe while it is being filled.
 */
public final class Item {

    private final Map<String, AttributeValue> attributes;

    private Item(Map<String, AttributeValue> attributes) {
        this.attributes = attributes;
    }

    public static Item create() {
        return new Item(new LinkedHashMap<>());
    }

    public static Item of(Map<String, AttributeValue> attributes) {
        return new Item(attributes);
    }

    public Map<String, AttributeValue> attributes() {
        return attributes;
    }

    public Item copy() {
        return new Item(new LinkedHashMap<>(attributes));
    }

    public Item text(String name, String value) {
        attributes.put(name, AttributeValue.fromS(value));
        return this;
    }

    public Item number(String name, long value) {
        attributes.put(name, AttributeValue.fromN(Long.toString(value)));
        return this;
    }

    /** The array is not copied. */
    public Item bytes(String name, byte[] value) {
        attributes.put(name, AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(value)));
        return this;
    }

    public Item flag(String name, boolean value) {
        attributes.put(name, AttributeValue.fromBool(value));
        return this;
    }

    public Item texts(String name, Set<String> values) {
        attributes.put(name, AttributeValue.fromSs(values.stream().sorted().toList()));
        return this;
    }

    /**
     * A value of the user's own.
     *
     * @param value a text, a number, a boolean, bytes, or a set of texts that is not empty
     */
    public Item value(String name, Object value) {
        attributes.put(name, attribute(name, value));
        return this;
    }

    private static AttributeValue attribute(String name, Object value) {
        if (value instanceof String text) {
            return AttributeValue.fromS(text);
        }
        if (value instanceof Number number) {
            return AttributeValue.fromN(number.toString());
        }
        if (value instanceof Boolean flag) {
            return AttributeValue.fromBool(flag);
        }
        if (value instanceof byte[] bytes) {
            return AttributeValue.fromB(SdkBytes.fromByteArray(bytes));
        }
        if (value instanceof Set<?> texts && !texts.isEmpty() && texts.stream().allMatch(String.class::isInstance)) {
            return AttributeValue.fromSs(
                    texts.stream().map(String.class::cast).sorted().toList());
        }
        throw new IllegalArgumentException("Column " + name + " has a value of the type "
                + value.getClass().getName() + ": use a text, a number, a boolean, bytes, or a set of texts that is not"
                + " empty");
    }

    public Item without(String name) {
        attributes.remove(name);
        return this;
    }

    public boolean has(String name) {
        return attributes.containsKey(name);
    }

    public boolean isEmpty() {
        return attributes.isEmpty();
    }

    /** The size by which DynamoDB bills and limits. */
    public int size() {
        return ItemSize.of(attributes);
    }

    /** What an attribute adds to that; 0 if it is not there. */
    public int size(String name) {
        AttributeValue value = attributes.get(name);
        return value == null ? 0 : ItemSize.of(name, value);
    }

    public String text(String name) {
        AttributeValue value = present(name);
        if (value.s() == null) {
            throw corrupt(name, "is no string", null);
        }
        return value.s();
    }

    public @Nullable String textOr(String name, @Nullable String otherwise) {
        return has(name) ? text(name) : otherwise;
    }

    public long number(String name) {
        AttributeValue value = present(name);
        if (value.n() == null) {
            throw corrupt(name, "is no number", null);
        }
        try {
            return Long.parseLong(value.n());
        } catch (NumberFormatException e) {
            throw corrupt(name, "is no whole number", e);
        }
    }

    public long numberOr(String name, long otherwise) {
        return has(name) ? number(name) : otherwise;
    }

    public boolean flag(String name) {
        AttributeValue value = present(name);
        if (value.bool() == null) {
            throw corrupt(name, "is neither true nor false", null);
        }
        return value.bool();
    }

    /** The array is not copied: do not change it. */
    public byte[] bytes(String name) {
        AttributeValue value = present(name);
        if (value.b() == null) {
            throw corrupt(name, "is not binary", null);
        }
        return value.b().asByteArrayUnsafe();
    }

    /** The strings of a set; none if the attribute is not there. */
    public Set<String> texts(String name) {
        if (!has(name)) {
            return Set.of();
        }
        AttributeValue value = present(name);
        if (!value.hasSs()) {
            throw corrupt(name, "is no set of strings", null);
        }
        return Set.copyOf(value.ss());
    }

    /** Whether the attribute is there and true. */
    public boolean isTrue(String name) {
        return has(name) && Boolean.TRUE.equals(present(name).bool());
    }

    /** What to say when this item cannot be read; the keys are named, never the payload. */
    public StoreException.CorruptItem corrupt(String name, String problem, @Nullable Throwable cause) {
        return new StoreException.CorruptItem("Attribute " + name + " " + problem + " in the item " + keys(), cause);
    }

    private AttributeValue present(String name) {
        AttributeValue value = attributes.get(name);
        if (value == null) {
            throw corrupt(name, "is missing", null);
        }
        return value;
    }

    /** Strings and numbers of up to 200 characters: keys, counts and names, but no payload. */
    private String keys() {
        StringBuilder text = new StringBuilder("[");
        attributes.forEach((name, value) -> {
            String shown = value.s() != null ? value.s() : value.n();
            if (shown != null && shown.length() <= 200) {
                text.append(text.length() > 1 ? ", " : "")
                        .append(name)
                        .append('=')
                        .append(shown);
            }
        });
        return text.append(']').toString();
    }

    @Override
    public String toString() {
        return "Item" + keys();
    }
}
