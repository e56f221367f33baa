package io.dynajournal.layout.sclasen;

import io.dynajournal.dynamo.Item;
import io.dynajournal.envelope.PersistentMessage;
import io.dynajournal.model.Event;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.wire.MalformedBytes;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The items of one journal name: keys, events, marks.
 *
 * <p>Four attributes are ours alone. The older plugin asks for its own attributes by name, so it never sees them: {@code idx}
 * and {@code cnt} on the events of a {@code persistAll}, {@code writer} on an item that uses up the number of a rejected
 * event, and {@code deletedTo} on the high mark of shard 0.
 */
final class SclasenItems {

    static final String KEY = "key";
    static final String PAYLOAD = "payload";
    static final String DELETED = "deleted";
    static final String SEQUENCE_NR = "sequenceNr";

    /** The place of an event in its atomic write, and how many events that has. Absent where it stands alone. */
    static final String IDX = "idx";

    static final String CNT = "cnt";

    /** Who used up a number without an event. */
    static final String WRITER = "writer";

    /** Up to which number all events are deleted. */
    static final String DELETED_TO = "deletedTo";

    /** A string and no boolean, as the older plugin has it. */
    static final String IS_DELETED = "true";

    private static final String IS_NOT_DELETED = "false";

    private final String events;
    private final String highMarks;
    private final String lowMarks;
    private final int shards;

    SclasenItems(String journalName, int shards) {
        // Tables from before the first release have keys without a name, and without its hyphen.
        String prefix = journalName.isEmpty() ? "" : journalName + "-";
        this.events = prefix + "P-";
        this.highMarks = prefix + "SH-";
        this.lowMarks = prefix + "SL-";
        this.shards = shards;
    }

    /** What the keys of all events begin with. */
    String eventPrefix() {
        return events;
    }

    String eventKey(String persistenceId, long seqNr) {
        return events + persistenceId + "-" + seqNr;
    }

    String highMarkKey(String persistenceId, long seqNr) {
        return highMarks + persistenceId + "-" + seqNr % shards;
    }

    String lowMarkKey(String persistenceId, long seqNr) {
        return lowMarks + persistenceId + "-" + seqNr % shards;
    }

    /** The id in the key of an event; null if this is no such key. */
    @Nullable
    String persistenceId(Item item) {
        String key = item.text(KEY);
        int cut = key.lastIndexOf('-');
        return key.startsWith(events) && cut >= events.length() && isNumber(key, cut + 1)
                ? key.substring(events.length(), cut)
                : null;
    }

    private static boolean isNumber(String key, int from) {
        return from < key.length() && key.chars().skip(from).allMatch(c -> c >= '0' && c <= '9');
    }

    /** An item at the place of an event. */
    Entry entry(Item item) {
        String key = item.text(KEY);
        try {
            return new Entry(Long.parseLong(key, key.lastIndexOf('-') + 1, key.length(), 10), item);
        } catch (NumberFormatException e) {
            throw item.corrupt(KEY, "does not end with a number", e);
        }
    }

    /**
     * What stands under a number.
     *
     * @param seqNr from the key: what the payload says of itself does not count
     */
    record Entry(long seqNr, Item item) {

        boolean hasPayload() {
            return item.has(PAYLOAD);
        }

        /**
         * Whether this number was used. A stub without payload says nothing: the older plugin makes one where it deletes or
         * confirms what was never there.
         */
        boolean isTaken() {
            return hasPayload() || item.has(WRITER);
        }

        boolean isMarkedDeleted() {
            return IS_DELETED.equals(item.textOr(DELETED, null));
        }

        /** Null if there is no event to see: a stub, or a deleted one. */
        @Nullable
        StoredEvent event(String persistenceId) {
            if (!hasPayload() || isMarkedDeleted()) {
                return null;
            }
            PersistentMessage message = message();
            // Without the attribute, the message itself tells.
            if (message.deleted() && !item.has(DELETED)) {
                return null;
            }
            return new StoredEvent(
                    persistenceId,
                    seqNr,
                    message.timestamp() * 1000,
                    message.writerUuid(),
                    new Event(message.payload(), message.manifest(), Set.of(), message.metadata()));
        }

        /** The last number of the atomic write that this event belongs to. */
        long writeEnd() {
            return item.has(CNT) ? seqNr - item.number(IDX) + item.number(CNT) - 1 : seqNr;
        }

        String writer() {
            return hasPayload() ? message().writerUuid() : String.valueOf(item.textOr(WRITER, ""));
        }

        long timestampMicros() {
            return hasPayload() ? message().timestamp() * 1000 : 0;
        }

        int payloadSize() {
            return hasPayload() ? item.bytes(PAYLOAD).length : 0;
        }

        /** Whether that item is this one, stored by an attempt whose reply was lost. */
        boolean isSameAs(Entry other) {
            return hasPayload()
                    ? other.hasPayload() && Arrays.equals(item.bytes(PAYLOAD), other.item.bytes(PAYLOAD))
                    : !other.hasPayload() && writer().equals(other.writer());
        }

        private PersistentMessage message() {
            try {
                return PersistentMessage.decode(item.bytes(PAYLOAD));
            } catch (MalformedBytes e) {
                throw item.corrupt(PAYLOAD, "is no persistent message", e);
            }
        }
    }

    /** An event that stands alone. */
    Item event(String persistenceId, long seqNr, String writer, long millis, Event event) {
        PersistentMessage message = new PersistentMessage(
                event.payload(),
                seqNr,
                persistenceId,
                false,
                event.adapterManifest(),
                writer,
                millis,
                event.metadata());
        return Item.create()
                .text(KEY, eventKey(persistenceId, seqNr))
                .bytes(PAYLOAD, message.encode())
                .text(DELETED, IS_NOT_DELETED);
    }

    /** Uses up the number of a rejected event. The older plugin passes over it like over a stub of its own. */
    Item filler(String persistenceId, long seqNr, String writer) {
        return Item.create()
                .text(KEY, eventKey(persistenceId, seqNr))
                .text(DELETED, IS_DELETED)
                .text(WRITER, writer);
    }

    Item lowMark(String persistenceId, long seqNr) {
        return Item.create().text(KEY, lowMarkKey(persistenceId, seqNr)).number(SEQUENCE_NR, seqNr);
    }
}
