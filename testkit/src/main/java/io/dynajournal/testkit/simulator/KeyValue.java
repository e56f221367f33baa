package io.dynajournal.testkit.simulator;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The value of a key attribute, which has an order. All values of one attribute have the same type. */
final class KeyValue implements Comparable<KeyValue> {

    private final AttributeValue value;
    private final byte @Nullable [] bytes;
    private final @Nullable BigDecimal number;
    private final int hash;

    KeyValue(AttributeValue value) {
        this.value = value;
        this.number = value.n() == null ? null : Values.number(value.n());
        this.bytes = value.s() != null
                ? Values.utf8(value.s())
                : value.b() == null ? null : value.b().asByteArray();
        this.hash = number != null ? number.hashCode() : Arrays.hashCode(bytes);
    }

    AttributeValue value() {
        return value;
    }

    /** Spreads partitions as DynamoDB's own hash does, but the same in every run. */
    int scattered() {
        int mixed = hash * 0x9E3779B9;
        mixed ^= mixed >>> 15;
        mixed *= 0x85EBCA6B;
        return mixed ^ (mixed >>> 13);
    }

    @Override
    public int compareTo(KeyValue other) {
        return number != null && other.number != null
                ? number.compareTo(other.number)
                : Arrays.compareUnsigned(Objects.requireNonNull(bytes), Objects.requireNonNull(other.bytes));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyValue that
                && hash == that.hash
                && (number == null) == (that.number == null)
                && compareTo(that) == 0;
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
