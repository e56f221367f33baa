package io.dynajournal.cli.terminal;

import java.util.Locale;
import java.util.function.IntPredicate;

/** Characters of stored texts that would end a line, or that a terminal would obey. */
public final class Escapes {

    private Escapes() {}

    /** The text in one line: control characters, lone surrogates and the backslash as in a JSON string. */
    public static String oneLine(String text) {
        return escaped(text, "\\", Character::isISOControl);
    }

    public static String jsonString(String text) {
        return '"' + escaped(text, "\\\"", c -> c < 0x20) + '"';
    }

    /** @param literals characters that get a backslash */
    private static String escaped(String text, String literals, IntPredicate control) {
        StringBuilder escaped = new StringBuilder(text.length() + 2);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (literals.indexOf(c) >= 0) {
                escaped.append('\\').append(c);
            } else if (!control.test(c) && (!Character.isSurrogate(c) || isInPair(text, i))) {
                escaped.append(c);
            } else {
                escaped.append(
                        switch (c) {
                            case '\n' -> "\\n";
                            case '\r' -> "\\r";
                            case '\t' -> "\\t";
                            default -> String.format(Locale.ROOT, "\\u%04x", (int) c);
                        });
            }
        }
        return escaped.toString();
    }

    private static boolean isInPair(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }
}
