package io.dynajournal.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FrameTest {

    private static byte[] message(byte[] payload) {
        ProtoWriter out = new ProtoWriter(1 + ProtoWriter.bytesSize(3, payload.length));
        out.rawByte(Frame.PLAIN);
        out.writeBytes(3, payload);
        return out.toBytes();
    }

    private static byte[] payload(byte[] frame) {
        ProtoReader in = Frame.open(frame);
        assertThat(in.nextField()).isEqualTo(3);
        byte[] payload = in.readBytes();
        assertThat(in.nextField()).isZero();
        return payload;
    }

    @Test
    void compressedMessagesComeBackWhole() {
        Random random = new Random(7);
        for (int length : new int[] {1, 100, 5_000, 400_000}) {
            byte[] noise = new byte[length];
            random.nextBytes(noise);
            byte[] same = new byte[length];
            Arrays.fill(same, (byte) 'x');
            assertThat(payload(Frame.deflate(message(noise)))).isEqualTo(noise);
            assertThat(payload(Frame.deflate(message(same)))).isEqualTo(same);
        }
    }

    @Test
    void compressionShortensWhatRepeats() {
        assertThat(Frame.deflate(message(new byte[10_000]))).hasSizeLessThan(100);
    }

    @Test
    void randomBytesAreNotTried() {
        byte[] noise = new byte[300_000];
        new Random(7).nextBytes(noise);
        assertThat(Frame.mayShrink(noise, 1)).isFalse();
        assertThat(Frame.mayShrink(new byte[300_000], 1)).isTrue();
        for (int length : new int[] {1_100, 2_200, 5_000, 30_000}) {
            assertThat(Frame.mayShrink(Arrays.copyOf(noise, length), 100)).isFalse();
            assertThat(Frame.mayShrink(new byte[length], 1_000)).isTrue();
        }
        Arrays.fill(noise, 150_000, 300_000, (byte) 'x');
        assertThat(Frame.mayShrink(noise, 1)).as("half of it").isTrue();
    }

    /** Only the bytes between such events repeat: far too few for a write unit. */
    @Test
    void tenEventsOfRandomBytesAreNotTried() {
        Random random = new Random(7);
        for (int round = 0; round < 100; round++) {
            ProtoWriter out = new ProtoWriter(1 + 10 * 211);
            out.rawByte(Frame.PLAIN);
            for (int event = 0; event < 10; event++) {
                byte[] noise = new byte[200];
                random.nextBytes(noise);
                byte[] between = {0x12, (byte) 0xD0, 1, 8, (byte) 0xD0, 0x49, 0x10, 1, 0x1A, (byte) 0xC8, 1};
                out.raw(between);
                out.raw(noise);
            }
            assertThat(Frame.mayShrink(out.toBytes(), 120)).isFalse();
        }
    }

    /** Random bytes mixed with repeated ones and with few symbols: whatever compression would shrink enough is tried. */
    @Test
    void bytesThatShrinkAreTried() {
        int shrunk = 0;
        for (int seed = 1; seed <= 3_000; seed++) {
            Random random = new Random(seed);
            byte[] plain = message(mixture(random));
            int saved = plain.length - Frame.deflate(plain).length;
            int needed = 1 + random.nextInt(1024);
            if (saved >= needed) {
                shrunk++;
                assertThat(Frame.mayShrink(plain, needed))
                        .as("seed %d: %d bytes of %d", seed, saved, plain.length)
                        .isTrue();
            }
        }
        assertThat(shrunk).isGreaterThan(300);
    }

    private static byte[] mixture(Random random) {
        byte[] again = new byte[1 + random.nextInt(20)];
        random.nextBytes(again);
        int symbols = 1 << (1 + random.nextInt(8));
        int noise = 1 + random.nextInt(2_000);
        ByteArrayOutputStream mixture = new ByteArrayOutputStream();
        int length = 1_000 + random.nextInt(random.nextBoolean() ? 3_000 : 29_000);
        while (mixture.size() < length) {
            for (int i = 0; i < noise; i++) {
                mixture.write(random.nextInt(256));
            }
            mixture.writeBytes(again);
            for (int i = 0; i < noise / 20; i++) {
                mixture.write(random.nextInt(symbols));
            }
        }
        return mixture.toByteArray();
    }

    @Test
    void otherVersionsAreRefusedWithTheirNumber() {
        assertThatThrownBy(() -> Frame.open(new byte[] {0x20, 1, 2}))
                .isInstanceOf(MalformedBytes.class)
                .hasMessageContaining("version 2");
        assertThatThrownBy(() -> Frame.open(new byte[0])).isInstanceOf(MalformedBytes.class);
    }

    @Test
    void anImpossibleLengthIsRefusedBeforeMemoryIsAllocated() {
        byte[] bomb = {0x11, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x07, 1, 2, 3};
        assertThatThrownBy(() -> Frame.open(bomb)).isInstanceOf(MalformedBytes.class);
    }

    @Test
    void damagedBytesNeverGiveAnotherError() {
        Random random = new Random(11);
        byte[] good = Frame.deflate(message(
                "some text that repeats, some text that repeats".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        for (int round = 0; round < 20_000; round++) {
            byte[] bad = Arrays.copyOf(good, 1 + random.nextInt(good.length));
            bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            try {
                ProtoReader in = Frame.open(bad);
                while (in.nextField() != 0) {
                    in.skip();
                }
            } catch (MalformedBytes expected) {
                assertThat(expected.getMessage()).doesNotContain("some text");
            }
        }
    }
}
