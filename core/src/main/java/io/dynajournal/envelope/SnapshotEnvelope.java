package io.dynajournal.envelope;

import io.dynajournal.model.Payload;
import io.dynajournal.wire.MalformedBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * What the toolkits' snapshot serializer (id 8) makes of a {@code Snapshot}: the length of a header as a little-endian
 * number, the header (serializer id, manifest), and the snapshot's own bytes.
 */
public final class SnapshotEnvelope {

    private SnapshotEnvelope() {}

    /**
     * The snapshot inside the envelope.
     *
     * @throws MalformedBytes if these bytes are no such envelope
     */
    public static Payload decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < 8) {
            throw new MalformedBytes("a snapshot envelope of " + bytes.length + " bytes");
        }
        int header = in.getInt();
        if (header < 4 || header > bytes.length - 4) {
            throw new MalformedBytes("a header of " + header + " bytes in a snapshot envelope of " + bytes.length);
        }
        int serializerId = in.getInt();
        byte[] manifest = new byte[header - 4];
        in.get(manifest);
        byte[] data = new byte[in.remaining()];
        in.get(data);
        return new Payload(serializerId, new String(manifest, StandardCharsets.UTF_8), data);
    }

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
