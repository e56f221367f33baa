package io.dynajournal.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

final class FrameTest {

    private static byte[] message(byte[] payload) {
        ProtoWriter out = Frame.writer(ProtoWriter.bytesSize(3, payload.length));
        out.writeBytes(3, payload);
        return out.toBytes();
    }

    private static byte[] payload(byte[] frame) {
        ProtoReader in = Frame.open(Frame.seal(frame, Frame.Covered.NOTHING_ELSE), Frame.Covered.NOTHING_ELSE);
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
            ProtoWriter out = Frame.writer(10 * 211);
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
        assertThatThrownBy(() -> open(new byte[] {0x30, 1, 2}))
                .isInstanceOf(MalformedBytes.class)
                .hasMessageContaining("version 3");
        assertThatThrownBy(() -> open(new byte[0])).isInstanceOf(MalformedBytes.class);
    }

    @Test
    void anImpossibleLengthIsRefusedBeforeMemoryIsAllocated() {
        byte[] bomb = {0x11, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x07, 1, 2, 3};
        assertThatThrownBy(() -> open(bomb))
                .isInstanceOf(MalformedBytes.class)
                .hasMessageContaining("cannot be in 9 compressed bytes");
        byte[] sealed = {0x21, 0, 0, 0, 0, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x07, 1, 2, 3};
        assertThatThrownBy(() -> open(Frame.seal(sealed, Frame.Covered.NOTHING_ELSE)))
                .isInstanceOf(MalformedBytes.class)
                .hasMessageContaining("cannot be in 13 compressed bytes");
    }

    private static ProtoReader open(byte[] frame) {
        return Frame.open(frame, Frame.Covered.NOTHING_ELSE);
    }

    /** Version 1 had no checksum, and is read for ever. */
    @Test
    void framesOfVersionOneAreRead() {
        assertThat(payloadOf(open(HexFormat.of().parseHex("101a03616263")))).isEqualTo("abc");
        assertThat(payloadOf(open(HexFormat.of().parseHex("11069362494c4a4e0100"))))
                .isEqualTo("abcd");
    }

    private static String payloadOf(ProtoReader in) {
        assertThat(in.nextField()).isEqualTo(3);
        return in.readText();
    }

    @Test
    void theChecksumIsTheCrc32cOfWhatIsCoveredTheFirstByteAndTheRest() {
        byte[] frame =
                Frame.seal(message("abc".getBytes(StandardCharsets.UTF_8)), sum -> sum.update(new byte[] {7, 8}));
        CRC32C expected = new CRC32C();
        expected.update(HexFormat.of().parseHex("0708201a03616263"));
        assertThat(HexFormat.of().formatHex(frame))
                .isEqualTo("20" + HexFormat.of().toHexDigits((int) expected.getValue()) + "1a03616263");
    }

    @Test
    void everyFlippedBitIsFound() {
        byte[] text = "some text that repeats, some text that repeats".getBytes(StandardCharsets.UTF_8);
        for (byte[] good : List.of(message(text), Frame.deflate(message(text)))) {
            Frame.seal(good, Frame.Covered.NOTHING_ELSE);
            for (int bit = 0; bit < good.length * 8; bit++) {
                byte[] bad = good.clone();
                bad[bit / 8] ^= (byte) (1 << bit % 8);
                assertThatThrownBy(() -> open(bad)).as("bit %d", bit).isInstanceOf(MalformedBytes.class);
            }
            for (int length = 0; length < good.length; length++) {
                byte[] cut = Arrays.copyOf(good, length);
                assertThatThrownBy(() -> open(cut)).as("%d bytes", length).isInstanceOf(MalformedBytes.class);
            }
        }
    }

    @Test
    void aChangeOfWhatIsCoveredIsFound() {
        byte[] frame = Frame.seal(message(new byte[8]), sum -> sum.update(7));
        assertThatThrownBy(() -> Frame.open(frame, sum -> sum.update(8)))
                .isInstanceOf(MalformedBytes.class)
                .hasMessageContaining("checksum");
    }

    /** The same compressed message in a frame without checksum, so that damage reaches the decompressor. */
    private static byte[] asVersionOne(byte[] frame) {
        byte[] old = Arrays.copyOfRange(frame, Math.min(frame.length, Frame.HEAD_BYTES) - 1, frame.length);
        old[0] = 0x11;
        return old;
    }

    @Test
    void damagedBytesNeverGiveAnotherError() {
        Random random = new Random(11);
        byte[] good = Frame.deflate(
                message("some text that repeats, some text that repeats".getBytes(StandardCharsets.UTF_8)));
        for (int round = 0; round < 20_000; round++) {
            byte[] bad = Arrays.copyOf(good, 1 + random.nextInt(good.length));
            bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            try {
                ProtoReader in = open(random.nextBoolean() ? asVersionOne(bad) : bad);
                while (in.nextField() != 0) {
                    in.skip();
                }
            } catch (MalformedBytes expected) {
                assertThat(expected.getMessage()).doesNotContain("some text");
            }
        }
    }
}
