package io.dynajournal.internal.projections;

import io.dynajournal.internal.wire.Frame;
import io.dynajournal.internal.wire.MalformedBytes;
import io.dynajournal.internal.wire.ProtoReader;
import io.dynajournal.internal.wire.ProtoWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of a batch row: a frame around a message with one field 1 per entity, itself a message of the persistence id (1),
 * the sequence number (2), the time in microseconds (3), the generation (4), and 1 if it is a snapshot (5).
 */
final class BatchItems {

    /** Far below DynamoDB's limit of 400 KB for an item. A default batch has 100 entities and about 4 KB. */
    private static final int MAX_BYTES = 256 * 1024;

    private static final int ENTRY = 1;
    private static final int ID = 1;
    private static final int SEQ_NR = 2;
    private static final int MICROS = 3;
    private static final int GENERATION = 4;
    private static final int SNAPSHOT = 5;

    private BatchItems() {}

    /** The last event of an entity that was projected. */
    record Entry(String persistenceId, SeqNrRow row) {}

    /** The bytes of one row, or of several if the entities do not fit into one. */
    static List<byte[]> encode(List<Entry> entries) {
        List<byte[]> rows = new ArrayList<>();
        List<Entry> fitting = new ArrayList<>();
        int size = 0;
        for (Entry entry : entries) {
            int more = ProtoWriter.messageSize(ENTRY, size(entry));
            if (size + more > MAX_BYTES && !fitting.isEmpty()) {
                rows.add(encode(fitting, size));
                fitting.clear();
                size = 0;
            }
            fitting.add(entry);
            size += more;
        }
        rows.add(encode(fitting, size));
        return rows;
    }

    private static byte[] encode(List<Entry> entries, int size) {
        ProtoWriter writer = Frame.writer(size);
        for (Entry entry : entries) {
            writer.writeMessageHead(ENTRY, size(entry));
            writer.writeText(ID, entry.persistenceId());
            writer.writeInt(SEQ_NR, entry.row().seqNr());
            writer.writeInt(MICROS, entry.row().micros());
            writer.writeInt(GENERATION, entry.row().generation());
            writer.writeInt(SNAPSHOT, entry.row().isSnapshot() ? 1 : 0);
        }
        byte[] plain = writer.toBytes();
        byte[] deflated = Frame.deflate(plain);
        return Frame.seal(deflated.length < plain.length ? deflated : plain, Frame.Covered.NOTHING_ELSE);
    }

    private static int size(Entry entry) {
        return ProtoWriter.bytesSize(ID, entry.persistenceId().getBytes(StandardCharsets.UTF_8).length)
                + ProtoWriter.intSize(SEQ_NR, entry.row().seqNr())
                + ProtoWriter.intSize(MICROS, entry.row().micros())
                + ProtoWriter.intSize(GENERATION, entry.row().generation())
                + ProtoWriter.intSize(SNAPSHOT, entry.row().isSnapshot() ? 1 : 0);
    }

    /** @throws MalformedBytes if they are damaged */
    static List<Entry> decode(byte[] bytes) {
        List<Entry> entries = new ArrayList<>();
        ProtoReader reader = Frame.open(bytes, Frame.Covered.NOTHING_ELSE);
        for (int field = reader.nextField(); field != 0; field = reader.nextField()) {
            if (field == ENTRY) {
                entries.add(entry(reader.readMessage()));
            } else {
                reader.skip();
            }
        }
        return entries;
    }

    private static Entry entry(ProtoReader reader) {
        String persistenceId = "";
        long seqNr = 0;
        long micros = 0;
        long generation = 0;
        boolean isSnapshot = false;
        for (int field = reader.nextField(); field != 0; field = reader.nextField()) {
            switch (field) {
                case ID -> persistenceId = reader.readText();
                case SEQ_NR -> seqNr = reader.readInt();
                case MICROS -> micros = reader.readInt();
                case GENERATION -> generation = reader.readInt();
                case SNAPSHOT -> isSnapshot = reader.readInt() == 1;
                default -> reader.skip();
            }
        }
        return new Entry(persistenceId, new SeqNrRow(seqNr, micros, generation, isSnapshot));
    }
}
