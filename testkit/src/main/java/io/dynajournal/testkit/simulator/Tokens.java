package io.dynajournal.testkit.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tokens of an expression, read one after another. Not thread-safe. */
final class Tokens {

    private static final Pattern TOKEN = Pattern.compile(
            "\\s*(?:([#:]?[A-Za-z_][A-Za-z0-9_]*|[#:][A-Za-z0-9_]+)|([0-9]+)|(<>|<=|>=|[=<>(),.\\[\\]+-]))");

    private final String kind;
    private final List<String> tokens = new ArrayList<>();
    private int next;

    /** @param kind such as {@code FilterExpression}, for messages */
    Tokens(String kind, String text) {
        this.kind = kind;
        if (text.isBlank()) {
            throw Errors.validation("Invalid " + kind + ": The expression can not be empty;");
        }
        Matcher matcher = TOKEN.matcher(text);
        int at = 0;
        String trimmed = text.stripTrailing();
        while (at < trimmed.length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                throw Errors.validation("Invalid " + kind + ": Syntax error; token: \""
                        + trimmed.substring(at, Math.min(trimmed.length(), at + 1)) + "\", near: \"" + trimmed + "\"");
            }
            tokens.add(matcher.group().strip());
            at = matcher.end();
        }
    }

    String kind() {
        return kind;
    }

    boolean atEnd() {
        return next == tokens.size();
    }

    String peek() {
        return atEnd() ? "<EOF>" : tokens.get(next);
    }

    String take() {
        if (atEnd()) {
            throw unexpected();
        }
        return tokens.get(next++);
    }

    /** Takes the next token if it is this keyword or sign, in upper or lower case. */
    boolean takeIf(String wanted) {
        boolean found = !atEnd() && tokens.get(next).toUpperCase(Locale.ROOT).equals(wanted);
        if (found) {
            next++;
        }
        return found;
    }

    void expect(String wanted) {
        if (!takeIf(wanted)) {
            throw unexpected();
        }
    }

    void expectEnd() {
        if (!atEnd()) {
            throw unexpected();
        }
    }

    boolean nextIsCall() {
        return next + 1 < tokens.size() && tokens.get(next + 1).equals("(") && isName(tokens.get(next));
    }

    static boolean isName(String token) {
        char first = token.charAt(0);
        return first == '_' || Character.isLetter(first);
    }

    RuntimeException unexpected() {
        return Errors.validation("Invalid " + kind + ": Syntax error; token: \"" + peek() + "\", near: \""
                + String.join(" ", tokens.subList(Math.max(0, next - 1), Math.min(tokens.size(), next + 2))) + "\"");
    }
}
