package io.dynajournal.internal.dynamo;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** DynamoDB's size arithmetic, by its published rules: names and strings in UTF-8, binaries raw, numbers by digits. */
public final class ItemSize {

    /** The largest item that DynamoDB stores, in bytes: 400 KB. */
    public static final int LIMIT = 409_600;

    /** Bytes that a page of a query reads at most: 1 MB. */
    public static final int PAGE = 1_048_576;

    /** Bytes that one write unit covers. */
    public static final int WRITE_UNIT = 1024;

    /** What a list or a map takes besides its elements; each of these takes one byte more. */
    private static final int NESTED = 3;

    private ItemSize() {}

    static int of(Map<String, AttributeValue> item) {
        int size = 0;
        for (Map.Entry<String, AttributeValue> attribute : item.entrySet()) {
            size += of(attribute.getKey(), attribute.getValue());
        }
        return size;
    }

    static int of(String name, AttributeValue value) {
        return utf8(name) + of(value);
    }

    /** Write units for an item of this size. */
    public static int writeUnits(int size) {
        return Math.max(1, (size + WRITE_UNIT - 1) / WRITE_UNIT);
    }

    /** The length of a text in UTF-8, without encoding it. */
    public static int utf8(String text) {
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                length += 1;
            } else if (c < 0x800) {
                length += 2;
            } else if (!Character.isSurrogate(c)) {
                length += 3;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                length += 4;
                i++;
            } else {
                length += 1; // an unpaired surrogate: the SDK encodes it as a question mark
            }
        }
        return length;
    }

    private static int of(AttributeValue value) {
        return switch (value.type()) {
            case S -> utf8(value.s());
            case N -> number(value.n());
            case B -> value.b().asByteArrayUnsafe().length;
            case BOOL, NUL -> 1;
            case SS -> value.ss().stream().mapToInt(ItemSize::utf8).sum();
            case NS -> value.ns().stream().mapToInt(ItemSize::number).sum();
            case BS ->
                value.bs().stream()
                        .mapToInt(bytes -> bytes.asByteArrayUnsafe().length)
                        .sum();
            case L -> NESTED + value.l().stream().mapToInt(each -> 1 + of(each)).sum();
            case M ->
                NESTED
                        + value.m().entrySet().stream()
                                .mapToInt(each -> 1 + of(each.getKey(), each.getValue()))
                                .sum();
            case UNKNOWN_TO_SDK_VERSION -> 0;
        };
    }

    /** One byte per two digits and one more, and one for a minus. */
    private static int number(String digits) {
        boolean negative = digits.startsWith("-");
        int end = digits.length();
        while (end > 1 && digits.charAt(end - 1) == '0') {
            end--; // trailing zeros are not stored
        }
        int significant = end - (negative ? 1 : 0);
        return (significant + 1) / 2 + 1 + (negative ? 1 : 0);
    }
}
