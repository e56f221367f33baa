package io.dynajournal.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class ProtoTest {

    @Test
    void numbersHaveTheAnnouncedSize() {
        for (long value : new long[] {0, 1, 127, 128, 16_383, 16_384, Integer.MAX_VALUE, Long.MAX_VALUE, -1}) {
            ProtoWriter out = new ProtoWriter(ProtoWriter.intSize(5, value));
            out.writeInt(5, value);
            byte[] bytes = out.toBytes();
            ProtoReader in = new ProtoReader(bytes, 0, bytes.length);
            if (value == 0) {
                assertThat(in.nextField()).isZero();
            } else {
                assertThat(in.nextField()).isEqualTo(5);
                assertThat(in.readInt()).isEqualTo(value);
            }
        }
    }

    @Test
    void negativeNumbersAreZigzagEncoded() {
        for (int value : new int[] {1, -1, 63, -64, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            ProtoWriter out = new ProtoWriter(ProtoWriter.signedSize(1, value));
            out.writeSigned(1, value);
            byte[] bytes = out.toBytes();
            ProtoReader in = new ProtoReader(bytes, 0, bytes.length);
            assertThat(in.nextField()).isEqualTo(1);
            assertThat(in.readSigned()).isEqualTo(value);
        }
        assertThat(ProtoWriter.signedSize(1, -1)).isEqualTo(2);
    }

    @Test
    void bytesMatchTheProtobufSpecification() {
        // The examples of the protobuf encoding guide: field 1 = 150, field 2 = "testing".
        ProtoWriter out = new ProtoWriter(12);
        out.writeInt(1, 150);
        out.writeText(2, "testing");
        assertThat(out.toBytes())
                .containsExactly(0x08, 0x96, 0x01, 0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67);
    }

    @Test
    void lengthsAfterTheEndAreRefused() {
        byte[] bytes = {0x12, 0x7F, 1, 2};
        ProtoReader in = new ProtoReader(bytes, 0, bytes.length);
        in.nextField();
        assertThatThrownBy(in::readBytes).isInstanceOf(MalformedBytes.class).hasMessageContaining("127");
    }

    @Test
    void unknownFieldsAreSkipped() {
        ProtoWriter out = new ProtoWriter(ProtoWriter.bytesSize(9, 3) + ProtoWriter.intSize(1, 7));
        out.writeBytes(9, new byte[] {1, 2, 3});
        out.writeInt(1, 7);
        byte[] bytes = out.toBytes();
        ProtoReader in = new ProtoReader(bytes, 0, bytes.length);
        assertThat(in.nextField()).isEqualTo(9);
        in.skip();
        assertThat(in.nextField()).isEqualTo(1);
        assertThat(in.readInt()).isEqualTo(7);
    }
}
