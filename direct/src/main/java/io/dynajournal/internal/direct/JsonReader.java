package io.dynajournal.internal.direct;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON in UTF-8, value by value, in the order that the caller expects. Fails with {@link MalformedJson} if the text is not JSON
 * or the next value has another type.
 */
final class JsonReader {

    /** The text is not JSON, or has another structure than expected. */
    static final class MalformedJson extends RuntimeException {
        private static final long serialVersionUID = 1L;

        MalformedJson(String problem, int at) {
            super(problem + " at byte " + at);
        }
    }

    /** DynamoDB allows 32 levels in an item. */
    private static final int MAX_DEPTH = 200;

    private static final int CACHED_NAMES = 64;

    private final byte[] bytes;
    private int at;

    /** Names seen before: attributes have the same few names in every item. */
    private final @Nullable String[] names = new String[CACHED_NAMES];

    JsonReader(byte[] bytes) {
        this.bytes = bytes;
    }

    void beginObject() {
        expect('{');
    }

    /** The next name of the object; null at its end. */
    @Nullable
    String nextName() {
        byte next = peek();
        if (next == ',') {
            at++;
            next = peek();
        }
        if (next == '}') {
            at++;
            return null;
        }
        String name = name();
        expect(':');
        return name;
    }

    /** Reads the value of a field. */
    interface Field {
        void read(String name);
    }

    /** Reads an object field by field; fields that are null are skipped. */
    void fields(Field field) {
        beginObject();
        for (@Nullable String name = nextName(); name != null; name = nextName()) {
            if (!isNull()) {
                field.read(name);
            }
        }
    }

    void beginList() {
        expect('[');
    }

    /** Whether the list has another element; consumes its end. */
    boolean hasNext() {
        byte next = peek();
        if (next == ',') {
            at++;
            next = peek();
        }
        if (next == ']') {
            at++;
            return false;
        }
        return true;
    }

    /** Whether the next value is null; consumes it. */
    boolean isNull() {
        if (peek() == 'n') {
            literal("null");
            return true;
        }
        return false;
    }

    boolean flag() {
        if (peek() == 't') {
            literal("true");
            return true;
        }
        literal("false");
        return false;
    }

    double number() {
        peek();
        int from = at;
        while (at < bytes.length && "+-.eE0123456789".indexOf(bytes[at]) >= 0) {
            at++;
        }
        try {
            return Double.parseDouble(new String(bytes, from, at - from, StandardCharsets.US_ASCII));
        } catch (NumberFormatException e) {
            throw new MalformedJson("not a number", from);
        }
    }

    String text() {
        expect('"');
        int from = at;
        int end = plainEnd(from);
        if (byteAt(end) == '"') {
            at = end + 1;
            return new String(bytes, from, end - from, StandardCharsets.UTF_8);
        }
        return escaped(from, end);
    }

    byte[] base64() {
        expect('"');
        int from = at;
        int end = plainEnd(from);
        byte[] encoded;
        if (byteAt(end) == '"') {
            at = end + 1;
            encoded = Arrays.copyOfRange(bytes, from, end);
        } else {
            // JSON allows an escaped slash.
            encoded = escaped(from, end).getBytes(StandardCharsets.UTF_8);
        }
        try {
            return Base64.getDecoder().decode(encoded);
        } catch (IllegalArgumentException e) {
            throw new MalformedJson("not base64", from);
        }
    }

    /** Skips a value. */
    void skip() {
        skip(0);
    }

    private void skip(int depth) {
        if (depth > MAX_DEPTH) {
            throw new MalformedJson("nested too deeply", at);
        }
        switch (peek()) {
            case '{' -> {
                beginObject();
                while (nextName() != null) {
                    skip(depth + 1);
                }
            }
            case '[' -> {
                beginList();
                while (hasNext()) {
                    skip(depth + 1);
                }
            }
            case '"' -> text();
            case 't', 'f' -> flag();
            case 'n' -> literal("null");
            default -> number();
        }
    }

    private String name() {
        expect('"');
        int from = at;
        int end = plainEnd(from);
        if (byteAt(end) != '"') {
            return escaped(from, end);
        }
        at = end + 1;
        int hash = end - from;
        for (int i = from; i < end; i++) {
            hash = 31 * hash + bytes[i];
        }
        int slot = (hash ^ (hash >>> 6)) & (CACHED_NAMES - 1);
        String known = names[slot];
        if (known == null || !isAt(known, from, end)) {
            known = new String(bytes, from, end - from, StandardCharsets.UTF_8);
            names[slot] = known;
        }
        return known;
    }

    /** False for a name that is not ASCII, which is then treated as new. */
    private boolean isAt(String name, int from, int end) {
        if (name.length() != end - from) {
            return false;
        }
        for (int i = from; i < end; i++) {
            if (name.charAt(i - from) != bytes[i]) {
                return false;
            }
        }
        return true;
    }

    /** The index of the closing quote or of the first escape. */
    private int plainEnd(int from) {
        int end = from;
        while (end < bytes.length && bytes[end] != '"' && bytes[end] != '\\') {
            end++;
        }
        return end;
    }

    /** @param firstEscape index of the first escape */
    private String escaped(int from, int firstEscape) {
        StringBuilder text = new StringBuilder(new String(bytes, from, firstEscape - from, StandardCharsets.UTF_8));
        at = firstEscape;
        while (byteAt(at) != '"') {
            if (bytes[at] == '\\') {
                at++;
                text.append(escape());
            } else {
                int end = plainEnd(at);
                text.append(new String(bytes, at, end - at, StandardCharsets.UTF_8));
                at = end;
            }
        }
        at++;
        return text.toString();
    }

    private char escape() {
        byte kind = byteAt(at++);
        return switch (kind) {
            case '"', '\\', '/' -> (char) kind;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw new MalformedJson("unknown escape", at - 1);
        };
    }

    private char unicode() {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(byteAt(at++), 16);
            if (digit < 0) {
                throw new MalformedJson("not a hexadecimal digit", at - 1);
            }
            value = (value << 4) | digit;
        }
        return (char) value;
    }

    private void literal(String word) {
        peek();
        if (bytes.length - at < word.length() || !isAt(word, at, at + word.length())) {
            throw new MalformedJson("expected " + word, at);
        }
        at += word.length();
    }

    private void expect(char ascii) {
        if (peek() != ascii) {
            throw new MalformedJson("expected " + ascii, at);
        }
        at++;
    }

    /** The next byte that is not white space. */
    private byte peek() {
        byte next = byteAt(at);
        while (next == ' ' || next == '\n' || next == '\r' || next == '\t') {
            next = byteAt(++at);
        }
        return next;
    }

    private byte byteAt(int index) {
        if (index >= bytes.length) {
            throw new MalformedJson("unexpected end", index);
        }
        return bytes[index];
    }
}
