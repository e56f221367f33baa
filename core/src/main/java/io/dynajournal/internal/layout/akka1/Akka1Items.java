package io.dynajournal.internal.layout.akka1;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.envelope.PersistentMessage;
import io.dynajournal.internal.layout.SerializerId;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.wire.MalformedBytes;
import java.util.Set;

/**
 * Converts events and marks to items of a journal table and back. Sends no requests.
 *
 * <p>An <em>event</em> has its own attributes, or is one message in {@link #PAY}: see {@link Akka1EventFormat}. Events of one atomic
 * write carry their position and the last position. A <em>tombstone</em> is an item without payload that looks like the first
 * event of an unfinished atomic write: every reader of this format skips it, and no writer can reuse its sequence number.
 * <em>Marks</em> hold a sequence number only.
 */
final class Akka1Items {

    static final String PAR = "par";
    static final String NUM = "num";
    static final String PAY = "pay";
    static final String EVENT = "event";
    static final String SERIALIZER = "ev_ser_id";
    static final String SERIALIZER_MANIFEST = "ev_ser_manifest";
    static final String PERSISTENCE_ID = "persistence_id";
    static final String SEQ = "seq";
    static final String WRITER = "writer_uuid";
    static final String MANIFEST = "manifest";
    static final String IDX = "idx";
    static final String CNT = "cnt";

    /** Ours, on the tombstone of a deleted event: until when it is kept, in epoch seconds. */
    static final String KEEP_UNTIL = "dj_keep";

    private Akka1Items() {}

    /**
     * An event as an item.
     *
     * @param index its position in its atomic write, from 0
     * @param last the last position; 0 for a single event, which has no positions
     */
    static Entry event(Akka1Keys keys, Akka1EventFormat form, StoredEvent stored, int index, int last) {
        Item item = form == Akka1EventFormat.PAY ? message(keys, stored) : attributes(keys, stored);
        return last == 0
                ? new Entry(item, stored.seqNr(), 0, -1)
                : new Entry(item.number(IDX, index).number(CNT, last), stored.seqNr(), index, last);
    }

    /** Without a time, as those versions leave it. */
    private static Item message(Akka1Keys keys, StoredEvent stored) {
        Event event = stored.event();
        PersistentMessage message = new PersistentMessage(
                event.payload(),
                stored.seqNr(),
                stored.persistenceId(),
                false,
                event.adapterManifest(),
                stored.writer(),
                0,
                null);
        return key(keys, stored.persistenceId(), stored.seqNr()).bytes(PAY, message.encode());
    }

    private static Item attributes(Akka1Keys keys, StoredEvent stored) {
        Payload payload = stored.event().payload();
        Item item = head(keys, stored.persistenceId(), stored.seqNr(), stored.writer())
                .bytes(EVENT, payload.bytes())
                .number(SERIALIZER, payload.serializerId());
        if (!payload.manifest().isEmpty()) {
            item.text(SERIALIZER_MANIFEST, payload.manifest());
        }
        if (!stored.event().adapterManifest().isEmpty()) {
            item.text(MANIFEST, stored.event().adapterManifest());
        }
        return item;
    }

    /** Uses up the sequence numbers from {@code seqNr} up to the one before {@code next}. */
    static Entry tombstone(Akka1Keys keys, String persistenceId, long seqNr, long next, String writer) {
        Item item = head(keys, persistenceId, seqNr, writer).number(IDX, 0).number(CNT, next - seqNr);
        return new Entry(item, seqNr, 0, next - seqNr);
    }

    /** The tombstone of a deleted event. It is no gap and no event for any reader, and stops a stale writer. */
    static Item deleted(Akka1Keys keys, String persistenceId, long seqNr, String writer, long keepUntilSeconds) {
        return tombstone(keys, persistenceId, seqNr, seqNr + 1, writer).item().number(KEEP_UNTIL, keepUntilSeconds);
    }

    private static Item head(Akka1Keys keys, String persistenceId, long seqNr, String writer) {
        return key(keys, persistenceId, seqNr)
                .text(PERSISTENCE_ID, persistenceId)
                .number(SEQ, seqNr)
                .text(WRITER, writer);
    }

    private static Item key(Akka1Keys keys, String persistenceId, long seqNr) {
        return Item.create()
                .text(PAR, keys.events(persistenceId, Akka1Keys.partition(seqNr)))
                .number(NUM, Akka1Keys.num(seqNr));
    }

    static Item highMark(Akka1Keys keys, String persistenceId, long seqNr) {
        return Item.create()
                .text(PAR, keys.high(persistenceId, seqNr))
                .number(NUM, 0)
                .number(SEQ, Akka1Keys.start(Akka1Keys.partition(seqNr)));
    }

    /** @param writer who wrote the event before {@code lowest}, for the next delete */
    static Item lowMark(Akka1Keys keys, String persistenceId, long lowest, String writer) {
        return Item.create()
                .text(PAR, keys.low(persistenceId, lowest))
                .number(NUM, 0)
                .number(SEQ, lowest)
                .text(WRITER, writer);
    }

    /** An item of a partition. Its sequence number comes from the key, because old events have it nowhere else. */
    static Entry entry(Item item, long partition) {
        long seqNr = Akka1Keys.start(partition) + item.number(NUM);
        if (!item.has(CNT)) {
            return new Entry(item, seqNr, 0, -1);
        }
        long idx = item.number(IDX);
        long cnt = item.number(CNT);
        if (idx < 0 || idx > cnt || idx >= seqNr || cnt > Integer.MAX_VALUE) {
            throw item.corrupt(
                    IDX, "and " + CNT + " are no position in an atomic write: found " + idx + " and " + cnt, null);
        }
        return new Entry(item, seqNr, idx, cnt);
    }

    /**
     * An event or a tombstone.
     *
     * @param cnt the last position of its atomic write; -1 for a single event
     */
    record Entry(Item item, long seqNr, long idx, long cnt) {

        boolean isSingle() {
            return cnt < 0;
        }

        boolean isTombstone() {
            return !item.has(EVENT) && !item.has(PAY);
        }

        /** The first sequence number of its atomic write. */
        long first() {
            return seqNr - idx;
        }

        /** The last sequence number of its atomic write. */
        long last() {
            return isSingle() ? seqNr : first() + cnt;
        }

        /** Whether both belong to the same atomic write. */
        boolean isOfSameWrite(Entry other) {
            return !isSingle()
                    && !other.isSingle()
                    && first() == other.first()
                    && last() == other.last()
                    && !isTombstone()
                    && writer().equals(other.writer());
        }

        String writer() {
            if (item.has(PAY) && !item.has(EVENT)) {
                return message().writerUuid();
            }
            return text(WRITER);
        }

        /** Empty if the message cannot be read: such an event can still be deleted. */
        String writerOrUnknown() {
            try {
                return writer();
            } catch (StoreException.CorruptItem unreadable) {
                return "";
            }
        }

        StoredEvent event(String persistenceId) {
            if (item.has(EVENT)) {
                Payload payload =
                        new Payload(SerializerId.of(item, SERIALIZER), text(SERIALIZER_MANIFEST), item.bytes(EVENT));
                return new StoredEvent(
                        persistenceId, seqNr, 0, writer(), new Event(payload, text(MANIFEST), Set.of(), null));
            }
            PersistentMessage message = message();
            return new StoredEvent(
                    persistenceId,
                    seqNr,
                    message.timestamp() * 1000,
                    message.writerUuid(),
                    new Event(message.payload(), message.manifest(), Set.of(), message.metadata()));
        }

        private String text(String name) {
            return item.has(name) ? item.text(name) : "";
        }

        private PersistentMessage message() {
            try {
                return PersistentMessage.decode(item.bytes(PAY));
            } catch (MalformedBytes e) {
                throw item.corrupt(PAY, "does not hold a persistent message", e);
            }
        }
    }
}
