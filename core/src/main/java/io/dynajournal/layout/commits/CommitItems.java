package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Item;
import io.dynajournal.model.Event;
import io.dynajournal.model.EventBatch;
import io.dynajournal.model.SliceRange;
import io.dynajournal.model.Slices;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.store.LogEnd;
import io.dynajournal.store.SlicePartition;
import io.dynajournal.wire.MalformedBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The items of the journal table; no requests here. {@code docs/format.md} describes them for other readers.
 *
 * <p>A <em>commit</em> has {@link #IX} and its events in {@link #EV}, {@link #BODY} or parts. A <em>stub</em> is what a
 * delete leaves: no {@code ix}, no events. The <em>floor</em> at number 0 keeps the highest number of a log whose commits
 * expire.
 */
final class CommitItems {

    static final String PID = "pid";
    static final String SEQ = "seq";
    static final String N = "n";
    static final String SKIP = "skip";
    static final String TS = "ts";
    static final String PV = "pv";
    static final String W = "w";
    static final String EV = "ev";
    static final String BODY = "body";
    static final String IX = "ix";
    static final String ID = "id";
    static final String TAGS = "tags";
    static final String LO = "lo";
    static final String EXP = "exp";
    static final String HI = "hi";

    /** What the slice index holds besides its keys and the table's. */
    static final List<String> PROJECTED = List.of(N, SKIP, PV, W, EV, TAGS, LO, EXP);

    /** How many partitions the index over ids has; part of the format, because readers ask all of them. */
    static final int ID_PARTITIONS = 16;

    /** An index row within this size costs one write unit. */
    private static final int INDEX_ROW = 1024;

    private static final WriterId NOBODY = new WriterId(new UUID(0, 0));

    private CommitItems() {}

    /** A commit that has no payload yet. */
    static Item commit(EventBatch batch, WriterId writer, LogEnd last, long now, int indexPartitions) {
        String persistenceId = batch.persistenceId();
        long key = last.seqNr() + 1;
        long skip = batch.firstSeqNr() - key;
        long n = batch.lastSeqNr() - key + 1;
        Item item = Item.create().text(PID, persistenceId).number(SEQ, key);
        if (n > 1) {
            item.number(N, n);
        }
        if (skip > 0) {
            item.number(SKIP, skip);
        }
        // Strictly rising within an id, whatever the clock does, so that readers of the index can tell what they
        // missed.
        item.number(TS, Math.max(now, last.timestampMicros() + 1));
        if (last.timestampMicros() > 0) {
            item.number(PV, last.timestampMicros());
        }
        item.bytes(W, writer.bytes());
        item.text(IX, indexPartition(persistenceId, indexPartitions));
        if (key == 1) {
            item.text(ID, idPartition(persistenceId));
        }
        Set<String> tags = tags(batch);
        if (!tags.isEmpty()) {
            item.texts(TAGS, tags);
        }
        return item;
    }

    private static Set<String> tags(EventBatch batch) {
        Set<String> tags = Set.of();
        for (List<Event> write : batch.writes()) {
            for (Event event : write) {
                if (!event.tags().isEmpty()) {
                    tags = tags.isEmpty() ? new TreeSet<>() : tags;
                    tags.addAll(event.tags());
                }
            }
        }
        return tags;
    }

    static String indexPartition(String persistenceId, int partitions) {
        int partition = Slices.of(persistenceId) * partitions / Slices.COUNT;
        return indexPartition(Slices.entityType(persistenceId), partitions, partition);
    }

    static String indexPartition(String entityType, int partitions, int partition) {
        return entityType + "#" + partitions + "#" + partition;
    }

    static SlicePartition slicePartition(String entityType, int partitions, int partition) {
        int width = Slices.COUNT / partitions;
        return new SlicePartition(
                indexPartition(entityType, partitions, partition),
                entityType,
                new SliceRange(partition * width, (partition + 1) * width - 1));
    }

    static String idPartition(String persistenceId) {
        return Integer.toHexString(Slices.of(persistenceId) * ID_PARTITIONS / Slices.COUNT);
    }

    /** The name of the attribute for a payload: projected into the index only while the index row stays small. */
    static String payloadName(Item commit, int payloadLength) {
        int row = commit.size() - commit.size(ID);
        return row + EV.length() + payloadLength <= INDEX_ROW ? EV : BODY;
    }

    /** What a delete puts in the place of a commit. */
    static Item stub(Entry entry) {
        Item item = Item.create()
                .text(PID, entry.item().text(PID))
                .number(SEQ, entry.seq())
                .number(TS, entry.ts())
                .bytes(W, entry.writer().bytes());
        if (entry.n() > 1) {
            item.number(N, entry.n());
        }
        if (entry.item().has(ID)) {
            item.text(ID, entry.item().text(ID));
        }
        return item;
    }

    static Entry entry(Item item) {
        long seq = item.number(SEQ);
        if (seq == 0) {
            long hi = item.number(HI);
            return new Entry(item, 0, hi + 1, 0, 0, NOBODY, 0, 0);
        }
        byte[] writer = item.bytes(W);
        if (writer.length != 16) {
            throw item.corrupt(W, "has " + writer.length + " bytes instead of 16", null);
        }
        long n = item.numberOr(N, 1);
        long skip = item.numberOr(SKIP, 0);
        if (n < 1 || skip < 0 || skip >= n || n > Long.MAX_VALUE - seq) {
            throw item.corrupt(N, "and " + SKIP + " do not fit (" + n + ", " + skip + ")", null);
        }
        return new Entry(
                item, seq, n, skip, item.number(TS), WriterId.of(writer), item.numberOr(LO, 0), item.numberOr(EXP, 0));
    }

    /** An item of the log, with the attributes that every reader needs. */
    record Entry(Item item, long seq, long n, long skip, long ts, WriterId writer, long lo, long exp) {

        /** The last number it covers. */
        long end() {
            return seq + n - 1;
        }

        boolean isStub() {
            return !item.has(IX);
        }

        boolean isFloor() {
            return seq == 0;
        }

        boolean isExpired(long nowSeconds) {
            return exp > 0 && exp <= nowSeconds;
        }

        /** Below this entry nothing is replayed, and numbers may be missing. */
        boolean isBoundary(long nowSeconds) {
            return isStub() || lo > 0 || isExpired(nowSeconds);
        }

        boolean hasParts() {
            return item.has(Parts.SUM);
        }

        LogEnd logEnd(long nowMillis) {
            return new LogEnd(end(), ts, writer.toString(), nowMillis);
        }

        /** The framed events that stand in the item itself. */
        byte[] payload() {
            return item.bytes(item.has(EV) ? EV : BODY);
        }

        /** The atomic writes with their numbers. */
        List<List<StoredEvent>> writes(byte[] frame) {
            try {
                List<List<StoredEvent>> writes = new ArrayList<>();
                long number = seq + skip;
                for (List<Event> write : CommitFrame.decode(frame)) {
                    List<StoredEvent> stored = new ArrayList<>(write.size());
                    for (Event event : write) {
                        stored.add(new StoredEvent(item.text(PID), number++, ts, writer.toString(), event));
                    }
                    writes.add(stored);
                }
                if (number != end() + 1) {
                    throw item.corrupt(N, "says " + n + " numbers, but the events end at " + (number - 1), null);
                }
                return writes;
            } catch (MalformedBytes e) {
                throw item.corrupt(hasParts() ? Parts.PART : item.has(EV) ? EV : BODY, "cannot be read", e);
            }
        }

        /**
         * Whether this item is our own earlier attempt to put {@code ours}: the same bytes, or the stub that a delete has
         * made of it since.
         */
        boolean isOwn(Entry ours) {
            if (!writer.equals(ours.writer) || ts != ours.ts || n != ours.n) {
                return false;
            }
            if (isStub()) {
                return true;
            }
            return skip == ours.skip && samePayload(ours);
        }

        private boolean samePayload(Entry ours) {
            if (hasParts() || ours.hasParts()) {
                return hasParts()
                        && ours.hasParts()
                        && item.text(Parts.PART).equals(ours.item.text(Parts.PART))
                        && Arrays.equals(item.bytes(Parts.SUM), ours.item.bytes(Parts.SUM));
            }
            return Arrays.equals(payload(), ours.payload());
        }
    }
}
