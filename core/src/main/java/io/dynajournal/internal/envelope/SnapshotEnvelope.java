package io.dynajournal.internal.envelope;

import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.wire.MalformedBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A {@code Snapshot} as the toolkits' snapshot serializer (id 8) encodes it: the length of the header as a little-endian number,
 * the header (serializer id and manifest), and the snapshot's own bytes.
 */
public final class SnapshotEnvelope {

    private SnapshotEnvelope() {}

    /**
     * Decodes an envelope.
     *
     * @throws MalformedBytes if the bytes are not such an envelope
     */
    public static Payload decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < 8) {
            throw new MalformedBytes("a snapshot envelope of " + bytes.length + " bytes, expected 8 or more");
        }
        int header = in.getInt();
        if (header < 4 || header > bytes.length - 4) {
            throw new MalformedBytes(
                    "a header of " + header + " bytes does not fit a snapshot envelope of " + bytes.length);
        }
        int serializerId = in.getInt();
        byte[] manifest = new byte[header - 4];
        in.get(manifest);
        byte[] data = new byte[in.remaining()];
        in.get(data);
        return new Payload(serializerId, new String(manifest, StandardCharsets.UTF_8), data);
    }

    /** The same bytes as the toolkits' serializer writes. */
    public static byte[] encode(Payload snapshot) {
        byte[] manifest = snapshot.manifest().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + manifest.length + snapshot.bytes().length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(4 + manifest.length)
                .putInt(snapshot.serializerId())
                .put(manifest)
                .put(snapshot.bytes())
                .array();
    }
}
