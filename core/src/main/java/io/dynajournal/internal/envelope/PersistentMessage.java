package io.dynajournal.internal.envelope;

import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.wire.ProtoReader;
import io.dynajournal.internal.wire.ProtoWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A {@code PersistentRepr} as the toolkits' message serializer (id 7) encodes it: the same protobuf message in every Akka since
 * 2.3 and in Pekko. Senders, and the confirmations of Akka 2.3, are skipped.
 *
 * @param timestamp in milliseconds since 1970; 0 if there is none
 */
public record PersistentMessage(
        Payload payload,
        long seqNr,
        String persistenceId,
        boolean deleted,
        String manifest,
        String writerUuid,
        long timestamp,
        @Nullable Payload metadata) {

    private static final int PAYLOAD = 1;
    private static final int SEQ_NR = 2;
    private static final int PERSISTENCE_ID = 3;
    private static final int DELETED = 4;
    private static final int MANIFEST = 12;
    private static final int WRITER_UUID = 13;
    private static final int TIMESTAMP = 14;
    private static final int METADATA = 15;

    private static final int SERIALIZER_ID = 1;
    private static final int BYTES = 2;
    private static final int PAYLOAD_MANIFEST = 3;

    /**
     * Decodes a message.
     *
     * @throws io.dynajournal.internal.wire.MalformedBytes if the bytes are not such a message
     */
    public static PersistentMessage decode(byte[] bytes) {
        ProtoReader in = new ProtoReader(bytes, 0, bytes.length);
        Payload payload = new Payload(0, "", new byte[0]);
        long seqNr = 0;
        String persistenceId = "";
        boolean deleted = false;
        String manifest = "";
        String writerUuid = "";
        long timestamp = 0;
        @Nullable Payload metadata = null;
        for (int field = in.nextField(); field != 0; field = in.nextField()) {
            switch (field) {
                case PAYLOAD -> payload = payload(in.readMessage());
                case SEQ_NR -> seqNr = in.readInt();
                case PERSISTENCE_ID -> persistenceId = in.readText();
                case DELETED -> deleted = in.readInt() != 0;
                case MANIFEST -> manifest = in.readText();
                case WRITER_UUID -> writerUuid = in.readText();
                case TIMESTAMP -> timestamp = in.readSignedLong();
                case METADATA -> metadata = payload(in.readMessage());
                default -> in.skip();
            }
        }
        return new PersistentMessage(payload, seqNr, persistenceId, deleted, manifest, writerUuid, timestamp, metadata);
    }

    /** The same bytes as the toolkits' serializer writes, with the same order of fields and omitted defaults. */
    public byte[] encode() {
        byte[] id = utf8(persistenceId);
        byte[] manifestBytes = utf8(manifest);
        byte[] writer = utf8(writerUuid);
        int size = ProtoWriter.messageSize(PAYLOAD, size(payload))
                + ProtoWriter.intSize(SEQ_NR, seqNr)
                + ProtoWriter.bytesSize(PERSISTENCE_ID, id.length)
                + ProtoWriter.intSize(DELETED, deleted ? 1 : 0)
                + ProtoWriter.bytesSize(MANIFEST, manifestBytes.length)
                + ProtoWriter.bytesSize(WRITER_UUID, writer.length)
                + ProtoWriter.signedLongSize(TIMESTAMP, timestamp)
                + (metadata == null ? 0 : ProtoWriter.messageSize(METADATA, size(metadata)));
        ProtoWriter out = new ProtoWriter(size);
        write(out, PAYLOAD, payload);
        out.writeInt(SEQ_NR, seqNr);
        out.writeBytes(PERSISTENCE_ID, id);
        out.writeInt(DELETED, deleted ? 1 : 0);
        out.writeBytes(MANIFEST, manifestBytes);
        out.writeBytes(WRITER_UUID, writer);
        out.writeSignedLong(TIMESTAMP, timestamp);
        if (metadata != null) {
            write(out, METADATA, metadata);
        }
        return out.toBytes();
    }

    private static int size(Payload payload) {
        // An int32 field, so a negative serializer id takes ten bytes.
        return ProtoWriter.presentIntSize(SERIALIZER_ID, payload.serializerId())
                + ProtoWriter.messageSize(BYTES, payload.bytes().length)
                + ProtoWriter.bytesSize(PAYLOAD_MANIFEST, utf8(payload.manifest()).length);
    }

    private static void write(ProtoWriter out, int field, Payload payload) {
        out.writeMessageHead(field, size(payload));
        out.writePresentInt(SERIALIZER_ID, payload.serializerId());
        out.writeMessageHead(BYTES, payload.bytes().length);
        out.raw(payload.bytes());
        out.writeBytes(PAYLOAD_MANIFEST, utf8(payload.manifest()));
    }

    private static Payload payload(ProtoReader in) {
        int serializerId = 0;
        byte[] bytes = {};
        String manifest = "";
        for (int field = in.nextField(); field != 0; field = in.nextField()) {
            switch (field) {
                case SERIALIZER_ID -> serializerId = (int) in.readInt();
                case BYTES -> bytes = in.readBytes();
                case PAYLOAD_MANIFEST -> manifest = in.readText();
                default -> in.skip();
            }
        }
        return new Payload(serializerId, manifest, bytes);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
