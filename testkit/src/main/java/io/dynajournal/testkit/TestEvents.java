package io.dynajournal.testkit;

import io.dynajournal.model.Event;
import io.dynajournal.model.Payload;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Ids, writers and events for tests. */
public final class TestEvents {

    private static final int SERIALIZER = 17;

    private TestEvents() {}

    /** An id of 20 letters that nobody has; without digits, so that a number in a message is the message's own. */
    public static String freshId() {
        StringBuilder id = new StringBuilder("cart|");
        ThreadLocalRandom.current().ints(15, 'a', 'z' + 1).forEach(c -> id.append((char) c));
        return id.toString();
    }

    public static String freshWriter() {
        return UUID.randomUUID().toString();
    }

    /** Bytes that no compression makes shorter. */
    public static byte[] randomBytes(int size) {
        byte[] bytes = new byte[size];
        ThreadLocalRandom.current().nextBytes(bytes);
        return bytes;
    }

    /** An event that cannot be compressed. */
    public static Event event(int size) {
        return Event.of(new Payload(SERIALIZER, "", randomBytes(size)));
    }

    /** An event that compresses to nearly nothing. */
    public static Event compressible(int size) {
        return Event.of(new Payload(SERIALIZER, "", new byte[size]));
    }

    public static List<Event> events(int count, int size) {
        return IntStream.range(0, count).mapToObj(i -> event(size)).toList();
    }
}
