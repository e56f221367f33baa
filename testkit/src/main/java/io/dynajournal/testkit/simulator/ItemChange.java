package io.dynajournal.testkit.simulator;

import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A put, an update, a delete or a condition check of one item, checked but not carried out. */
final class ItemChange {

    private final Table table;
    private final ItemKey key;
    private final @Nullable Condition condition;
    private final UnaryOperator<Map<String, AttributeValue>> change;
    private final boolean update;

    private ItemChange(
            Table table,
            ItemKey key,
            @Nullable Condition condition,
            UnaryOperator<Map<String, AttributeValue>> change,
            boolean update) {
        this.table = table;
        this.key = key;
        this.condition = condition;
        this.change = change;
        this.update = update;
    }

    /** The expressions of a request; absent ones are null. */
    record Expressions(
            @Nullable String condition,
            @Nullable String update,
            Map<String, String> names,
            Map<String, AttributeValue> values) {

        static final Expressions NONE = new Expressions(null, null, Map.of(), Map.of());
    }

    /** The images of an item around a change. */
    record Done(Map<String, AttributeValue> before, Map<String, AttributeValue> after, Units units) {}

    static ItemChange put(Table table, Map<String, AttributeValue> given, Expressions expressions) {
        Map<String, AttributeValue> item = Values.normal(given);
        Placeholders placeholders = new Placeholders(expressions.names, expressions.values);
        Condition condition = condition(expressions, placeholders);
        placeholders.checkAllUsed(condition != null);
        ItemKey key = table.schema().of(item);
        return new ItemChange(
                table,
                key,
                condition,
                before -> {
                    table.checkItem(item, false);
                    return item;
                },
                false);
    }

    static ItemChange delete(Table table, Map<String, AttributeValue> given, Expressions expressions) {
        Placeholders placeholders = new Placeholders(expressions.names, expressions.values);
        Condition condition = condition(expressions, placeholders);
        placeholders.checkAllUsed(condition != null);
        return new ItemChange(
                table, table.schema().exactly(Values.normal(given)), condition, before -> Map.of(), false);
    }

    static ItemChange check(Table table, Map<String, AttributeValue> given, Expressions expressions) {
        Placeholders placeholders = new Placeholders(expressions.names, expressions.values);
        Condition condition = condition(expressions, placeholders);
        placeholders.checkAllUsed(condition != null);
        return new ItemChange(
                table, table.schema().exactly(Values.normal(given)), condition, UnaryOperator.identity(), false);
    }

    static ItemChange update(Table table, Map<String, AttributeValue> given, Expressions expressions) {
        Map<String, AttributeValue> key = Values.normal(given);
        Placeholders placeholders = new Placeholders(expressions.names, expressions.values);
        UpdateExpression update =
                expressions.update == null ? null : UpdateExpression.parse(expressions.update, placeholders);
        Condition condition = condition(expressions, placeholders);
        placeholders.checkAllUsed(update != null || condition != null);
        ItemKey itemKey = table.schema().exactly(key);
        if (update != null) {
            for (String name : update.changedAttributes()) {
                if (table.schema().names().contains(name)) {
                    throw Errors.validation("One or more parameter values were invalid: Cannot update attribute " + name
                            + ". This attribute is part of the key");
                }
            }
        }
        return new ItemChange(
                table,
                itemKey,
                condition,
                before -> {
                    Map<String, AttributeValue> start = new HashMap<>(before);
                    start.putAll(key);
                    return update == null ? start : update.apply(start);
                },
                true);
    }

    private static @Nullable Condition condition(Expressions expressions, Placeholders placeholders) {
        return expressions.condition == null
                ? null
                : ExpressionParser.condition("ConditionExpression", expressions.condition, placeholders);
    }

    Table table() {
        return table;
    }

    ItemKey key() {
        return key;
    }

    Map<String, AttributeValue> before() {
        return table.get(key);
    }

    boolean holds() {
        return condition == null || condition.test(before());
    }

    /** The item after the change; empty if it is deleted. Fails if it is too large, or the update does not fit it. */
    Map<String, AttributeValue> after() {
        Map<String, AttributeValue> after = change.apply(before());
        if (update) {
            table.checkItem(after, true);
        }
        return after;
    }

    /** Fails if an item that is put is too large or has a wrong index key, whatever its condition. */
    ItemChange checked() {
        if (!update) {
            after();
        }
        return this;
    }

    /** Carries the change out without looking at the condition. */
    Done apply() {
        Map<String, AttributeValue> before = before();
        Map<String, AttributeValue> after = after();
        Units units = table.units(before, after.isEmpty() ? null : after);
        if (!after.isEmpty() || !before.isEmpty()) {
            table.set(key, after.isEmpty() ? null : after);
        }
        return new Done(before, after, units);
    }

    /** Carries the change out if its condition holds. */
    Done applyIf(boolean showExisting) {
        if (!checked().holds()) {
            throw Errors.conditionFailed(showExisting ? before() : null);
        }
        return apply();
    }
}
