package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.envelope.PersistentMessage;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.wire.MalformedBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Converts events to journal rows and back. Sends no requests. Two attributes are ours; the predecessor ignores them:
 *
 * <ul>
 *   <li>{@code dj-batch} on each row of an atomic write of several events: {@code first/count}.
 *   <li>{@code dj-skip} on the tombstone of rejected events, a row marked as deleted at the first of their sequence numbers:
 *       the last of these sequence numbers.
 * </ul>
 */
final class J5Items {

    static final String BATCH = "dj-batch";
    static final String SKIP = "dj-skip";

    private static final Payload NOTHING = new Payload(0, "", new byte[0]);

    private final J5Columns columns;
    private final J5Keys keys;
    private final String tagSeparator;

    J5Items(J5Columns columns, J5Keys keys, String tagSeparator) {
        this.columns = columns;
        this.keys = keys;
        this.tagSeparator = tagSeparator;
    }

    /**
     * A row of the table.
     *
     * @param batchEnd the last sequence number of its atomic write; its own for a single event and for rows of the predecessor
     * @param skipTo the last sequence number of the rejected events that a tombstone covers; otherwise its own
     */
    record Entry(Item item, long seqNr, boolean deleted, long batchEnd, long skipTo) {

        boolean isTombstoneOfRejected() {
            return item.has(SKIP);
        }
    }

    /** The extent of an atomic write. */
    record Extent(long first, int count) {}

    /** The key attributes by the configured resolvers. */
    Item key(String persistenceId, long seqNr) {
        return key(keys, persistenceId, seqNr);
    }

    private Item key(J5Keys by, String persistenceId, long seqNr) {
        Item key = Item.create().text(columns.partitionKey(), by.partitionKey(persistenceId, seqNr));
        return columns.sortsBySeqNr()
                ? key.number(columns.sortKey(), seqNr)
                : key.text(columns.sortKey(), by.sortKey(persistenceId, seqNr));
    }

    /** The key attributes under which a row may be: by the configured resolvers, and by those of the predecessor. */
    List<Item> possibleKeys(String persistenceId, long seqNr) {
        return keys.withAllOfThePredecessor().stream()
                .filter(by -> by.canStore(persistenceId, seqNr))
                .map(by -> key(by, persistenceId, seqNr))
                .toList();
    }

    /** The key attributes of a row, whichever resolvers returned them. */
    Item key(Item row) {
        Item key = Item.create().text(columns.partitionKey(), row.text(columns.partitionKey()));
        return columns.sortsBySeqNr()
                ? key.number(columns.sortKey(), row.number(columns.sortKey()))
                : key.text(columns.sortKey(), row.text(columns.sortKey()));
    }

    /** An event of a batch. The time of an event that is copied goes into the message, because the ordering must rise. */
    Item event(EventBatch batch, long seqNr, long ordering, Event event, Extent extent) {
        String persistenceId = batch.persistenceId();
        byte[] message = new PersistentMessage(
                        event.payload(),
                        seqNr,
                        persistenceId,
                        false,
                        event.adapterManifest(),
                        batch.writer(),
                        batch.timestampMicros() / 1000,
                        event.metadata())
                .encode();
        Item row = row(persistenceId, seqNr, ordering, false, message);
        if (!event.tags().isEmpty()) {
            row.text(columns.tags(), joined(persistenceId, seqNr, event.tags()));
        }
        return extent.count() == 1 ? row : row.text(BATCH, extent.first() + "/" + extent.count());
    }

    /** The tombstone of rejected events, at the first of their sequence numbers, so that no second writer can use it. */
    Item tombstoneOfRejected(String persistenceId, String writer, long seqNr, long skipTo, long ordering) {
        byte[] message = new PersistentMessage(NOTHING, seqNr, persistenceId, true, "", writer, 0, null).encode();
        return row(persistenceId, seqNr, ordering, true, message).number(SKIP, skipTo);
    }

    private Item row(String persistenceId, long seqNr, long ordering, boolean deleted, byte[] message) {
        return key(persistenceId, seqNr)
                .text(columns.persistenceId(), persistenceId)
                .number(columns.sequenceNr(), seqNr)
                .number(columns.ordering(), ordering)
                .flag(columns.deleted(), deleted)
                .bytes(columns.message(), message);
    }

    Item deleted(Item row) {
        return row.copy().flag(columns.deleted(), true);
    }

    String persistenceId(Item row) {
        return row.text(columns.persistenceId());
    }

    long seqNr(Item row) {
        return row.seqNr(columns.sequenceNr());
    }

    long ordering(Item row) {
        return row.number(columns.ordering());
    }

    String writer(Item row) {
        return message(row).writerUuid();
    }

    /** The writer of a row; empty if its message cannot be read, because such a row can be deleted all the same. */
    String writerOrNone(Item row) {
        try {
            return writer(row);
        } catch (StoreException.CorruptItem e) {
            return "";
        }
    }

    /** Whether both rows hold the same event of the same writer; the message contains the writer. */
    boolean isSame(Item one, Item other) {
        return persistenceId(one).equals(persistenceId(other))
                && Arrays.equals(one.bytes(columns.message()), other.bytes(columns.message()));
    }

    /** The rows that were read by the keys of these sequence numbers, in order, without those of other persistence ids. */
    List<Item> read(String persistenceId, List<Item> rows, Set<Long> seqNrs) {
        List<Item> ours = new ArrayList<>();
        for (Item row : rows) {
            if (persistenceId(row).equals(persistenceId)) {
                long seqNr = seqNr(row);
                if (!seqNrs.contains(seqNr)) {
                    throw row.corrupt(columns.sequenceNr(), "is " + seqNr + ", which its key contradicts", null);
                }
                ours.add(row);
            }
        }
        return inOrder(ours);
    }

    List<Item> inOrder(List<Item> rows) {
        return rows.stream().sorted(Comparator.comparingLong(this::seqNr)).toList();
    }

    /** Whether a row is under a key that the configured resolvers do not return. */
    boolean hasOtherKey(Item row) {
        return !key(row).attributes()
                .equals(key(keys, persistenceId(row), seqNr(row)).attributes());
    }

    Entry entry(Item row) {
        long seqNr = seqNr(row);
        return new Entry(row, seqNr, row.flag(columns.deleted()), batchEnd(row, seqNr), row.numberOr(SKIP, seqNr));
    }

    private static long batchEnd(Item row, long seqNr) {
        String batch = row.textOr(BATCH, null);
        if (batch == null) {
            return seqNr;
        }
        int slash = batch.indexOf('/');
        try {
            return Long.parseLong(batch, 0, Math.max(0, slash), 10)
                    + Integer.parseInt(batch, slash + 1, batch.length(), 10)
                    - 1;
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw row.corrupt(BATCH, "is not of the form first/count", e);
        }
    }

    StoredEvent stored(Entry entry) {
        Item row = entry.item();
        PersistentMessage message = message(row);
        long millis = message.timestamp() > 0 ? message.timestamp() : ordering(row);
        Event event = new Event(message.payload(), message.manifest(), tags(row), message.metadata());
        return new StoredEvent(persistenceId(row), entry.seqNr(), millis * 1000, message.writerUuid(), event);
    }

    private PersistentMessage message(Item row) {
        try {
            return PersistentMessage.decode(row.bytes(columns.message()));
        } catch (MalformedBytes e) {
            throw row.corrupt(columns.message(), "does not hold a persistent message", e);
        }
    }

    private String joined(String persistenceId, long seqNr, Set<String> tags) {
        String joined = String.join(tagSeparator, new TreeSet<>(tags));
        if (!split(joined).equals(tags)) {
            throw new StoreException.Refused(
                    "A tag of event " + seqNr + " of " + persistenceId + " is empty or contains \"" + tagSeparator
                            + "\", which separates tags in this layout (setting tag-separator), so it would be read as"
                            + " other tags. Use another tag. Nothing was stored.",
                    null);
        }
        return joined;
    }

    Set<String> tags(Item row) {
        return row.has(columns.tags()) ? split(row.text(columns.tags())) : Set.of();
    }

    private Set<String> split(String joined) {
        return Set.copyOf(new TreeSet<>(
                Arrays.asList(Pattern.compile(Pattern.quote(tagSeparator)).split(joined))));
    }
}
