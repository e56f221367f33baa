package io.dynajournal.internal.dynamo;

import io.dynajournal.exception.StoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An item of a table, read and written by attribute name. What is stored is untrusted: a missing attribute or one of
 * another type is a {@link StoreException.CorruptItem} that names table, key and attribute. Not thread-safe while it is being
 * filled.
 */
public final class Item {

    /** More than any entity reaches, and far from the end of a long. */
    private static final long MAX_SEQ_NR = 1L << 60;

    /**
     * The key attributes of the layouts. Messages show only these values, and of the first key that the item has: other attributes
     * may hold what users have entered.
     */
    private static final List<List<String>> KEYS = List.of(
            List.of("pid", "seq", "seq_nr"),
            List.of("par", "num", "seq"),
            List.of("pkey", "skey", "persistence-id", "sequence-nr"),
            List.of("key"));

    private final String table;
    private final List<String> keyNames;
    private final Map<String, AttributeValue> attributes;

    private Item(String table, List<String> keyNames, Map<String, AttributeValue> attributes) {
        this.table = table;
        this.keyNames = keyNames;
        this.attributes = attributes;
    }

    /** An empty item. */
    public static Item create() {
        return new Item("", List.of(), new LinkedHashMap<>());
    }

    /** An item of a table that messages do not name. */
    public static Item of(Map<String, AttributeValue> attributes) {
        return new Item("", List.of(), attributes);
    }

    /** An item that was read from a table. */
    public static Item of(String table, Map<String, AttributeValue> attributes) {
        return new Item(table, List.of(), attributes);
    }

    /** The same item, whose errors name its table and the values of its key attributes. */
    public Item in(String tableName, String... names) {
        return new Item(tableName, List.of(names), attributes);
    }

    public Map<String, AttributeValue> attributes() {
        return attributes;
    }

    public Item copy() {
        return new Item(table, keyNames, new LinkedHashMap<>(attributes));
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
     * Sets an attribute of the user's.
     *
     * @param value a string, a number, a boolean, a byte array, or a set of strings that is not empty
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
        throw new IllegalArgumentException("Column " + name + " has a value of type "
                + value.getClass().getName() + "; expected a string, a number, a boolean, a byte array, or a set of"
                + " strings that is not empty");
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

    /** The size of one attribute with its name; 0 if it is missing. */
    public int size(String name) {
        AttributeValue value = attributes.get(name);
        return value == null ? 0 : ItemSize.of(name, value);
    }

    public String text(String name) {
        AttributeValue value = present(name);
        if (value.s() == null) {
            throw corrupt(name, "is not a string", null);
        }
        return value.s();
    }

    public @Nullable String textOr(String name, @Nullable String otherwise) {
        return has(name) ? text(name) : otherwise;
    }

    public long number(String name) {
        AttributeValue value = present(name);
        if (value.n() == null) {
            throw corrupt(name, "is not a number", null);
        }
        try {
            return Long.parseLong(value.n());
        } catch (NumberFormatException e) {
            throw corrupt(name, "is not a whole number", e);
        }
    }

    /** A sequence number: not negative, and small enough that sums with it do not overflow. */
    public long seqNr(String name) {
        long seqNr = number(name);
        if (seqNr < 0 || seqNr > MAX_SEQ_NR) {
            throw corrupt(name, "is " + seqNr + " (expected 0 to " + MAX_SEQ_NR + ")", null);
        }
        return seqNr;
    }

    public long numberOr(String name, long otherwise) {
        return has(name) ? number(name) : otherwise;
    }

    public boolean flag(String name) {
        AttributeValue value = present(name);
        if (value.bool() == null) {
            throw corrupt(name, "is not a boolean", null);
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

    /** The strings of a set; none if the attribute is missing. */
    public Set<String> texts(String name) {
        if (!has(name)) {
            return Set.of();
        }
        AttributeValue value = present(name);
        if (!value.hasSs()) {
            throw corrupt(name, "is not a set of strings", null);
        }
        return Set.copyOf(value.ss());
    }

    /** Whether the attribute is present and true. */
    public boolean isTrue(String name) {
        return has(name) && Boolean.TRUE.equals(present(name).bool());
    }

    /**
     * The error for an attribute that cannot be read. Its message names the table and the key, never another value.
     *
     * @param problem such as "is missing"
     */
    public StoreException.CorruptItem corrupt(String name, String problem, @Nullable Throwable cause) {
        return new StoreException.CorruptItem(
                "Attribute " + name + " " + problem + " in the item " + key()
                        + (table.isEmpty() ? "" : " of table " + table) + ", which has the attributes "
                        + attributes.keySet() + ". Nothing was changed. Restore the item from a backup.",
                cause);
    }

    private AttributeValue present(String name) {
        AttributeValue value = attributes.get(name);
        if (value == null) {
            throw corrupt(name, "is missing", null);
        }
        return value;
    }

    /** An attribute for a message, such as {@code seq=12}. Only for key attributes. */
    String described(String name) {
        AttributeValue value = attributes.get(name);
        return name + "=" + (value == null ? "" : value.s() != null ? value.s() : value.n());
    }

    private String key() {
        List<String> names = keyNames.isEmpty()
                ? KEYS.stream().filter(known -> has(known.get(0))).findFirst().orElse(List.of())
                : keyNames;
        return names.stream().filter(this::has).map(this::described).toList().toString();
    }

    @Override
    public String toString() {
        return "Item" + key();
    }
}
