package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.ItemSize;
import io.dynajournal.model.Event;
import io.dynajournal.model.Payload;
import io.dynajournal.wire.Frame;
import io.dynajournal.wire.MalformedBytes;
import io.dynajournal.wire.ProtoReader;
import io.dynajournal.wire.ProtoWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The events of a commit as bytes, a {@link Frame} around this message:
 *
 * <pre>
 * message Commit {
 *   repeated string text = 1;         // manifests and tags, each once
 *   repeated Event event = 2;
 * }
 * message Event {
 *   sint32 serializer_id = 1;
 *   uint32 manifest = 2;              // place in Commit.text, from 1; 0 is the empty manifest
 *   bytes payload = 3;
 *   repeated uint32 tag = 4;          // places in Commit.text, from 1
 *   Metadata metadata = 5;
 *   uint32 adapter_manifest = 6;      // place in Commit.text, from 1; 0 is the empty manifest
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

    /** More than an event can take beside its payload, manifests and tags: for packing, where exactness is not needed. */
    static final int EVENT_OVERHEAD = 48;

    static byte[] encode(List<List<Event>> writes) {
        Map<String, Integer> places = places(writes);
        int size = 1;
        for (String text : places.keySet()) {
            size += ProtoWriter.bytesSize(COMMIT_TEXT, ItemSize.utf8(text));
        }
        for (int w = 0; w < writes.size(); w++) {
            List<Event> write = writes.get(w);
            for (int e = 0; e < write.size(); e++) {
                size += ProtoWriter.messageSize(COMMIT_EVENT, eventSize(write.get(e), w > 0 && e == 0, places));
            }
        }
        ProtoWriter out = new ProtoWriter(size);
        out.rawByte(Frame.PLAIN);
        places.keySet().forEach(text -> out.writeText(COMMIT_TEXT, text));
        for (int w = 0; w < writes.size(); w++) {
            List<Event> write = writes.get(w);
            for (int e = 0; e < write.size(); e++) {
                writeEvent(out, write.get(e), w > 0 && e == 0, places);
            }
        }
        return out.toBytes();
    }

    /** The atomic writes of a commit, in order. */
    static List<List<Event>> decode(byte[] frame) {
        ProtoReader in = Frame.open(frame);
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

    private static Map<String, Integer> places(List<List<Event>> writes) {
        Map<String, Integer> places = new LinkedHashMap<>();
        for (List<Event> write : writes) {
            for (Event event : write) {
                place(places, event.payload().manifest());
                place(places, event.adapterManifest());
                event.tags().stream().sorted().forEach(tag -> place(places, tag));
                if (event.metadata() != null) {
                    place(places, event.metadata().manifest());
                }
            }
        }
        return places;
    }

    private static void place(Map<String, Integer> places, String text) {
        if (!text.isEmpty()) {
            places.putIfAbsent(text, places.size() + 1);
        }
    }

    private static int placeOf(Map<String, Integer> places, String text) {
        return places.getOrDefault(text, 0);
    }

    private static int eventSize(Event event, boolean beginsWrite, Map<String, Integer> places) {
        int size = payloadSize(event.payload(), places)
                + ProtoWriter.intSize(ADAPTER_MANIFEST, placeOf(places, event.adapterManifest()))
                + ProtoWriter.intSize(BEGINS_WRITE, beginsWrite ? 1 : 0);
        for (String tag : event.tags()) {
            size += ProtoWriter.intSize(TAG, placeOf(places, tag));
        }
        return event.metadata() == null
                ? size
                : size + ProtoWriter.messageSize(METADATA, payloadSize(event.metadata(), places));
    }

    private static int payloadSize(Payload payload, Map<String, Integer> places) {
        return ProtoWriter.signedSize(SERIALIZER_ID, payload.serializerId())
                + ProtoWriter.intSize(MANIFEST, placeOf(places, payload.manifest()))
                + ProtoWriter.bytesSize(PAYLOAD, payload.bytes().length);
    }

    private static void writeEvent(ProtoWriter out, Event event, boolean beginsWrite, Map<String, Integer> places) {
        out.writeMessageHead(COMMIT_EVENT, eventSize(event, beginsWrite, places));
        writePayload(out, event.payload(), places);
        event.tags().stream().sorted().forEach(tag -> out.writeInt(TAG, placeOf(places, tag)));
        if (event.metadata() != null) {
            out.writeMessageHead(METADATA, payloadSize(event.metadata(), places));
            writePayload(out, event.metadata(), places);
        }
        out.writeInt(ADAPTER_MANIFEST, placeOf(places, event.adapterManifest()));
        out.writeInt(BEGINS_WRITE, beginsWrite ? 1 : 0);
    }

    private static void writePayload(ProtoWriter out, Payload payload, Map<String, Integer> places) {
        out.writeSigned(SERIALIZER_ID, payload.serializerId());
        out.writeInt(MANIFEST, placeOf(places, payload.manifest()));
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

    private static String text(List<String> texts, long place) {
        if (place == 0) {
            return "";
        }
        if (place < 0 || place > texts.size()) {
            throw new MalformedBytes("text " + place + " of " + texts.size());
        }
        return texts.get((int) place - 1);
    }
}
