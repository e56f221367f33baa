package io.dynajournal.testkit.simulator;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Parses conditions, filters and projections by recursive descent: OR, AND, NOT, then comparisons and functions. */
final class ExpressionParser {

    private static final Set<String> COMPARISONS = Set.of("=", "<>", "<", "<=", ">", ">=");
    private static final Set<String> TYPES = Set.of("S", "N", "B", "SS", "NS", "BS", "M", "L", "NULL", "BOOL");

    private final Tokens tokens;
    private final Placeholders placeholders;
    private final Set<String> attributes = new HashSet<>();

    /**
     * A condition.
     *
     * @param attributes the top-level attributes that it refers to
     */
    record Parsed(Condition condition, Set<String> attributes) {}

    ExpressionParser(Tokens tokens, Placeholders placeholders) {
        this.tokens = tokens;
        this.placeholders = placeholders;
    }

    /** @param kind such as {@code ConditionExpression}, for messages */
    static Parsed parse(String kind, String text, Placeholders placeholders) {
        ExpressionParser parser = new ExpressionParser(new Tokens(kind, text), placeholders);
        Condition condition = parser.or();
        parser.tokens.expectEnd();
        return new Parsed(condition, Set.copyOf(parser.attributes));
    }

    /** As {@link #parse}, without the attributes. */
    static Condition condition(String kind, String text, Placeholders placeholders) {
        return parse(kind, text, placeholders).condition();
    }

    static List<Path> projection(String text, Placeholders placeholders) {
        ExpressionParser parser = new ExpressionParser(new Tokens("ProjectionExpression", text), placeholders);
        List<Path> paths = new ArrayList<>();
        do {
            Path path = parser.path();
            if (paths.contains(path)) {
                throw Errors.validation("Invalid ProjectionExpression: Two document paths overlap with each other;"
                        + " must remove or rewrite one of these paths; path one: [" + path + "], path two: [" + path
                        + "]");
            }
            paths.add(path);
        } while (parser.tokens.takeIf(","));
        parser.tokens.expectEnd();
        return paths;
    }

    private Condition or() {
        Condition left = and();
        while (tokens.takeIf("OR")) {
            left = new Condition.Or(left, and());
        }
        return left;
    }

    private Condition and() {
        Condition left = not();
        while (tokens.takeIf("AND")) {
            left = new Condition.And(left, not());
        }
        return left;
    }

    private Condition not() {
        return tokens.takeIf("NOT") ? new Condition.Not(not()) : primary();
    }

    private Condition primary() {
        if (tokens.takeIf("(")) {
            Condition inner = or();
            tokens.expect(")");
            return inner;
        }
        if (tokens.nextIsCall() && !tokens.peek().equals("size")) {
            return function(tokens.take());
        }
        Operand left = operand();
        if (tokens.takeIf("BETWEEN")) {
            Operand low = operand();
            tokens.expect("AND");
            return between(left, low, operand());
        }
        if (tokens.takeIf("IN")) {
            return new Condition.In(left, list());
        }
        if (!COMPARISONS.contains(tokens.peek())) {
            throw tokens.unexpected();
        }
        String operator = tokens.take();
        Operand right = operand();
        if (!operator.equals("=") && !operator.equals("<>")) {
            requireOrdered(operator, left);
            requireOrdered(operator, right);
        }
        return new Condition.Comparison(operator, left, right);
    }

    private void requireOrdered(String operator, Operand operand) {
        if (operand instanceof Operand.OfValue value && !Values.isScalarKey(value.value())) {
            throw Errors.validation("Invalid " + tokens.kind()
                    + ": Incorrect operand type for operator or function; operator: " + operator + ", operand type: "
                    + Values.type(value.value()));
        }
    }

    private Condition between(Operand value, Operand low, Operand high) {
        if (low instanceof Operand.OfValue from && high instanceof Operand.OfValue to) {
            Integer order = Values.compare(from.value(), to.value());
            if (order == null) {
                throw Errors.validation("Invalid " + tokens.kind()
                        + ": The BETWEEN operator requires same data type for lower and upper bounds");
            }
            if (order > 0) {
                throw Errors.validation("Invalid " + tokens.kind()
                        + ": The BETWEEN operator requires upper bound to be greater than or equal to lower bound");
            }
        }
        return new Condition.Between(value, low, high);
    }

    private List<Operand> list() {
        tokens.expect("(");
        List<Operand> operands = new ArrayList<>();
        do {
            operands.add(operand());
        } while (tokens.takeIf(","));
        tokens.expect(")");
        return operands;
    }

    private Condition function(String name) {
        List<Operand> arguments = list();
        int wanted = name.startsWith("attribute_") && !name.equals("attribute_type") ? 1 : 2;
        if (!Set.of("attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains")
                .contains(name)) {
            throw Errors.validation("Invalid " + tokens.kind() + ": Invalid function name; function: " + name);
        }
        if (arguments.size() != wanted) {
            throw Errors.validation("Invalid " + tokens.kind()
                    + ": Incorrect number of operands for operator or function; operator or function: " + name
                    + ", number of operands: " + arguments.size());
        }
        return switch (name) {
            case "attribute_exists" -> new Condition.Exists(pathOf(name, arguments.get(0)), true);
            case "attribute_not_exists" -> new Condition.Exists(pathOf(name, arguments.get(0)), false);
            case "attribute_type" -> new Condition.HasType(pathOf(name, arguments.get(0)), typeOf(arguments.get(1)));
            case "begins_with" -> beginsWith(arguments);
            default -> new Condition.Contains(arguments.get(0), arguments.get(1));
        };
    }

    private Condition beginsWith(List<Operand> arguments) {
        if (arguments.get(1) instanceof Operand.OfValue prefix
                && !Set.of("S", "B").contains(Values.type(prefix.value()))) {
            throw Errors.validation("Invalid " + tokens.kind()
                    + ": Incorrect operand type for operator or function; operator or function: begins_with, operand"
                    + " type: " + Values.type(prefix.value()));
        }
        return new Condition.BeginsWith(arguments.get(0), arguments.get(1));
    }

    private Path pathOf(String function, Operand operand) {
        if (operand instanceof Operand.OfPath path) {
            return path.path();
        }
        throw Errors.validation("Invalid " + tokens.kind()
                + ": Operator or function requires a document path; operator or function: " + function);
    }

    private String typeOf(Operand operand) {
        if (operand instanceof Operand.OfValue value
                && value.value().s() != null
                && TYPES.contains(value.value().s())) {
            return value.value().s();
        }
        throw Errors.validation("Invalid " + tokens.kind() + ": Invalid attribute type name found");
    }

    /** A path, a value, or {@code size(path)}. */
    Operand operand() {
        if (tokens.nextIsCall() && tokens.peek().equals("size")) {
            tokens.take();
            tokens.expect("(");
            Operand of = operand();
            tokens.expect(")");
            return new Operand.SizeOf(of);
        }
        if (tokens.peek().startsWith(":")) {
            return new Operand.OfValue(placeholders.value(tokens.kind(), tokens.take()));
        }
        return new Operand.OfPath(path());
    }

    Path path() {
        String first = name();
        attributes.add(first);
        List<Path.Step> steps = new ArrayList<>();
        while (true) {
            if (tokens.takeIf(".")) {
                steps.add(new Path.Step(name(), 0));
            } else if (tokens.takeIf("[")) {
                steps.add(new Path.Step(null, index()));
                tokens.expect("]");
            } else {
                return new Path(first, steps);
            }
        }
    }

    private int index() {
        String digits = tokens.take();
        if (!Character.isDigit(digits.charAt(0))) {
            throw tokens.unexpected();
        }
        return Integer.parseInt(digits);
    }

    private String name() {
        String token = tokens.peek();
        if (token.startsWith("#")) {
            return placeholders.name(tokens.kind(), tokens.take());
        }
        if (tokens.atEnd() || !Tokens.isName(token)) {
            throw tokens.unexpected();
        }
        if (ReservedWords.contains(token.toUpperCase(Locale.ROOT))) {
            throw Errors.validation(
                    "Invalid " + tokens.kind() + ": Attribute name is a reserved keyword; reserved keyword: " + token);
        }
        return tokens.take();
    }
}
