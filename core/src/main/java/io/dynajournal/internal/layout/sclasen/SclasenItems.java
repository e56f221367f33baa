package io.dynajournal.internal.layout.sclasen;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.envelope.PersistentMessage;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.wire.MalformedBytes;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts events and marks of one journal name to items and back. Sends no requests.
 *
 * <p>Four attributes are ours; 0.3 reads attributes by name and ignores others: {@code idx} and {@code cnt} on the events of a
 * {@code persistAll}, {@code writer} on the tombstone of a rejected event, and {@code deletedTo} on the high mark of shard 0.
 */
final class SclasenItems {

    static final String KEY = "key";
    static final String PAYLOAD = "payload";
    static final String DELETED = "deleted";
    static final String CONFIRMATIONS = "confirmations";
    static final String SEQUENCE_NR = "sequenceNr";

    /** The position of an event in its atomic write, from 0. Absent on a single event. */
    static final String IDX = "idx";

    /** The number of events of the atomic write. Absent on a single event. */
    static final String CNT = "cnt";

    /** The writer of a tombstone. */
    static final String WRITER = "writer";

    /** The highest deleted sequence number. */
    static final String DELETED_TO = "deletedTo";

    /** A string instead of a boolean, as 0.3 stores it. */
    static final String IS_DELETED = "true";

    private static final String IS_NOT_DELETED = "false";

    private final String events;
    private final String highMarks;
    private final String lowMarks;
    private final int shards;

    SclasenItems(String journalName, int shards) {
        // The keys of tables from before 0.3's first release have neither a journal name nor its hyphen.
        String prefix = journalName.isEmpty() ? "" : journalName + "-";
        this.events = prefix + "P-";
        this.highMarks = prefix + "SH-";
        this.lowMarks = prefix + "SL-";
        this.shards = shards;
    }

    /** The prefix of the keys of all events. */
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

    /** The persistence id in the key of an event; null if this is no such key. */
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

    /** An item under the key of an event. */
    Entry entry(Item item) {
        String key = item.text(KEY);
        try {
            return new Entry(Long.parseLong(key, key.lastIndexOf('-') + 1, key.length(), 10), item);
        } catch (NumberFormatException e) {
            throw item.corrupt(KEY, "does not end with a sequence number", e);
        }
    }

    /**
     * The item of a sequence number.
     *
     * @param seqNr from the key; the sequence number inside the payload is ignored
     */
    record Entry(long seqNr, Item item) {

        boolean hasPayload() {
            return item.has(PAYLOAD);
        }

        /**
         * Whether this sequence number is used. An item without payload and writer is not: 0.3 creates one when it deletes or
         * confirms an event that does not exist.
         */
        boolean isTaken() {
            return hasPayload() || item.has(WRITER);
        }

        boolean isMarkedDeleted() {
            return IS_DELETED.equals(item.textOr(DELETED, null));
        }

        /** The event; null for a deleted event and for an item without one. */
        @Nullable
        StoredEvent event(String persistenceId) {
            if (!hasPayload() || isMarkedDeleted()) {
                return null;
            }
            PersistentMessage message = message();
            // Without the attribute, the message itself says whether it is deleted.
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

        /** The last sequence number of the event's atomic write. */
        long writeEnd() {
            return item.has(CNT) ? seqNr - item.number(IDX) + item.number(CNT) - 1 : seqNr;
        }

        String writer() {
            return hasPayload() ? message().writerUuid() : String.valueOf(item.textOr(WRITER, ""));
        }

        long timestampMicros() {
            return hasPayload() ? message().timestamp() * 1000 : 0;
        }

        /** The channels of Akka 2.3 that have confirmed the event. */
        Set<String> confirmations() {
            return item.texts(CONFIRMATIONS);
        }

        int payloadSize() {
            return hasPayload() ? item.bytes(PAYLOAD).length : 0;
        }

        /** Whether the other item is this one, stored by an attempt whose reply was lost. */
        boolean isSameAs(Entry other) {
            return hasPayload()
                    ? other.hasPayload() && Arrays.equals(item.bytes(PAYLOAD), other.item.bytes(PAYLOAD))
                    : !other.hasPayload() && writer().equals(other.writer());
        }

        private PersistentMessage message() {
            try {
                return PersistentMessage.decode(item.bytes(PAYLOAD));
            } catch (MalformedBytes e) {
                throw item.corrupt(PAYLOAD, "does not hold a persistent message", e);
            }
        }
    }

    /** A single event as an item. */
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

    /** Uses up the sequence number of a rejected event. 0.3 skips it like a deleted event. */
    Item tombstone(String persistenceId, long seqNr, String writer) {
        return Item.create()
                .text(KEY, eventKey(persistenceId, seqNr))
                .text(DELETED, IS_DELETED)
                .text(WRITER, writer);
    }

    Item lowMark(String persistenceId, long seqNr) {
        return Item.create().text(KEY, lowMarkKey(persistenceId, seqNr)).number(SEQUENCE_NR, seqNr);
    }
}
