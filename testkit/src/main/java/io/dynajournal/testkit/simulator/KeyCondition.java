package io.dynajournal.testkit.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of one partition a query reads.
 *
 * @param sort null for all rows of the partition
 */
record KeyCondition(KeyValue hash, @Nullable Condition sort) {

    private static final String KIND = "KeyConditionExpression";

    static KeyCondition parse(String text, KeySchema schema, Placeholders placeholders) {
        Condition whole = ExpressionParser.condition(KIND, text, placeholders);
        List<Condition> parts = new ArrayList<>();
        split(whole, parts);
        KeyValue hash = null;
        Condition sort = null;
        for (Condition part : parts) {
            KeyValue equal = hash == null ? hashValue(part, schema) : null;
            if (equal != null) {
                hash = equal;
            } else if (sort == null && isSort(part, schema)) {
                sort = part;
            } else {
                throw Errors.validation("Query key condition not supported");
            }
        }
        if (hash == null) {
            throw Errors.validation("Query condition missed key schema element: "
                    + schema.hash().name());
        }
        return new KeyCondition(hash, sort);
    }

    private static void split(Condition condition, List<Condition> parts) {
        if (condition instanceof Condition.And and) {
            split(and.one(), parts);
            split(and.other(), parts);
        } else {
            parts.add(condition);
        }
    }

    private static @Nullable KeyValue hashValue(Condition part, KeySchema schema) {
        if (part instanceof Condition.Comparison comparison
                && comparison.operator().equals("=")
                && isAttribute(comparison.left(), schema.hash().name())
                && comparison.right() instanceof Operand.OfValue value) {
            if (!Values.type(value.value()).equals(schema.hash().type())) {
                throw Errors.validation(
                        "One or more parameter values were invalid: Condition parameter type does not match schema type");
            }
            return new KeyValue(value.value());
        }
        return null;
    }

    private static boolean isSort(Condition part, KeySchema schema) {
        if (schema.range() == null) {
            return false;
        }
        String name = schema.range().name();
        String type = schema.range().type();
        if (part instanceof Condition.Comparison comparison) {
            return !comparison.operator().equals("<>")
                    && isAttribute(comparison.left(), name)
                    && isOfType(comparison.right(), type);
        }
        if (part instanceof Condition.Between between) {
            return isAttribute(between.value(), name)
                    && isOfType(between.low(), type)
                    && isOfType(between.high(), type);
        }
        return part instanceof Condition.BeginsWith prefix
                && isAttribute(prefix.value(), name)
                && isOfType(prefix.prefix(), type);
    }

    private static boolean isOfType(Operand operand, String type) {
        if (operand instanceof Operand.OfValue value
                && !Values.type(value.value()).equals(type)) {
            throw Errors.validation(
                    "One or more parameter values were invalid: Condition parameter type does not match schema type");
        }
        return operand instanceof Operand.OfValue;
    }

    private static boolean isAttribute(Operand operand, String name) {
        return operand instanceof Operand.OfPath path
                && path.path().isTopLevel()
                && path.path().name().equals(name);
    }

    /** The rows that the condition selects. */
    NavigableMap<Rows.Position, Rows.Row> within(NavigableMap<Rows.Position, Rows.Row> partition) {
        KeyValue low = low();
        NavigableMap<Rows.Position, Rows.Row> from =
                low == null ? partition : partition.tailMap(new Rows.Position(low, null), true);
        if (sort == null) {
            return from;
        }
        NavigableMap<Rows.Position, Rows.Row> selected = new TreeMap<>();
        boolean ended = false;
        for (Map.Entry<Rows.Position, Rows.Row> row : from.entrySet()) {
            if (sort.test(row.getValue().item())) {
                selected.put(row.getKey(), row.getValue());
                ended = true;
            } else if (ended) {
                break; // Every condition on the sort key selects a contiguous range.
            }
        }
        return selected;
    }

    private @Nullable KeyValue low() {
        if (sort instanceof Condition.Between between && between.low() instanceof Operand.OfValue value) {
            return new KeyValue(value.value());
        }
        if (sort instanceof Condition.BeginsWith prefix && prefix.prefix() instanceof Operand.OfValue value) {
            return new KeyValue(value.value());
        }
        if (sort instanceof Condition.Comparison comparison
                && !comparison.operator().startsWith("<")
                && comparison.right() instanceof Operand.OfValue value) {
            return new KeyValue(value.value());
        }
        return null;
    }
}
