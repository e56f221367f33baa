package io.dynajournal.testkit.simulator;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A side of a comparison, or an argument of a function. */
sealed interface Operand {

    /** Null if the item does not have it. */
    @Nullable
    AttributeValue in(Map<String, AttributeValue> item);

    record OfPath(Path path) implements Operand {
        @Override
        public @Nullable AttributeValue in(Map<String, AttributeValue> item) {
            return path.in(item);
        }
    }

    record OfValue(AttributeValue value) implements Operand {
        @Override
        public AttributeValue in(Map<String, AttributeValue> item) {
            return value;
        }
    }

    record SizeOf(Operand of) implements Operand {
        @Override
        public @Nullable AttributeValue in(Map<String, AttributeValue> item) {
            AttributeValue value = of.in(item);
            Integer size = value == null ? null : Values.sizeOf(value);
            return size == null ? null : AttributeValue.fromN(Integer.toString(size));
        }
    }
}
