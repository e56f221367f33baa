package io.dynajournal.dynamo.direct;

import java.util.Arrays;
import java.util.Base64;

/** Writes JSON as UTF-8. Commas come by themselves; that names and values take turns is the caller's business. */
final class JsonWriter {

    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    private static final int LONGEST_CHARACTER = 6;

    private byte[] bytes;
    private int length;
    private boolean behindValue;

    /** @param expected length in bytes; more is possible */
    JsonWriter(int expected) {
        this.bytes = new byte[expected];
    }

    byte[] bytes() {
        return Arrays.copyOf(bytes, length);
    }

    JsonWriter beginObject() {
        return begin('{');
    }

    JsonWriter endObject() {
        return end('}');
    }

    JsonWriter beginList() {
        return begin('[');
    }

    JsonWriter endList() {
        return end(']');
    }

    private JsonWriter begin(char bracket) {
        separate();
        behindValue = false;
        return put(bracket);
    }

    private JsonWriter end(char bracket) {
        behindValue = true;
        return put(bracket);
    }

    JsonWriter name(String name) {
        separate();
        quoted(name);
        behindValue = false;
        return put(':');
    }

    JsonWriter text(String value) {
        separate();
        quoted(value);
        behindValue = true;
        return this;
    }

    JsonWriter bare(Object numberOrFlag) {
        separate();
        String value = numberOrFlag.toString();
        reserve(value.length());
        for (int i = 0; i < value.length(); i++) {
            bytes[length++] = (byte) value.charAt(i);
        }
        behindValue = true;
        return this;
    }

    JsonWriter base64(byte[] value) {
        separate();
        byte[] encoded = Base64.getEncoder().encode(value);
        reserve(encoded.length + 2);
        bytes[length++] = '"';
        System.arraycopy(encoded, 0, bytes, length, encoded.length);
        length += encoded.length;
        bytes[length++] = '"';
        behindValue = true;
        return this;
    }

    private void separate() {
        if (behindValue) {
            put(',');
        }
    }

    private JsonWriter put(char ascii) {
        reserve(1);
        bytes[length++] = (byte) ascii;
        return this;
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }

    private void quoted(String text) {
        reserve(text.length() + 2);
        bytes[length++] = '"';
        int i = 0;
        while (i < text.length() && isPlain(text.charAt(i))) {
            bytes[length++] = (byte) text.charAt(i++);
        }
        for (; i < text.length(); i++) {
            reserve(LONGEST_CHARACTER);
            char c = text.charAt(i);
            if (isPlain(c)) {
                bytes[length++] = (byte) c;
            } else if (c == '"' || c == '\\') {
                bytes[length++] = '\\';
                bytes[length++] = (byte) c;
            } else if (c < ' ') {
                control(c);
            } else if (Character.isSurrogate(c)) {
                pair(text, i++);
            } else {
                utf8(c);
            }
        }
        put('"');
    }

    /** A byte that stands for itself, as nearly all do. */
    private static boolean isPlain(char c) {
        return c >= ' ' && c < 0x80 && c != '"' && c != '\\';
    }

    private void control(char c) {
        bytes[length++] = '\\';
        bytes[length++] = 'u';
        bytes[length++] = '0';
        bytes[length++] = '0';
        bytes[length++] = HEX[c >> 4];
        bytes[length++] = HEX[c & 15];
    }

    private void utf8(char c) {
        if (c < 0x800) {
            bytes[length++] = (byte) (0xc0 | (c >> 6));
        } else {
            bytes[length++] = (byte) (0xe0 | (c >> 12));
            continuation(c >> 6);
        }
        continuation(c);
    }

    /** Six bits. */
    private void continuation(int bits) {
        bytes[length++] = (byte) (0x80 | (bits & 0x3f));
    }

    private void pair(String text, int at) {
        // Half a pair has no bytes; any replacement could make two different keys one.
        if (at + 1 == text.length() || !Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1))) {
            throw new IllegalArgumentException(
                    "A text holds half a surrogate pair at " + at + ", which is no character");
        }
        int point = text.codePointAt(at);
        bytes[length++] = (byte) (0xf0 | (point >> 18));
        continuation(point >> 12);
        continuation(point >> 6);
        continuation(point);
    }
}
