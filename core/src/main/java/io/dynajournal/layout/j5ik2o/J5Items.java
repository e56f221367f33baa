package io.dynajournal.layout.j5ik2o;

import io.dynajournal.dynamo.Item;
import io.dynajournal.envelope.PersistentMessage;
import io.dynajournal.model.Event;
import io.dynajournal.model.Payload;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.store.StoreException;
import io.dynajournal.wire.MalformedBytes;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Journal rows. What the predecessor does not know is in attributes of our own, which its reader passes over:
 *
 * <ul>
 *   <li>{@code dj-batch} on each row of an atomic write of several events: {@code first/count}.
 *   <li>{@code dj-skip} on a row that holds no event and stands, marked as deleted, where numbers of rejected events begin:
 *       the last of these numbers.
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
     * A row as it was read.
     *
     * @param batchEnd the last number of the atomic write it belongs to; its own if it stands alone or nobody knows
     * @param skipTo the last number of rejected events that it stands for; its own otherwise
     */
    record Entry(Item item, long seqNr, boolean deleted, long batchEnd, long skipTo) {

        boolean isSkip() {
            return item.has(SKIP);
        }
    }

    /** The part of an atomic write that an event is in. */
    record Place(long first, int count) {}

    /** The key attributes only. */
    Item key(String persistenceId, long seqNr) {
        Item key = Item.create().text(columns.partitionKey(), keys.partitionKey(persistenceId, seqNr));
        return columns.sortsByNumber()
                ? key.number(columns.sortKey(), seqNr)
                : key.text(columns.sortKey(), keys.sortKey(persistenceId, seqNr));
    }

    /** The key attributes of a row, whatever made them. */
    Item key(Item row) {
        Item key = Item.create().text(columns.partitionKey(), row.text(columns.partitionKey()));
        return columns.sortsByNumber()
                ? key.number(columns.sortKey(), row.number(columns.sortKey()))
                : key.text(columns.sortKey(), row.text(columns.sortKey()));
    }

    Item event(String persistenceId, String writer, long seqNr, long ordering, Event event, Place place) {
        byte[] message = new PersistentMessage(
                        event.payload(),
                        seqNr,
                        persistenceId,
                        false,
                        event.adapterManifest(),
                        writer,
                        0,
                        event.metadata())
                .encode();
        Item row = row(persistenceId, seqNr, ordering, false, message);
        if (!event.tags().isEmpty()) {
            row.text(columns.tags(), joined(persistenceId, seqNr, event.tags()));
        }
        return place.count() == 1 ? row : row.text(BATCH, place.first() + "/" + place.count());
    }

    /** Stands where numbers of rejected events begin, so that no second writer can begin there. */
    Item skip(String persistenceId, String writer, long seqNr, long skipTo, long ordering) {
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
        return row.number(columns.sequenceNr());
    }

    long ordering(Item row) {
        return row.number(columns.ordering());
    }

    String writer(Item row) {
        return message(row).writerUuid();
    }

    /** The same event of the same writer: the writer is in the message. */
    boolean isSame(Item one, Item other) {
        return persistenceId(one).equals(persistenceId(other))
                && Arrays.equals(one.bytes(columns.message()), other.bytes(columns.message()));
    }

    /** Whether our resolvers make this key for this row; otherwise, what does is in the text. */
    @Nullable
    String otherOrigin(Item row) {
        String persistenceId = persistenceId(row);
        long seqNr = seqNr(row);
        Item key = key(row);
        if (key.attributes().equals(key(persistenceId, seqNr).attributes())) {
            return null;
        }
        String sort = columns.sortsByNumber() ? Long.toString(seqNr) : row.text(columns.sortKey());
        return J5Keys.origin(row.text(columns.partitionKey()), sort, persistenceId, seqNr);
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
            throw row.corrupt(BATCH, "is not first/count", e);
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
            throw row.corrupt(columns.message(), "holds no persistent message", e);
        }
    }

    private String joined(String persistenceId, long seqNr, Set<String> tags) {
        String joined = String.join(tagSeparator, new TreeSet<>(tags));
        if (!split(joined).equals(tags)) {
            throw new StoreException.Refused(
                    "A tag of number " + seqNr + " of " + persistenceId + " is empty or contains \"" + tagSeparator
                            + "\", by which this table separates tags (setting tag-separator): it would come back as"
                            + " other tags",
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
