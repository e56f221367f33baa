package io.dynajournal.testkit.simulator;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An update: what SET, REMOVE, ADD and DELETE do to an item. All values are read from the item as it was before. */
final class UpdateExpression {

    private static final String KIND = "UpdateExpression";

    /** One action on one path; null removes the value. */
    private interface Change {
        @Nullable
        AttributeValue apply(Map<String, AttributeValue> before);
    }

    private record Action(Path path, Change change, boolean removes) {}

    private final Tokens tokens;
    private final Placeholders placeholders;
    private final ExpressionParser parser;
    private final List<Action> actions = new ArrayList<>();

    private UpdateExpression(String text, Placeholders placeholders) {
        this.tokens = new Tokens(KIND, text);
        this.placeholders = placeholders;
        this.parser = new ExpressionParser(tokens, placeholders);
    }

    static UpdateExpression parse(String text, Placeholders placeholders) {
        UpdateExpression update = new UpdateExpression(text, placeholders);
        update.clauses();
        update.checkOverlaps();
        return update;
    }

    /** The top-level attributes that are changed. */
    Set<String> changedAttributes() {
        Set<String> names = new LinkedHashSet<>();
        actions.forEach(action -> names.add(action.path.name()));
        return names;
    }

    Map<String, AttributeValue> apply(Map<String, AttributeValue> before) {
        Map<String, AttributeValue> after = new HashMap<>(before);
        // Removals of list elements come last and from the end, so that indexes mean the elements of before.
        List<Action> removals = new ArrayList<>();
        for (Action action : actions) {
            if (action.removes) {
                removals.add(0, action);
            } else {
                action.path.set(after, action.change.apply(before));
            }
        }
        removals.forEach(removal -> removal.path.set(after, null));
        return after;
    }

    private void clauses() {
        Set<String> seen = new HashSet<>();
        while (!tokens.atEnd()) {
            String clause = tokens.take().toUpperCase(Locale.ROOT);
            if (!seen.add(clause)) {
                throw Errors.validation("Invalid " + KIND + ": The \"" + clause
                        + "\" section can only be used once in an update expression;");
            }
            do {
                actions.add(action(clause));
            } while (tokens.takeIf(","));
        }
    }

    private Action action(String clause) {
        switch (clause) {
            case "SET" -> {
                Path path = parser.path();
                tokens.expect("=");
                return new Action(path, sum(), false);
            }
            case "REMOVE" -> {
                return new Action(parser.path(), before -> null, true);
            }
            case "ADD" -> {
                Path path = parser.path();
                AttributeValue value = value();
                requireType(clause, value, Set.of("N", "SS", "NS", "BS"));
                return new Action(path, before -> added(path.in(before), value), false);
            }
            case "DELETE" -> {
                Path path = parser.path();
                AttributeValue value = value();
                requireType(clause, value, Set.of("SS", "NS", "BS"));
                return new Action(path, before -> deleted(path.in(before), value), false);
            }
            default -> throw tokens.unexpected();
        }
    }

    private static void requireType(String clause, AttributeValue value, Set<String> types) {
        if (!types.contains(Values.type(value))) {
            throw Errors.validation("Invalid " + KIND
                    + ": Incorrect operand type for operator or function; operator: " + clause + ", operand type: "
                    + Values.type(value));
        }
    }

    private AttributeValue value() {
        if (!tokens.peek().startsWith(":")) {
            throw tokens.unexpected();
        }
        return placeholders.value(KIND, tokens.take());
    }

    private Change sum() {
        Change left = term();
        if (tokens.takeIf("+")) {
            Change right = term();
            return before -> arithmetic(left.apply(before), right.apply(before), BigDecimal::add);
        }
        if (tokens.takeIf("-")) {
            Change right = term();
            return before -> arithmetic(left.apply(before), right.apply(before), BigDecimal::subtract);
        }
        return left;
    }

    private Change term() {
        if (tokens.takeIf("(")) {
            Change inner = sum();
            tokens.expect(")");
            return inner;
        }
        if (tokens.nextIsCall()) {
            return function(tokens.take());
        }
        Operand operand = parser.operand();
        return before -> {
            AttributeValue value = operand.in(before);
            if (value == null) {
                throw Errors.validation(
                        "The provided expression refers to an attribute that does not exist in the item");
            }
            return value;
        };
    }

    private Change function(String name) {
        tokens.expect("(");
        if (name.equals("if_not_exists")) {
            Path path = parser.path();
            tokens.expect(",");
            Change otherwise = sum();
            tokens.expect(")");
            return before -> {
                AttributeValue there = path.in(before);
                return there == null ? otherwise.apply(before) : there;
            };
        }
        if (name.equals("list_append")) {
            Change first = sum();
            tokens.expect(",");
            Change second = sum();
            tokens.expect(")");
            return before -> appended(first.apply(before), second.apply(before));
        }
        throw Errors.validation("Invalid " + KIND + ": Invalid function name; function: " + name);
    }

    private static AttributeValue appended(@Nullable AttributeValue one, @Nullable AttributeValue other) {
        if (one == null || other == null || !one.hasL() || !other.hasL()) {
            throw wrongType();
        }
        List<AttributeValue> all = new ArrayList<>(one.l());
        all.addAll(other.l());
        return AttributeValue.fromL(all);
    }

    private static AttributeValue arithmetic(
            @Nullable AttributeValue one, @Nullable AttributeValue other, BinaryOperator<BigDecimal> operator) {
        if (one == null || other == null || one.n() == null || other.n() == null) {
            throw wrongType();
        }
        BigDecimal result = operator.apply(Values.number(one.n()), Values.number(other.n()));
        return Values.normal(Values.ofNumber(result));
    }

    private static RuntimeException wrongType() {
        return Errors.validation("An operand in the update expression has an incorrect data type");
    }

    private static AttributeValue added(@Nullable AttributeValue there, AttributeValue value) {
        if (there == null) {
            return value;
        }
        if (there.type() != value.type()) {
            throw wrongType();
        }
        return switch (value.type()) {
            case N -> arithmetic(there, value, BigDecimal::add);
            case SS -> AttributeValue.fromSs(union(there.ss(), value.ss()));
            case NS -> Values.normal(AttributeValue.fromNs(union(there.ns(), value.ns())));
            default -> Values.normal(AttributeValue.fromBs(new ArrayList<>(joined(there.bs(), value.bs()))));
        };
    }

    private static List<String> union(List<String> one, List<String> other) {
        return new ArrayList<>(new TreeSet<>(joined(one, other)));
    }

    private static <T> Set<T> joined(List<T> one, List<T> other) {
        Set<T> all = new LinkedHashSet<>(one);
        all.addAll(other);
        return all;
    }

    /** Null if no element is left. */
    private static @Nullable AttributeValue deleted(@Nullable AttributeValue there, AttributeValue value) {
        if (there == null) {
            return null;
        }
        if (there.type() != value.type()) {
            throw wrongType();
        }
        return switch (value.type()) {
            case SS -> emptyToNull(AttributeValue.fromSs(left(there.ss(), value.ss())), there.ss(), value.ss());
            case NS -> emptyToNull(AttributeValue.fromNs(left(there.ns(), value.ns())), there.ns(), value.ns());
            default -> emptyToNull(AttributeValue.fromBs(left(there.bs(), value.bs())), there.bs(), value.bs());
        };
    }

    private static <T> @Nullable AttributeValue emptyToNull(AttributeValue set, List<T> there, List<T> deleted) {
        return left(there, deleted).isEmpty() ? null : set;
    }

    private static <T> List<T> left(List<T> there, List<T> deleted) {
        return there.stream().filter(each -> !deleted.contains(each)).toList();
    }

    private void checkOverlaps() {
        for (int i = 0; i < actions.size(); i++) {
            for (int j = i + 1; j < actions.size(); j++) {
                Path one = actions.get(i).path;
                Path other = actions.get(j).path;
                int common = Math.min(one.steps().size(), other.steps().size());
                if (one.name().equals(other.name())
                        && one.steps().subList(0, common).equals(other.steps().subList(0, common))) {
                    throw Errors.validation("Invalid " + KIND + ": Two document paths overlap with each other;"
                            + " must remove or rewrite one of these paths; path one: [" + one + "], path two: ["
                            + other + "]");
                }
            }
        }
    }
}
