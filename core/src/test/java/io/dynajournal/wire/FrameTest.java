package io.dynajournal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    void noiseIsNotWorthATry() {
        byte[] noise = new byte[300_000];
        new Random(7).nextBytes(noise);
        assertThat(Frame.mayShrink(noise)).isFalse();
        assertThat(Frame.mayShrink(new byte[300_000])).isTrue();
        Arrays.fill(noise, 150_000, 300_000, (byte) 'x');
        assertThat(Frame.mayShrink(noise)).as("half of it").isTrue();
        // So little is tried at once.
        assertThat(Frame.mayShrink(Arrays.copyOf(noise, 30_000))).isTrue();
    }

    @Test
    void otherVersionsAreRefusedByName() {
        assertThatThrownBy(() -> Frame.open(new byte[] {0x20, 1, 2}))
                .isInstanceOf(MalformedBytes.class)
                .hasMessageContaining("version 2");
        assertThatThrownBy(() -> Frame.open(new byte[0])).isInstanceOf(MalformedBytes.class);
    }

    @Test
    void aLengthThatCannotBeIsRefusedBeforeMemoryIsTaken() {
        byte[] bomb = {0x11, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x07, 1, 2, 3};
        assertThatThrownBy(() -> Frame.open(bomb)).isInstanceOf(MalformedBytes.class);
    }

    @Test
    void damagedBytesNeverEscapeAsAnotherError() {
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
