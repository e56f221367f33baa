package io.dynajournal.bench.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What was received on a connection and not handled yet. Not thread-safe. */
final class RequestBuffer {

    private byte[] bytes = new byte[1 << 14];
    private int length;

    int length() {
        return length;
    }

    /** Reads what is available; negative if the connection was closed. */
    int fill(ReadableByteChannel channel) throws IOException {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        int read = channel.read(ByteBuffer.wrap(bytes, length, bytes.length - length));
        length += Math.max(0, read);
        return read;
    }

    /** Removes everything before a position. */
    void drop(int to) {
        System.arraycopy(bytes, to, bytes, 0, length - to);
        length -= to;
    }

    /** The position of a text, ignoring case; negative if it does not occur before the end. */
    int find(byte[] text, int from, int end) {
        for (int at = from; at <= end - text.length; at++) {
            if (isAt(text, at)) {
                return at;
            }
        }
        return -1;
    }

    private boolean isAt(byte[] text, int at) {
        for (int i = 0; i < text.length; i++) {
            if (lower(bytes[at + i]) != lower(text[i])) {
                return false;
            }
        }
        return true;
    }

    private static int lower(byte letter) {
        return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
    }

    int count(byte[] text, int from, int end) {
        int count = 0;
        for (int at = find(text, from, end); at >= 0; at = find(text, at + text.length, end)) {
            count++;
        }
        return count;
    }

    /** The number that follows optional spaces. */
    int number(int at) {
        int position = at;
        while (bytes[position] == ' ') {
            position++;
        }
        int number = 0;
        while (bytes[position] >= '0' && bytes[position] <= '9') {
            number = number * 10 + bytes[position++] - '0';
        }
        return number;
    }

    JsonScanner json(int from, int end) {
        return new JsonScanner(bytes, from, end);
    }

    /** The letters that start at a position. */
    String word(int at) {
        int end = at;
        while (Character.isLetter(bytes[end])) {
            end++;
        }
        return new String(bytes, at, end - at, StandardCharsets.US_ASCII);
    }
}
