package io.dynajournal.bench.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes maps, lists, strings, numbers, booleans and null as indented JSON. */
public final class Json {

    private static final MathContext DIGITS = new MathContext(6);

    private final StringBuilder out = new StringBuilder();

    private Json() {}

    public static String of(@Nullable Object value) {
        Json json = new Json();
        json.write(value, "\n");
        return json.out.append('\n').toString();
    }

    private void write(@Nullable Object value, String newLine) {
        if (value instanceof Map<?, ?> map) {
            write('{', '}', map.entrySet().iterator(), newLine);
        } else if (value instanceof List<?> list) {
            write('[', ']', list.iterator(), newLine);
        } else if (value instanceof Map.Entry<?, ?> entry) {
            text(String.valueOf(entry.getKey()));
            out.append(": ");
            write(entry.getValue(), newLine);
        } else if (value instanceof Number number) {
            out.append(number(number));
        } else if (value == null || value instanceof Boolean) {
            out.append(value);
        } else {
            text(value.toString());
        }
    }

    private void write(char begin, char end, Iterator<?> members, String newLine) {
        out.append(begin);
        String deeper = newLine + "  ";
        boolean any = members.hasNext();
        while (members.hasNext()) {
            out.append(deeper);
            write(members.next(), deeper);
            if (members.hasNext()) {
                out.append(',');
            }
        }
        out.append(any ? newLine : "").append(end);
    }

    /** Six digits are more than the accuracy of any measurement. */
    private static String number(Number number) {
        double value = number.doubleValue();
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "null";
        }
        if (number instanceof Integer || number instanceof Long) {
            return number.toString();
        }
        BigDecimal rounded = new BigDecimal(value).round(DIGITS);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    private void text(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                case '\r' -> out.append("\\r");
                default -> {
                    if (c < ' ') {
                        out.append(String.format(java.util.Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
