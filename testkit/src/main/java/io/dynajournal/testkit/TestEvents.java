package io.dynajournal.testkit;

import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.Payload;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Persistence ids, writers and events for tests. */
public final class TestEvents {

    private static final int SERIALIZER = 17;

    private TestEvents() {}

    /** A new persistence id of 20 letters; without digits, so that a number in a message is not part of it. */
    public static String freshId() {
        StringBuilder id = new StringBuilder("cart|");
        ThreadLocalRandom.current().ints(15, 'a', 'z' + 1).forEach(c -> id.append((char) c));
        return id.toString();
    }

    /** A new writer UUID. */
    public static String freshWriter() {
        return UUID.randomUUID().toString();
    }

    /** Bytes that cannot be compressed. */
    public static byte[] randomBytes(int size) {
        byte[] bytes = new byte[size];
        ThreadLocalRandom.current().nextBytes(bytes);
        return bytes;
    }

    /** An event that cannot be compressed. */
    public static Event event(int size) {
        return Event.of(new Payload(SERIALIZER, "", randomBytes(size)));
    }

    /** An event that compresses to a few bytes. */
    public static Event compressible(int size) {
        return Event.of(new Payload(SERIALIZER, "", new byte[size]));
    }

    public static List<Event> events(int count, int size) {
        return IntStream.range(0, count).mapToObj(i -> event(size)).toList();
    }
}
