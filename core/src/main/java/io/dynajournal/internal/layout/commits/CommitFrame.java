package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.ItemSize;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.wire.Frame;
import io.dynajournal.internal.wire.MalformedBytes;
import io.dynajournal.internal.wire.ProtoReader;
import io.dynajournal.internal.wire.ProtoWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the events of a commit: a {@link Frame} with this protobuf message.
 *
 * <pre>
 * message Commit {
 *   repeated string text = 1;         // manifests and tags, each once
 *   repeated Event event = 2;
 * }
 * message Event {
 *   sint32 serializer_id = 1;
 *   uint32 manifest = 2;              // index in Commit.text, from 1; 0 is the empty manifest
 *   bytes payload = 3;
 *   repeated uint32 tag = 4;          // indexes in Commit.text, from 1
 *   Metadata metadata = 5;
 *   uint32 adapter_manifest = 6;      // index in Commit.text, from 1; 0 is the empty manifest
 *   bool begins_write = 7;            // another atomic write begins here; the first event always begins one
 * }
 * message Metadata {
 *   sint32 serializer_id = 1;
 *   uint32 manifest = 2;
 *   bytes payload = 3;
 * }
 * </pre>
 */
final class CommitFrame {

    private static final int COMMIT_TEXT = 1;
    private static final int COMMIT_EVENT = 2;
    private static final int SERIALIZER_ID = 1;
    private static final int MANIFEST = 2;
    private static final int PAYLOAD = 3;
    private static final int TAG = 4;
    private static final int METADATA = 5;
    private static final int ADAPTER_MANIFEST = 6;
    private static final int BEGINS_WRITE = 7;

    private CommitFrame() {}

    /** An event takes fewer bytes than this in addition to its payload, manifests and tags. */
    static final int MAX_EVENT_OVERHEAD_BYTES = 48;

    /** A frame without its checksum; {@link PayloadFit} adds it. */
    static byte[] encode(List<List<Event>> writes) {
        Map<String, Integer> indexes = textIndexes(writes);
        int size = 0;
        for (String text : indexes.keySet()) {
            size += ProtoWriter.bytesSize(COMMIT_TEXT, ItemSize.utf8(text));
        }
        for (int w = 0; w < writes.size(); w++) {
            List<Event> write = writes.get(w);
            for (int e = 0; e < write.size(); e++) {
                size += ProtoWriter.messageSize(COMMIT_EVENT, eventSize(write.get(e), w > 0 && e == 0, indexes));
            }
        }
        ProtoWriter out = Frame.writer(size);
        indexes.keySet().forEach(text -> out.writeText(COMMIT_TEXT, text));
        for (int w = 0; w < writes.size(); w++) {
            List<Event> write = writes.get(w);
            for (int e = 0; e < write.size(); e++) {
                writeEvent(out, write.get(e), w > 0 && e == 0, indexes);
            }
        }
        return out.toBytes();
    }

    /**
     * The atomic writes of a commit, in order.
     *
     * @throws MalformedBytes if the bytes are not such a frame
     */
    static List<List<Event>> decode(byte[] frame, Frame.Covered covered) {
        ProtoReader in = Frame.open(frame, covered);
        List<String> texts = new ArrayList<>();
        List<List<Event>> writes = new ArrayList<>();
        for (int field = in.nextField(); field != 0; field = in.nextField()) {
            switch (field) {
                case COMMIT_TEXT -> texts.add(in.readText());
                case COMMIT_EVENT -> readEvent(in.readMessage(), texts, writes);
                default -> in.skip();
            }
        }
        return writes;
    }

    private static Map<String, Integer> textIndexes(List<List<Event>> writes) {
        Map<String, Integer> indexes = new LinkedHashMap<>();
        for (List<Event> write : writes) {
            for (Event event : write) {
                addText(indexes, event.payload().manifest());
                addText(indexes, event.adapterManifest());
                event.tags().stream().sorted().forEach(tag -> addText(indexes, tag));
                if (event.metadata() != null) {
                    addText(indexes, event.metadata().manifest());
                }
            }
        }
        return indexes;
    }

    private static void addText(Map<String, Integer> indexes, String text) {
        if (!text.isEmpty()) {
            indexes.putIfAbsent(text, indexes.size() + 1);
        }
    }

    private static int indexOf(Map<String, Integer> indexes, String text) {
        return indexes.getOrDefault(text, 0);
    }

    private static int eventSize(Event event, boolean beginsWrite, Map<String, Integer> indexes) {
        int size = payloadSize(event.payload(), indexes)
                + ProtoWriter.intSize(ADAPTER_MANIFEST, indexOf(indexes, event.adapterManifest()))
                + ProtoWriter.intSize(BEGINS_WRITE, beginsWrite ? 1 : 0);
        for (String tag : event.tags()) {
            size += ProtoWriter.intSize(TAG, indexOf(indexes, tag));
        }
        return event.metadata() == null
                ? size
                : size + ProtoWriter.messageSize(METADATA, payloadSize(event.metadata(), indexes));
    }

    private static int payloadSize(Payload payload, Map<String, Integer> indexes) {
        return ProtoWriter.signedSize(SERIALIZER_ID, payload.serializerId())
                + ProtoWriter.intSize(MANIFEST, indexOf(indexes, payload.manifest()))
                + ProtoWriter.bytesSize(PAYLOAD, payload.bytes().length);
    }

    private static void writeEvent(ProtoWriter out, Event event, boolean beginsWrite, Map<String, Integer> indexes) {
        out.writeMessageHead(COMMIT_EVENT, eventSize(event, beginsWrite, indexes));
        writePayload(out, event.payload(), indexes);
        event.tags().stream().sorted().forEach(tag -> out.writeInt(TAG, indexOf(indexes, tag)));
        if (event.metadata() != null) {
            out.writeMessageHead(METADATA, payloadSize(event.metadata(), indexes));
            writePayload(out, event.metadata(), indexes);
        }
        out.writeInt(ADAPTER_MANIFEST, indexOf(indexes, event.adapterManifest()));
        out.writeInt(BEGINS_WRITE, beginsWrite ? 1 : 0);
    }

    private static void writePayload(ProtoWriter out, Payload payload, Map<String, Integer> indexes) {
        out.writeSigned(SERIALIZER_ID, payload.serializerId());
        out.writeInt(MANIFEST, indexOf(indexes, payload.manifest()));
        out.writeBytes(PAYLOAD, payload.bytes());
    }

    private static void readEvent(ProtoReader in, List<String> texts, List<List<Event>> writes) {
        int serializerId = 0;
        String manifest = "";
        byte[] bytes = {};
        String adapterManifest = "";
        Set<String> tags = new HashSet<>();
        @Nullable Payload metadata = null;
        boolean beginsWrite = writes.isEmpty();
        for (int field = in.nextField(); field != 0; field = in.nextField()) {
            switch (field) {
                case SERIALIZER_ID -> serializerId = in.readSigned();
                case MANIFEST -> manifest = text(texts, in.readInt());
                case PAYLOAD -> bytes = in.readBytes();
                case TAG -> tags.add(text(texts, in.readInt()));
                case METADATA -> metadata = readMetadata(in.readMessage(), texts);
                case ADAPTER_MANIFEST -> adapterManifest = text(texts, in.readInt());
                case BEGINS_WRITE -> beginsWrite |= in.readInt() != 0;
                default -> in.skip();
            }
        }
        if (beginsWrite) {
            writes.add(new ArrayList<>());
        }
        writes.get(writes.size() - 1)
                .add(new Event(new Payload(serializerId, manifest, bytes), adapterManifest, tags, metadata));
    }

    private static Payload readMetadata(ProtoReader in, List<String> texts) {
        int serializerId = 0;
        String manifest = "";
        byte[] bytes = {};
        for (int field = in.nextField(); field != 0; field = in.nextField()) {
            switch (field) {
                case SERIALIZER_ID -> serializerId = in.readSigned();
                case MANIFEST -> manifest = text(texts, in.readInt());
                case PAYLOAD -> bytes = in.readBytes();
                default -> in.skip();
            }
        }
        return new Payload(serializerId, manifest, bytes);
    }

    private static String text(List<String> texts, long index) {
        if (index == 0) {
            return "";
        }
        if (index < 0 || index > texts.size()) {
            throw new MalformedBytes("reference to text " + index + ", but there are " + texts.size());
        }
        return texts.get((int) index - 1);
    }
}
