package io.dynajournal.testkit.simulator;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The names and values that the expressions of one request refer to. Not thread-safe. */
final class Placeholders {

    private final Map<String, String> names;
    private final Map<String, AttributeValue> values;
    private final Set<String> unusedNames;
    private final Set<String> unusedValues;

    Placeholders(Map<String, String> names, Map<String, AttributeValue> values) {
        this.names = names;
        this.values = values;
        this.unusedNames = new TreeSet<>(names.keySet());
        this.unusedValues = new TreeSet<>(values.keySet());
    }

    /** @param kind such as {@code ConditionExpression} */
    String name(String kind, String placeholder) {
        String name = names.get(placeholder);
        if (name == null) {
            throw Errors.validation("Invalid " + kind
                    + ": An expression attribute name used in the document path is not defined; attribute name: "
                    + placeholder);
        }
        unusedNames.remove(placeholder);
        return name;
    }

    AttributeValue value(String kind, String placeholder) {
        AttributeValue value = values.get(placeholder);
        if (value == null) {
            throw Errors.validation("Invalid " + kind
                    + ": An expression attribute value used in expression is not defined; attribute value: "
                    + placeholder);
        }
        unusedValues.remove(placeholder);
        return Values.normal(value);
    }

    void checkAllUsed(boolean anyExpression) {
        if (!anyExpression && !(names.isEmpty() && values.isEmpty())) {
            throw Errors.validation((names.isEmpty() ? "ExpressionAttributeValues" : "ExpressionAttributeNames")
                    + " can only be specified when using expressions");
        }
        if (!unusedNames.isEmpty()) {
            throw Errors.validation("Value provided in ExpressionAttributeNames unused in expressions: keys: {"
                    + String.join(", ", unusedNames) + "}");
        }
        if (!unusedValues.isEmpty()) {
            throw Errors.validation("Value provided in ExpressionAttributeValues unused in expressions: keys: {"
                    + String.join(", ", unusedValues) + "}");
        }
    }
}
