package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.ItemSize;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.wire.Frame;
import io.dynajournal.internal.wire.ProtoReader;
import io.dynajournal.internal.wire.ProtoWriter;
import org.jspecify.annotations.Nullable;

/**
 * Encodes a snapshot or a durable state: a {@link Frame} with this protobuf message.
 *
 * <pre>
 * message Snapshot {
 *   Content state = 1;
 *   Content metadata = 2;             // absent without metadata
 * }
 * message Content {
 *   sint32 serializer_id = 1;
 *   string manifest = 2;
 *   bytes payload = 3;
 * }
 * </pre>
 */
record SnapshotFrame(Payload state, @Nullable Payload metadata) {

    private static final int STATE = 1;
    private static final int METADATA = 2;
    private static final int SERIALIZER_ID = 1;
    private static final int MANIFEST = 2;
    private static final int PAYLOAD = 3;

    /** A frame without its checksum; {@link PayloadFit} adds it. */
    byte[] encode() {
        int size = ProtoWriter.messageSize(STATE, size(state));
        if (metadata != null) {
            size += ProtoWriter.messageSize(METADATA, size(metadata));
        }
        ProtoWriter out = Frame.writer(size);
        write(out, STATE, state);
        if (metadata != null) {
            write(out, METADATA, metadata);
        }
        return out.toBytes();
    }

    static SnapshotFrame decode(byte[] frame, Frame.Covered covered) {
        ProtoReader in = Frame.open(frame, covered);
        Payload state = new Payload(0, "", new byte[0]);
        @Nullable Payload metadata = null;
        for (int field = in.nextField(); field != 0; field = in.nextField()) {
            switch (field) {
                case STATE -> state = read(in.readMessage());
                case METADATA -> metadata = read(in.readMessage());
                default -> in.skip();
            }
        }
        return new SnapshotFrame(state, metadata);
    }

    private static int size(Payload payload) {
        return ProtoWriter.signedSize(SERIALIZER_ID, payload.serializerId())
                + ProtoWriter.bytesSize(MANIFEST, ItemSize.utf8(payload.manifest()))
                + ProtoWriter.bytesSize(PAYLOAD, payload.bytes().length);
    }

    private static void write(ProtoWriter out, int field, Payload payload) {
        out.writeMessageHead(field, size(payload));
        out.writeSigned(SERIALIZER_ID, payload.serializerId());
        out.writeText(MANIFEST, payload.manifest());
        out.writeBytes(PAYLOAD, payload.bytes());
    }

    private static Payload read(ProtoReader in) {
        int serializerId = 0;
        String manifest = "";
        byte[] bytes = {};
        for (int field = in.nextField(); field != 0; field = in.nextField()) {
            switch (field) {
                case SERIALIZER_ID -> serializerId = in.readSigned();
                case MANIFEST -> manifest = in.readText();
                case PAYLOAD -> bytes = in.readBytes();
                default -> in.skip();
            }
        }
        return new Payload(serializerId, manifest, bytes);
    }
}
