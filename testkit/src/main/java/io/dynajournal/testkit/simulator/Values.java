package io.dynajournal.testkit.simulator;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What DynamoDB does with values: their types, order, equality and size, and the one form of each number. */
final class Values {

    private static final int MAX_DIGITS = 38;
    private static final int NESTED = 3;

    private Values() {}

    /** Such as {@code S} or {@code NULL}. */
    static String type(AttributeValue value) {
        return switch (value.type()) {
            case NUL -> "NULL";
            case UNKNOWN_TO_SDK_VERSION ->
                throw Errors.validation(
                        "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
            default -> value.type().name();
        };
    }

    static boolean isScalarKey(AttributeValue value) {
        return List.of("S", "N", "B").contains(type(value));
    }

    /** Compares two values of the same ordered type; null if they have no order. */
    static @Nullable Integer compare(AttributeValue one, AttributeValue other) {
        if (one.type() != other.type()) {
            return null;
        }
        return switch (one.type()) {
            case S -> Arrays.compareUnsigned(utf8(one.s()), utf8(other.s()));
            case N -> number(one.n()).compareTo(number(other.n()));
            case B ->
                Arrays.compareUnsigned(one.b().asByteArrayUnsafe(), other.b().asByteArrayUnsafe());
            default -> null;
        };
    }

    /** Numbers are in their one form already, and sets are sorted. */
    static boolean equal(AttributeValue one, AttributeValue other) {
        return one.type() == other.type() && normal(one).equals(normal(other));
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static BigDecimal number(String digits) {
        try {
            BigDecimal number = new BigDecimal(digits.trim()).stripTrailingZeros();
            if (number.precision() > MAX_DIGITS) {
                throw Errors.validation("Attempting to store more than 38 significant digits in a Number");
            }
            int magnitude = number.precision() - number.scale();
            if (number.signum() != 0 && magnitude > 126) {
                throw Errors.validation("Number overflow. Attempting to store a number with magnitude larger than"
                        + " supported range");
            }
            if (number.signum() != 0 && magnitude < -129) {
                throw Errors.validation("Number underflow. Attempting to store a number with magnitude smaller than"
                        + " supported range");
            }
            return number;
        } catch (NumberFormatException e) {
            throw Errors.validation("The parameter cannot be converted to a numeric value: " + digits);
        }
    }

    static AttributeValue ofNumber(BigDecimal number) {
        return AttributeValue.fromN(
                number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString());
    }

    static Map<String, AttributeValue> normal(Map<String, AttributeValue> item) {
        Map<String, AttributeValue> normal = new HashMap<>();
        item.forEach((name, value) -> normal.put(name, normal(value)));
        return normal;
    }

    /** The form in which DynamoDB stores a value: numbers without superfluous digits, sets sorted. */
    static AttributeValue normal(AttributeValue value) {
        return switch (value.type()) {
            case N -> ofNumber(number(value.n()));
            case SS ->
                AttributeValue.fromSs(distinct(
                        value.ss().stream().sorted().toList(), value.ss().size()));
            case NS ->
                AttributeValue.fromNs(distinct(
                        value.ns().stream()
                                .map(Values::number)
                                .sorted()
                                .map(number -> ofNumber(number).n())
                                .toList(),
                        value.ns().size()));
            case BS ->
                AttributeValue.fromBs(value.bs().stream()
                        .sorted((a, b) -> Arrays.compareUnsigned(a.asByteArrayUnsafe(), b.asByteArrayUnsafe()))
                        .toList());
            case L ->
                AttributeValue.fromL(value.l().stream().map(Values::normal).toList());
            case M -> AttributeValue.fromM(normal(value.m()));
            case UNKNOWN_TO_SDK_VERSION ->
                throw Errors.validation(
                        "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
            default -> value;
        };
    }

    private static List<String> distinct(List<String> sorted, int given) {
        if (given == 0) {
            throw Errors.validation("One or more parameter values were invalid: An set  may not be empty");
        }
        if (new TreeSet<>(sorted).size() != given) {
            throw Errors.validation(
                    "One or more parameter values were invalid: Input collection " + sorted + " contains duplicates.");
        }
        return sorted;
    }

    /** Whether the first contains the second: a substring, or an element of a set or list. */
    static boolean contains(AttributeValue in, AttributeValue value) {
        return switch (in.type()) {
            case S -> value.s() != null && in.s().contains(value.s());
            case B -> value.b() != null && indexOf(bytes(in), bytes(value)) >= 0;
            case SS -> value.s() != null && in.ss().contains(value.s());
            case NS -> value.n() != null && in.ns().contains(normal(value).n());
            case BS -> value.b() != null && in.bs().contains(value.b());
            case L -> in.l().stream().anyMatch(each -> equal(each, value));
            default -> false;
        };
    }

    static boolean beginsWith(AttributeValue value, AttributeValue prefix) {
        if (value.type() != prefix.type()) {
            return false;
        }
        return switch (value.type()) {
            case S -> value.s().startsWith(prefix.s());
            case B -> {
                byte[] whole = bytes(value);
                byte[] start = bytes(prefix);
                yield whole.length >= start.length && Arrays.equals(whole, 0, start.length, start, 0, start.length);
            }
            default -> false;
        };
    }

    private static byte[] bytes(AttributeValue value) {
        return value.b().asByteArrayUnsafe();
    }

    private static int indexOf(byte[] in, byte[] part) {
        for (int at = 0; at + part.length <= in.length; at++) {
            if (Arrays.equals(in, at, at + part.length, part, 0, part.length)) {
                return at;
            }
        }
        return -1;
    }

    /** What {@code size()} returns; null for types without a size. */
    static @Nullable Integer sizeOf(AttributeValue value) {
        return switch (value.type()) {
            case S -> value.s().length();
            case B -> bytes(value).length;
            case SS -> value.ss().size();
            case NS -> value.ns().size();
            case BS -> value.bs().size();
            case L -> value.l().size();
            case M -> value.m().size();
            default -> null;
        };
    }

    /** Bytes that an item counts for limits and capacity. */
    static int bytes(Map<String, AttributeValue> item) {
        int size = 0;
        for (Map.Entry<String, AttributeValue> attribute : item.entrySet()) {
            size += utf8(attribute.getKey()).length + storedBytes(attribute.getValue());
        }
        return size;
    }

    private static int storedBytes(AttributeValue value) {
        return switch (value.type()) {
            case S -> utf8(value.s()).length;
            case N -> numberBytes(value.n());
            case B -> bytes(value).length;
            case SS -> value.ss().stream().mapToInt(text -> utf8(text).length).sum();
            case NS -> value.ns().stream().mapToInt(Values::numberBytes).sum();
            case BS ->
                value.bs().stream()
                        .map(SdkBytes::asByteArrayUnsafe)
                        .mapToInt(each -> each.length)
                        .sum();
            case L ->
                NESTED
                        + value.l().stream()
                                .mapToInt(each -> 1 + storedBytes(each))
                                .sum();
            case M -> NESTED + value.m().size() + bytes(value.m());
            default -> 1;
        };
    }

    /** One byte, one for each two significant digits, and one for a minus. */
    private static int numberBytes(String digits) {
        BigDecimal number = number(digits);
        if (number.signum() == 0) {
            return 1;
        }
        return (number.precision() + 1) / 2 + 1 + (number.signum() < 0 ? 1 : 0);
    }
}
