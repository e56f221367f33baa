package io.dynajournal.internal.direct;

import java.util.Arrays;
import java.util.Base64;

/** Writes JSON in UTF-8. It adds the commas; the caller must alternate names and values. */
final class JsonWriter {

    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    private static final int MAX_CHARACTER_BYTES = 6;

    private byte[] bytes;
    private int length;
    private boolean afterValue;

    /** @param expected length in bytes; it grows if needed */
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
        afterValue = false;
        return put(bracket);
    }

    private JsonWriter end(char bracket) {
        afterValue = true;
        return put(bracket);
    }

    JsonWriter name(String name) {
        separate();
        quoted(name);
        afterValue = false;
        return put(':');
    }

    JsonWriter text(String value) {
        separate();
        quoted(value);
        afterValue = true;
        return this;
    }

    JsonWriter bare(Object numberOrFlag) {
        separate();
        String value = numberOrFlag.toString();
        reserve(value.length());
        for (int i = 0; i < value.length(); i++) {
            bytes[length++] = (byte) value.charAt(i);
        }
        afterValue = true;
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
        afterValue = true;
        return this;
    }

    private void separate() {
        if (afterValue) {
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
            reserve(MAX_CHARACTER_BYTES);
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

    /** Whether the character is written as one byte, unescaped. */
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

    /** Six bits of a character of several bytes. */
    private void continuation(int bits) {
        bytes[length++] = (byte) (0x80 | (bits & 0x3f));
    }

    private void pair(String text, int at) {
        // An unpaired surrogate has no encoding; a replacement could make two different keys equal.
        if (at + 1 == text.length() || !Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1))) {
            throw new IllegalArgumentException(
                    "A string has an unpaired surrogate at index " + at + ", which cannot be stored");
        }
        int point = text.codePointAt(at);
        bytes[length++] = (byte) (0xf0 | (point >> 18));
        continuation(point >> 12);
        continuation(point >> 6);
        continuation(point);
    }
}
