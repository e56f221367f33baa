package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.model.DeletedRange;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.wire.Frame;
import io.dynajournal.internal.wire.MalformedBytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The items of the journal table; makes no requests. {@code docs/format.md} describes every attribute.
 *
 * <p>A <em>commit</em> has {@link #INDEX_PARTITION} and its events in {@link #EVENTS}, {@link #BODY} or parts. A
 * <em>tombstone</em> is what a delete leaves of a commit: it has neither. The <em>floor</em> at key 0 keeps the highest
 * sequence number of a log whose commits expire; {@link CommitFloor} writes it.
 */
final class CommitItems {

    /** How many sequence numbers the item covers, skipped ones included; absent for 1. */
    static final String COUNT = "n";

    static final String SKIPPED = "skip";
    static final String TIMESTAMP = "ts";
    static final String PREVIOUS_TIMESTAMP = "pv";
    static final String WRITER = "w";

    /** The frame of a small commit, which the slice index projects. */
    static final String EVENTS = "ev";

    /** The frame of a larger commit, which no index projects. */
    static final String BODY = "body";

    static final String INDEX_PARTITION = "ix";
    static final String ID_PARTITION = "id";
    static final String TAGS = "tags";

    /** The lowest sequence number that is not deleted, in a commit of which a delete has removed only the front. */
    static final String LOWEST = "lo";

    static final String EXPIRY = "exp";

    /** In the floor: no commit above this sequence number has expired. */
    static final String HIGHEST = "hi";

    /** In the floor: the last sequence number of the expiring commit for which it was raised last. */
    static final String EXPIRING_TO = "xs";

    /** In the floor: when that commit expires. */
    static final String EXPIRING_AT = "xe";

    /** What the slice index projects in addition to its keys and the table's. */
    static final List<String> PROJECTED =
            List.of(COUNT, SKIPPED, PREVIOUS_TIMESTAMP, WRITER, EVENTS, TAGS, LOWEST, EXPIRY);

    /** What the checksum of a commit covers: not what deletes and expiry change, {@link #LOWEST} and {@link #EXPIRY}. */
    private static final List<String> COVERED = List.of(
            ItemKey.PID, ItemKey.SEQ, COUNT, SKIPPED, TIMESTAMP, PREVIOUS_TIMESTAMP, WRITER, INDEX_PARTITION, TAGS);

    /** How many partitions the index of ids has. Part of the format, because readers read all of them. */
    static final int ID_PARTITIONS = 16;

    /** An index row of up to this size costs one write unit. */
    private static final int MAX_INDEX_ROW_BYTES = 1024;

    private static final WriterId NO_WRITER = new WriterId(new UUID(0, 0));

    private CommitItems() {}

    /** A commit without its payload, to be put after {@code last}. */
    static Item commit(EventBatch batch, WriterId writer, LogEnd last, long nowMicros, int indexPartitions) {
        return commit(batch, writer, last, nowMicros, indexPartitions, null);
    }

    /** @param life when the commit expires after its timestamp; null for never. The floor then has the id, not commit 1. */
    static Item commit(
            EventBatch batch,
            WriterId writer,
            LogEnd last,
            long nowMicros,
            int indexPartitions,
            @Nullable Duration life) {
        String persistenceId = batch.persistenceId();
        long key = last.seqNr() + 1;
        long skipped = batch.firstSeqNr() - key;
        long count = batch.lastSeqNr() - key + 1;
        Item item = Item.create().text(ItemKey.PID, persistenceId).number(ItemKey.SEQ, key);
        if (count > 1) {
            item.number(COUNT, count);
        }
        if (skipped > 0) {
            item.number(SKIPPED, skipped);
        }
        // Strictly increasing within a persistence id whatever the clock does, so that a reader of the index notices
        // which commit it has missed.
        item.number(TIMESTAMP, Math.max(nowMicros, last.timestampMicros() + 1));
        if (last.timestampMicros() > 0) {
            item.number(PREVIOUS_TIMESTAMP, last.timestampMicros());
        }
        item.bytes(WRITER, writer.bytes());
        item.text(INDEX_PARTITION, indexPartition(persistenceId, indexPartitions));
        if (life != null) {
            item.number(EXPIRY, item.number(TIMESTAMP) / 1_000_000 + life.toSeconds());
        } else if (key == 1) {
            item.text(ID_PARTITION, idPartition(persistenceId));
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

    private static String indexPartition(String entityType, int partitions, int partition) {
        return entityType + "#" + partitions + "#" + partition;
    }

    /** The partitions of an entity type that hold a range of slices, in an index of this number of partitions. */
    static List<SlicePartition> slicePartitions(String entityType, int partitions, SliceRange slices) {
        int width = Slices.COUNT / partitions;
        List<SlicePartition> found = new ArrayList<>();
        for (int partition = slices.min() / width; partition <= slices.max() / width; partition++) {
            found.add(new SlicePartition(
                    indexPartition(entityType, partitions, partition),
                    entityType,
                    new SliceRange(partition * width, (partition + 1) * width - 1)));
        }
        return found;
    }

    static String idPartition(String persistenceId) {
        return Integer.toHexString(Slices.of(persistenceId) * ID_PARTITIONS / Slices.COUNT);
    }

    static Frame.Covered covered(Item commit) {
        return new CoveredAttributes(commit, COVERED);
    }

    /** Which attribute takes the payload: the one that the index projects, if the index row then costs one write unit. */
    static String payloadName(Item commit, int payloadBytes) {
        int rowBytes = commit.size() - commit.size(ID_PARTITION) + EVENTS.length() + payloadBytes;
        return rowBytes <= MAX_INDEX_ROW_BYTES ? EVENTS : BODY;
    }

    /** What a delete puts in the place of a commit. */
    static Item tombstone(Entry entry) {
        Item item = Item.create()
                .text(ItemKey.PID, entry.persistenceId())
                .number(ItemKey.SEQ, entry.key())
                .number(TIMESTAMP, entry.timestampMicros())
                .bytes(WRITER, entry.writer().bytes());
        if (entry.count() > 1) {
            item.number(COUNT, entry.count());
        }
        if (entry.item().has(ID_PARTITION)) {
            item.text(ID_PARTITION, entry.item().text(ID_PARTITION));
        }
        return item;
    }

    /** What stands for deleted events that this table never had, after the end of the log. */
    static Item tombstone(DeletedRange deleted, WriterId writer, LogEnd last, long nowMicros) {
        long key = last.seqNr() + 1;
        Item item = Item.create()
                .text(ItemKey.PID, deleted.persistenceId())
                .number(ItemKey.SEQ, key)
                .number(TIMESTAMP, Math.max(deleted.timeOr(nowMicros), last.timestampMicros() + 1))
                .bytes(WRITER, writer.bytes());
        if (deleted.toSeqNr() > key) {
            item.number(COUNT, deleted.toSeqNr() - key + 1);
        }
        return key == 1 ? item.text(ID_PARTITION, idPartition(deleted.persistenceId())) : item;
    }

    /**
     * What stands between the last item of a log and its floor: sequence numbers that may have been used and have expired. Every
     * writer that knows only the last item, and every other one that continues after the floor, meets it.
     */
    static Item unused(String persistenceId, WriterId writer, LogEnd last, long expirySeconds) {
        return Item.create()
                .text(ItemKey.PID, persistenceId)
                .number(ItemKey.SEQ, last.storedSeqNr() + 1)
                .number(COUNT, last.seqNr() - last.storedSeqNr())
                .number(TIMESTAMP, last.timestampMicros())
                .bytes(WRITER, writer.bytes())
                .number(EXPIRY, expirySeconds);
    }

    /** Reads an item of the log, in any of its three forms. */
    static Entry entry(String table, Item stored) {
        Item item = ItemKey.named(table, stored);
        long key = item.number(ItemKey.SEQ);
        if (key == 0) {
            return new Entry(item, 0, item.number(HIGHEST) + 1, 0, 0, NO_WRITER, 0, 0);
        }
        long count = item.numberOr(COUNT, 1);
        long skipped = item.numberOr(SKIPPED, 0);
        if (count < 1 || skipped < 0 || skipped >= count || count > Long.MAX_VALUE - key) {
            throw item.corrupt(
                    COUNT, "is " + count + " with " + SKIPPED + " " + skipped + " (expected 0 <= skip < n)", null);
        }
        if (!item.has(INDEX_PARTITION) && (item.has(EVENTS) || item.has(BODY) || item.has(Parts.DIGEST))) {
            throw item.corrupt(INDEX_PARTITION, "is missing, although there are events,", null);
        }
        return new Entry(
                item,
                key,
                count,
                skipped,
                item.number(TIMESTAMP),
                WriterId.in(item, WRITER),
                lowestSeqNr(item, key, key + count - 1),
                item.numberOr(EXPIRY, 0));
    }

    /** A delete that ends inside a commit leaves at least its last event. */
    private static long lowestSeqNr(Item item, long key, long end) {
        long lowest = item.numberOr(LOWEST, 0);
        if (lowest != 0 && (lowest <= key || lowest > end)) {
            throw item.corrupt(LOWEST, "is " + lowest + " (expected " + (key + 1) + " to " + end + ")", null);
        }
        return lowest;
    }

    /**
     * An item of the log.
     *
     * @param key its range key, which is the first sequence number it covers
     * @param count how many sequence numbers it covers
     * @param skipped how many of them, at the front, belong to rejected events
     * @param lowestSeqNr the first event that is not deleted; 0 if none is
     * @param expirySeconds when it expires; 0 for never
     */
    record Entry(
            Item item,
            long key,
            long count,
            long skipped,
            long timestampMicros,
            WriterId writer,
            long lowestSeqNr,
            long expirySeconds) {

        String persistenceId() {
            return item.text(ItemKey.PID);
        }

        /** The last sequence number it covers. */
        long end() {
            return key + count - 1;
        }

        boolean isTombstone() {
            return !item.has(INDEX_PARTITION);
        }

        boolean isFloor() {
            return key == 0;
        }

        boolean isExpired(long nowSeconds) {
            return expirySeconds > 0 && expirySeconds <= nowSeconds;
        }

        /** Whether nothing before this entry is replayed, so that sequence numbers may be missing there. */
        boolean isDeleteBoundary(long nowSeconds) {
            return isTombstone() || lowestSeqNr > 0 || isExpired(nowSeconds);
        }

        boolean hasParts() {
            return item.has(Parts.DIGEST);
        }

        LogEnd logEnd(long nowMillis) {
            return new LogEnd(end(), timestampMicros, writer.toString(), nowMillis);
        }

        /** The frame of a commit without parts. */
        byte[] payload() {
            return item.bytes(item.has(EVENTS) ? EVENTS : BODY);
        }

        /** The atomic writes in a frame, with their sequence numbers. */
        List<List<StoredEvent>> writes(byte[] frame) {
            try {
                List<List<StoredEvent>> writes = new ArrayList<>();
                long seqNr = key + skipped;
                for (List<Event> write : CommitFrame.decode(frame, covered(item))) {
                    List<StoredEvent> stored = new ArrayList<>(write.size());
                    for (Event event : write) {
                        stored.add(
                                new StoredEvent(persistenceId(), seqNr++, timestampMicros, writer.toString(), event));
                    }
                    writes.add(stored);
                }
                if (seqNr != end() + 1) {
                    throw item.corrupt(
                            COUNT,
                            "is " + count + ", but the events end at " + (seqNr - 1) + " instead of " + end(),
                            null);
                }
                return writes;
            } catch (MalformedBytes e) {
                String name = hasParts() ? Parts.ID : item.has(EVENTS) ? EVENTS : BODY;
                throw item.corrupt(name, "cannot be decoded (" + e.getMessage() + ")", e);
            }
        }

        /**
         * Whether this stored item is an earlier attempt to put {@code ours}: the same commit, or the tombstone that a delete
         * has made of it since.
         */
        boolean isOwn(Entry ours) {
            if (!writer.equals(ours.writer) || timestampMicros != ours.timestampMicros || count != ours.count) {
                return false;
            }
            return isTombstone() || (skipped == ours.skipped && hasSamePayload(ours));
        }

        private boolean hasSamePayload(Entry ours) {
            if (hasParts() || ours.hasParts()) {
                return hasParts()
                        && ours.hasParts()
                        && item.text(Parts.ID).equals(ours.item.text(Parts.ID))
                        && Arrays.equals(item.bytes(Parts.DIGEST), ours.item.bytes(Parts.DIGEST));
            }
            return Arrays.equals(payload(), ours.payload());
        }
    }
}
