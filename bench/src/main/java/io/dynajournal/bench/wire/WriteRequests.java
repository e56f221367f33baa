package io.dynajournal.bench.wire;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the item writes in requests, with their partition keys and write units. Not thread-safe. */
final class WriteRequests {

    private static final int BYTES_PER_UNIT = 1024;

    private final Map<String, String> keyAttributes;
    private final Map<String, InsertStatement.Columns> statements = new HashMap<>();

    /** @param keyAttributes the name of the partition key by table */
    WriteRequests(Map<String, String> keyAttributes) {
        this.keyAttributes = Map.copyOf(keyAttributes);
    }

    /** The writes in the order of the request; empty for reads. */
    List<ItemWrite> of(String operation, JsonScanner body) {
        return switch (operation) {
            case "PutItem", "UpdateItem", "DeleteItem" -> List.of(single(body));
            case "BatchWriteItem" -> batch(body);
            case "TransactWriteItems" -> transaction(body);
            case "BatchExecuteStatement" -> statements(body);
            default -> List.of();
        };
    }

    /** An object with a table, and an item or a key. */
    private ItemWrite single(JsonScanner body) {
        String table = "";
        int item = 0;
        body.open('{');
        while (body.hasMore('}')) {
            switch (body.name()) {
                case "TableName" -> table = body.string();
                case "Item", "Key" -> {
                    item = body.position();
                    body.skipValue();
                }
                default -> body.skipValue();
            }
        }
        return write(table, body.at(item), "");
    }

    private List<ItemWrite> batch(JsonScanner body) {
        List<ItemWrite> writes = new ArrayList<>();
        body.open('{');
        while (body.hasMore('}')) {
            if (body.name().equals("RequestItems")) {
                body.open('{');
                while (body.hasMore('}')) {
                    String table = body.name();
                    body.open('[');
                    while (body.hasMore(']')) {
                        writes.add(batchMember(table, body));
                    }
                }
            } else {
                body.skipValue();
            }
        }
        return writes;
    }

    /** {@code {"PutRequest":{"Item":…}}} or {@code {"DeleteRequest":{"Key":…}}}. */
    private ItemWrite batchMember(String table, JsonScanner body) {
        int from = body.position();
        body.skipValue();
        JsonScanner member = body.at(from);
        member.open('{');
        member.name();
        member.open('{');
        member.name();
        return write(table, member, body.text(from, body.position()));
    }

    private List<ItemWrite> transaction(JsonScanner body) {
        List<ItemWrite> writes = new ArrayList<>();
        body.open('{');
        while (body.hasMore('}')) {
            if (body.name().equals("TransactItems")) {
                body.open('[');
                while (body.hasMore(']')) {
                    body.open('{');
                    body.name();
                    writes.add(single(body));
                    body.hasMore('}');
                }
            } else {
                body.skipValue();
            }
        }
        return writes;
    }

    private List<ItemWrite> statements(JsonScanner body) {
        List<ItemWrite> writes = new ArrayList<>();
        body.open('{');
        while (body.hasMore('}')) {
            if (body.name().equals("Statements")) {
                body.open('[');
                while (body.hasMore(']')) {
                    writes.add(statement(body));
                }
            } else {
                body.skipValue();
            }
        }
        return writes;
    }

    private ItemWrite statement(JsonScanner body) {
        String text = "";
        int parameters = 0;
        body.open('{');
        while (body.hasMore('}')) {
            switch (body.name()) {
                case "Statement" -> text = body.string();
                case "Parameters" -> {
                    parameters = body.position();
                    body.skipValue();
                }
                default -> body.skipValue();
            }
        }
        InsertStatement.Columns columns =
                statements.computeIfAbsent(text, escaped -> InsertStatement.columns(escaped.replace("\\\"", "\"")));
        Size size = new Size(columns.table(), keyAttribute(columns.table()));
        JsonScanner values = body.at(parameters);
        values.open('[');
        for (String name : columns.names()) {
            if (!values.hasMore(']')) {
                throw new IllegalArgumentException("too few parameters for " + text);
            }
            size.add(name, values);
        }
        return size.write("");
    }

    private ItemWrite write(String table, JsonScanner item, String json) {
        Size size = new Size(table, keyAttribute(table));
        item.open('{');
        while (item.hasMore('}')) {
            size.add(item.name(), item);
        }
        return size.write(json);
    }

    private String keyAttribute(String table) {
        String name = keyAttributes.get(table);
        if (name == null) {
            throw new IllegalArgumentException("unknown table " + table);
        }
        return name;
    }

    /** Adds up an item's attributes. */
    private static final class Size {

        private final String table;
        private final String keyAttribute;
        private String key = "";
        private int bytes;

        Size(String table, String keyAttribute) {
            this.table = table;
            this.keyAttribute = keyAttribute;
        }

        /** The scanner is before the attribute's value, such as {@code {"S":"a"}}. */
        void add(String name, JsonScanner value) {
            value.open('{');
            String type = value.name();
            int from = value.position();
            value.skipValue();
            int length = value.position() - from;
            if (name.equals(keyAttribute)) {
                key = value.text(from, value.position());
            }
            value.hasMore('}');
            bytes += name.length() + stored(type, length);
        }

        /** @param length of the JSON, quotes included */
        private static int stored(String type, int length) {
            return switch (type) {
                case "B" -> (length - 2) * 3 / 4;
                case "N" -> (length - 2) / 2 + 1;
                default -> length - 2;
            };
        }

        ItemWrite write(String json) {
            if (key.isEmpty()) {
                throw new IllegalArgumentException("no partition key " + keyAttribute + " in a write to " + table);
            }
            return new ItemWrite(
                    table, table + " " + key, Math.max(1, (bytes + BYTES_PER_UNIT - 1) / BYTES_PER_UNIT), json);
        }
    }
}
