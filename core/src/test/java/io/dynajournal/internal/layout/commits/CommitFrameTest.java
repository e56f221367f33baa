package io.dynajournal.internal.layout.commits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    /** The worked example of docs/format.md: a change of these bytes is a change of the format. */
    @Test
    void theBytesAreThoseOfTheDocumentedExample() {
        Event added = new Event(payload(33, "Added", "apple"), "", Set.of("fruit"), null);
        Event checkedOut = Event.of(payload(33, "CheckedOut", ""));
        byte[] frame = CommitFrame.encode(List.of(List.of(added), List.of(checkedOut)));
        assertThat(HexFormat.ofDelimiter(" ").formatHex(frame))
                .isEqualTo("10 0a 05 41 64 64 65 64 0a 05 66 72 75 69 74 0a 0a 43 68 65 63 6b 65 64 4f 75 74"
                        + " 12 0d 08 42 10 01 1a 05 61 70 70 6c 65 20 02 12 06 08 42 10 03 38 01");
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
        assertThat(CommitFrame.decode(frame)).isEqualTo(writes);
        assertThat(CommitFrame.decode(Frame.deflate(frame))).isEqualTo(writes);
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
            assertThat(CommitFrame.decode(CommitFrame.encode(writes)))
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
        assertThatThrownBy(() -> CommitFrame.decode(frame))
                .isInstanceOf(MalformedBytes.class)
                .hasMessageContaining("text 5, but there are 0");
    }

    @Test
    void damagedFramesNeverGiveAnotherError() {
        Random random = new Random(3);
        byte[] good = CommitFrame.encode(
                List.of(List.of(new Event(payload(5, "m", "payload"), "a", Set.of("t"), payload(1, "n", "meta")))));
        for (int round = 0; round < 50_000; round++) {
            byte[] bad = Arrays.copyOf(good, 1 + random.nextInt(good.length));
            bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
            try {
                CommitFrame.decode(bad);
            } catch (MalformedBytes expected) {
                assertThat(expected).hasMessageNotContaining("payload");
            }
        }
    }
}
