package io.dynajournal.internal.layout.commits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.wire.Frame;
import io.dynajournal.internal.wire.MalformedBytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CommitFrameTest {

    private static Payload payload(int id, String manifest, String text) {
        return new Payload(id, manifest, text.getBytes(StandardCharsets.UTF_8));
    }

    /** The message of the worked example of docs/format.md: a change of these bytes is a change of the format. */
    private static final String EXAMPLE =
            "0a 05 41 64 64 65 64 0a 05 66 72 75 69 74 0a 0a 43 68 65 63 6b 65 64 4f 75 74"
                    + " 12 0d 08 42 10 01 1a 05 61 70 70 6c 65 20 02 12 06 08 42 10 03 38 01";

    private static final List<List<Event>> EXAMPLE_WRITES = List.of(
            List.of(new Event(payload(33, "Added", "apple"), "", Set.of("fruit"), null)),
            List.of(Event.of(payload(33, "CheckedOut", ""))));

    @Test
    void theBytesAreThoseOfTheDocumentedExample() {
        Item head = Item.create()
                .text("pid", "cart|42")
                .number("seq", 3)
                .number("n", 2)
                .number("ts", 1_794_700_800_000_123L)
                .number("pv", 1_794_700_799_999_456L)
                .bytes("w", HexFormat.of().parseHex("0b8e5f2c3c4d4a5b8c6d7e8f90a1b2c3"))
                .text("ix", "cart#16#3")
                .texts("tags", Set.of("fruit"));
        byte[] frame = Frame.seal(CommitFrame.encode(EXAMPLE_WRITES), CommitItems.covered(head));
        assertThat(HexFormat.ofDelimiter(" ").formatHex(frame)).isEqualTo("20 86 8a 39 db " + EXAMPLE);
        assertThat(CommitFrame.decode(frame, CommitItems.covered(head))).isEqualTo(EXAMPLE_WRITES);
    }

    /** What version 1 has stored is read for ever. */
    @Test
    void theBytesOfVersionOneAreRead() {
        byte[] frame = HexFormat.ofDelimiter(" ").parseHex("10 " + EXAMPLE);
        assertThat(decode(frame)).isEqualTo(EXAMPLE_WRITES);
        assertThat(HexFormat.ofDelimiter(" ").formatHex(unframed(EXAMPLE_WRITES)))
                .isEqualTo(EXAMPLE);
    }

    private static byte[] unframed(List<List<Event>> writes) {
        byte[] frame = CommitFrame.encode(writes);
        return Arrays.copyOfRange(frame, Frame.HEAD_BYTES, frame.length);
    }

    private static byte[] sealed(byte[] frame) {
        return Frame.seal(frame, Frame.Covered.NOTHING_ELSE);
    }

    private static List<List<Event>> decode(byte[] frame) {
        return CommitFrame.decode(frame, Frame.Covered.NOTHING_ELSE);
    }

    @Test
    void eventsSurviveARoundTrip() {
        Event full = new Event(
                payload(-7, "Mänifest", "bytes"),
                "adapter-v2",
                Set.of("a", "b"),
                payload(Integer.MIN_VALUE, "meta", "data"));
        Event bare = Event.of(payload(0, "", ""));
        List<List<Event>> writes = List.of(List.of(full, bare), List.of(bare), List.of(full));
        byte[] frame = CommitFrame.encode(writes);
        assertThat(decode(sealed(frame))).isEqualTo(writes);
        assertThat(decode(sealed(Frame.deflate(frame)))).isEqualTo(writes);
    }

    @Test
    void randomCommitsSurviveARoundTrip() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            List<List<Event>> writes = new ArrayList<>();
            for (int w = 0; w <= random.nextInt(4); w++) {
                List<Event> write = new ArrayList<>();
                for (int e = 0; e <= random.nextInt(5); e++) {
                    write.add(randomEvent(random));
                }
                writes.add(write);
            }
            assertThat(decode(sealed(CommitFrame.encode(writes))))
                    .as("seed %d", seed)
                    .isEqualTo(writes);
        }
    }

    private static Event randomEvent(Random random) {
        byte[] bytes = new byte[random.nextInt(300)];
        random.nextBytes(bytes);
        String manifest = "m".repeat(random.nextInt(4)) + (random.nextBoolean() ? "é😀" : "");
        Set<String> tags = random.nextInt(3) == 0 ? Set.of("t" + random.nextInt(3), "u") : Set.of();
        Payload metadata = random.nextInt(4) == 0 ? new Payload(random.nextInt(), manifest, bytes) : null;
        return new Event(
                new Payload(random.nextInt(), manifest, bytes), random.nextBoolean() ? "" : "ad", tags, metadata);
    }

    @Test
    void manifestsAreWrittenOnce() {
        Event event = Event.of(payload(1, "com.example.a.long.manifest.of.Something", "x"));
        int one = CommitFrame.encode(List.of(List.of(event))).length;
        int ten = CommitFrame.encode(List.of(java.util.Collections.nCopies(10, event))).length;
        assertThat(ten - one).isEqualTo(9 * 9);
    }

    @Test
    void aReferenceToAMissingTextIsMalformed() {
        byte[] frame = {0x10, 0x12, 0x02, 0x10, 0x05};
        assertThatThrownBy(() -> decode(frame))
                .isInstanceOf(MalformedBytes.class)
                .hasMessageContaining("text 5, but there are 0");
    }

    @Test
    void damagedFramesNeverGiveAnotherError() {
        Random random = new Random(3);
        byte[] message = unframed(
                List.of(List.of(new Event(payload(5, "m", "payload"), "a", Set.of("t"), payload(1, "n", "meta")))));
        byte[] good = new byte[1 + message.length];
        good[0] = 0x10; // version 1: damage reaches the decoder
        System.arraycopy(message, 0, good, 1, message.length);
        for (int round = 0; round < 50_000; round++) {
            byte[] bad = Arrays.copyOf(good, 1 + random.nextInt(good.length));
            bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
            try {
                decode(bad);
            } catch (MalformedBytes expected) {
                assertThat(expected).hasMessageNotContaining("payload");
            }
        }
    }
}
