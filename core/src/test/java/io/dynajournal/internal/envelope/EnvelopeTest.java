package io.dynajournal.internal.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.wire.MalformedBytes;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes were encoded by the toolkits' own serializers. */
final class EnvelopeTest {

    private static final Payload ABC = new Payload(20, "", "abc".getBytes(StandardCharsets.UTF_8));

    @Test
    void messagesAreEncodedAsByAkka26() {
        PersistentMessage message = new PersistentMessage(ABC, 7, "pid-1", false, "man", "w-uuid", 0, null);
        String bytes = "0a070814120361626310071a057069642d3162036d616e6a06772d75756964";
        assertThat(HexFormat.of().formatHex(message.encode())).isEqualTo(bytes);
        assertThat(PersistentMessage.decode(HexFormat.of().parseHex(bytes))).isEqualTo(message);
    }

    @Test
    void messagesOfAkka23AreDecoded() {
        PersistentMessage plain = PersistentMessage.decode(
                Base64.getDecoder().decode("ChQIARIQrO0ABXQACWhlbGxvLTIuMxAqGgZwcm9jLTEgADAAQAA="));
        assertThat(plain.seqNr()).isEqualTo(42);
        assertThat(plain.persistenceId()).isEqualTo("proc-1");
        assertThat(plain.payload().serializerId()).isEqualTo(1);
        assertThat(plain.deleted()).isFalse();
        PersistentMessage confirmable = PersistentMessage.decode(Base64.getDecoder()
                .decode("Cg8IARILrO0ABXQABGNvbmYQKxoGcHJvYy0xIAEwAkABSiwKBnByb2MtMRIGY2hhbi0xGCsgByoWYWtrYTovL2Vu"
                        + "Yy9kZWFkTGV0dGVyc1IWYWtrYTovL2VuYy9kZWFkTGV0dGVyc1oWYWtrYTovL2VuYy9kZWFkTGV0dGVycw=="));
        assertThat(confirmable.seqNr()).isEqualTo(43);
        assertThat(confirmable.deleted()).isTrue();
    }

    @Test
    void messagesSurviveARoundTrip() {
        PersistentMessage full = new PersistentMessage(
                new Payload(-3, "m", new byte[] {1, 2}),
                Long.MAX_VALUE,
                "日本",
                true,
                "adapter",
                "writer",
                1_794_700_800_123L,
                new Payload(0, "", new byte[0]));
        assertThat(PersistentMessage.decode(full.encode())).isEqualTo(full);
    }

    @Test
    void snapshotsAreEncodedAsByAkka26() {
        String bytes = "0400000014000000616263";
        assertThat(HexFormat.of().formatHex(SnapshotEnvelope.encode(ABC))).isEqualTo(bytes);
        assertThat(SnapshotEnvelope.decode(HexFormat.of().parseHex(bytes))).isEqualTo(ABC);
        Payload named = new Payload(-5, "com.example.State", new byte[] {9});
        assertThat(SnapshotEnvelope.decode(SnapshotEnvelope.encode(named))).isEqualTo(named);
    }

    @Test
    void malformedEnvelopesAreRefused() {
        assertThatThrownBy(() -> SnapshotEnvelope.decode(new byte[] {1, 2, 3})).isInstanceOf(MalformedBytes.class);
        assertThatThrownBy(() -> SnapshotEnvelope.decode(new byte[] {99, 0, 0, 0, 1, 0, 0, 0, 0}))
                .isInstanceOf(MalformedBytes.class);
        assertThatThrownBy(() -> PersistentMessage.decode(new byte[] {0x0a, 0x7f}))
                .isInstanceOf(MalformedBytes.class);
    }
}
