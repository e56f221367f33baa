package io.dynajournal.testkit.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A document path, such as {@code a.b[2]}.
 *
 * @param name the top-level attribute
 * @param steps names of map entries, and indexes of list elements
 */
record Path(String name, List<Step> steps) {

    /**
     * One step into a document.
     *
     * @param key null for an element of a list
     */
    record Step(@Nullable String key, int index) {}

    Path {
        steps = List.copyOf(steps);
    }

    boolean isTopLevel() {
        return steps.isEmpty();
    }

    /** Null if nothing is there. */
    @Nullable
    AttributeValue in(Map<String, AttributeValue> item) {
        AttributeValue at = item.get(name);
        for (Step step : steps) {
            at = at == null ? null : child(at, step);
        }
        return at;
    }

    private static @Nullable AttributeValue child(AttributeValue at, Step step) {
        if (step.key != null) {
            return at.hasM() ? at.m().get(step.key) : null;
        }
        return at.hasL() && step.index < at.l().size() ? at.l().get(step.index) : null;
    }

    /** Sets or, with null, removes the value. */
    void set(Map<String, AttributeValue> item, @Nullable AttributeValue value) {
        if (!steps.isEmpty()) {
            AttributeValue root = item.get(name);
            if (root == null) {
                throw Errors.validation("The document path provided in the update expression is invalid for update");
            }
            item.put(name, with(root, 0, value));
        } else if (value == null) {
            item.remove(name);
        } else {
            item.put(name, value);
        }
    }

    private AttributeValue with(AttributeValue at, int depth, @Nullable AttributeValue value) {
        Step step = steps.get(depth);
        boolean last = depth == steps.size() - 1;
        AttributeValue child = child(at, step);
        if (step.key != null ? !at.hasM() : !at.hasL()) {
            throw Errors.validation("The document path provided in the update expression is invalid for update");
        }
        if (!last && child == null) {
            throw Errors.validation("The document path provided in the update expression is invalid for update");
        }
        AttributeValue changed = last || child == null ? value : with(child, depth + 1, value);
        return step.key != null ? withEntry(at, step.key, changed) : withElement(at, step.index, changed);
    }

    private static AttributeValue withEntry(AttributeValue map, String key, @Nullable AttributeValue value) {
        Map<String, AttributeValue> entries = new HashMap<>(map.m());
        if (value == null) {
            entries.remove(key);
        } else {
            entries.put(key, value);
        }
        return AttributeValue.fromM(entries);
    }

    private static AttributeValue withElement(AttributeValue list, int index, @Nullable AttributeValue value) {
        List<AttributeValue> elements = new ArrayList<>(list.l());
        if (value == null) {
            if (index < elements.size()) {
                elements.remove(index);
            }
        } else if (index < elements.size()) {
            elements.set(index, value);
        } else {
            elements.add(value);
        }
        return AttributeValue.fromL(elements);
    }

    /** Copies what is there into a projected item. Elements of lists keep their order and move together. */
    void project(Map<String, AttributeValue> from, Map<String, AttributeValue> into) {
        AttributeValue found = in(from);
        if (found == null) {
            return;
        }
        AttributeValue rebuilt = found;
        for (int i = steps.size() - 1; i >= 0; i--) {
            String key = steps.get(i).key;
            rebuilt = key == null ? AttributeValue.fromL(List.of(rebuilt)) : AttributeValue.fromM(Map.of(key, rebuilt));
        }
        into.merge(name, rebuilt, Path::merged);
    }

    private static AttributeValue merged(AttributeValue one, AttributeValue other) {
        if (one.hasM() && other.hasM()) {
            Map<String, AttributeValue> entries = new HashMap<>(one.m());
            other.m().forEach((key, value) -> entries.merge(key, value, Path::merged));
            return AttributeValue.fromM(entries);
        }
        if (one.hasL() && other.hasL()) {
            List<AttributeValue> elements = new ArrayList<>(one.l());
            elements.addAll(other.l());
            return AttributeValue.fromL(elements);
        }
        return other;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name);
        steps.forEach(step -> text.append(step.key == null ? "[" + step.index + "]" : "." + step.key));
        return text.toString();
    }
}
