package io.dynajournal.testkit.simulator;

import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A condition or a filter. A comparison with an attribute that the item lacks is false, except {@code <>}. */
sealed interface Condition {

    boolean test(Map<String, AttributeValue> item);

    record And(Condition one, Condition other) implements Condition {
        @Override
        public boolean test(Map<String, AttributeValue> item) {
            return one.test(item) && other.test(item);
        }
    }

    record Or(Condition one, Condition other) implements Condition {
        @Override
        public boolean test(Map<String, AttributeValue> item) {
            return one.test(item) || other.test(item);
        }
    }

    record Not(Condition negated) implements Condition {
        @Override
        public boolean test(Map<String, AttributeValue> item) {
            return !negated.test(item);
        }
    }

    record Comparison(String operator, Operand left, Operand right) implements Condition {
        @Override
        public boolean test(Map<String, AttributeValue> item) {
            AttributeValue one = left.in(item);
            AttributeValue other = right.in(item);
            if (one == null || other == null) {
                return operator.equals("<>");
            }
            if (operator.equals("=") || operator.equals("<>")) {
                return Values.equal(one, other) == operator.equals("=");
            }
            Integer order = Values.compare(one, other);
            if (order == null) {
                return false;
            }
            return switch (operator) {
                case "<" -> order < 0;
                case "<=" -> order <= 0;
                case ">" -> order > 0;
                default -> order >= 0;
            };
        }
    }

    record Between(Operand value, Operand low, Operand high) implements Condition {
        @Override
        public boolean test(Map<String, AttributeValue> item) {
            return new Comparison(">=", value, low).test(item) && new Comparison("<=", value, high).test(item);
        }
    }

    record In(Operand value, List<Operand> list) implements Condition {
        @Override
        public boolean test(Map<String, AttributeValue> item) {
            return list.stream().anyMatch(each -> new Comparison("=", value, each).test(item));
        }
    }

    record Exists(Path path, boolean wanted) implements Condition {
        @Override
        public boolean test(Map<String, AttributeValue> item) {
            return (path.in(item) != null) == wanted;
        }
    }

    record HasType(Path path, String type) implements Condition {
        @Override
        public boolean test(Map<String, AttributeValue> item) {
            AttributeValue value = path.in(item);
            return value != null && Values.type(value).equals(type);
        }
    }

    record BeginsWith(Operand value, Operand prefix) implements Condition {
        @Override
        public boolean test(Map<String, AttributeValue> item) {
            AttributeValue whole = value.in(item);
            AttributeValue start = prefix.in(item);
            return whole != null && start != null && Values.beginsWith(whole, start);
        }
    }

    record Contains(Operand value, Operand element) implements Condition {
        @Override
        public boolean test(Map<String, AttributeValue> item) {
            AttributeValue whole = value.in(item);
            AttributeValue part = element.in(item);
            return whole != null && part != null && Values.contains(whole, part);
        }
    }
}
