package io.dynajournal.bench.wire;

import java.nio.charset.StandardCharsets;

/**
 * Walks over JSON without building a tree: what it is not asked for is skipped byte by byte. For requests of the AWS SDKs,
 * which are well-formed. Not thread-safe.
 */
final class JsonScanner {

    private final byte[] json;
    private final int end;
    private int at;

    JsonScanner(byte[] json, int from, int end) {
        this.json = json;
        this.at = from;
        this.end = end;
    }

    int position() {
        return at;
    }

    /** A second scanner on the same JSON. */
    JsonScanner at(int position) {
        return new JsonScanner(json, position, end);
    }

    /** Enters an object or an array. */
    void open(char bracket) {
        if (next() != bracket) {
            throw new IllegalArgumentException("expected " + bracket + " at position " + at);
        }
        at++;
    }

    /** Whether the object or array has another member; if not, leaves it. */
    boolean hasMore(char bracket) {
        byte next = next();
        if (next == bracket) {
            at++;
            return false;
        }
        if (next == ',') {
            at++;
        }
        return true;
    }

    /** The name of the next member of an object. */
    String name() {
        String name = string();
        open(':');
        return name;
    }

    /** The next string without its quotes; escapes stay as they are. */
    String string() {
        open('"');
        int from = at;
        skipStringRest();
        return new String(json, from, at - 1 - from, StandardCharsets.UTF_8);
    }

    String text(int from, int to) {
        return new String(json, from, to - from, StandardCharsets.UTF_8);
    }

    void skipValue() {
        switch (next()) {
            case '"' -> {
                at++;
                skipStringRest();
            }
            case '{', '[' -> skipNested();
            default -> {
                while (at < end && ",}] \n\r\t".indexOf(json[at]) < 0) {
                    at++;
                }
            }
        }
    }

    private void skipNested() {
        int depth = 0;
        do {
            switch (json[at++]) {
                case '"' -> skipStringRest();
                case '{', '[' -> depth++;
                case '}', ']' -> depth--;
                default -> {}
            }
        } while (depth > 0);
    }

    private void skipStringRest() {
        while (json[at] != '"') {
            at += json[at] == '\\' ? 2 : 1;
        }
        at++;
    }

    private byte next() {
        while (json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t') {
            at++;
        }
        return json[at];
    }
}
