package io.dynajournal.layout.akka1;

import io.dynajournal.dynamo.Item;
import io.dynajournal.envelope.PersistentMessage;
import io.dynajournal.model.Event;
import io.dynajournal.model.Payload;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.wire.MalformedBytes;
import java.util.Set;

/**
 * The items of a journal table; no requests here.
 *
 * <p>An <em>event</em> has its own attributes, or in the old generation all in {@link #PAY}. Events of one atomic write
 * carry their position and the last position. A <em>reservation</em> is of our own making: an event without a payload that
 * says it is the first of several which never come. Every reader of this format passes over such a beginning, and nobody
 * can write its number again. <em>Marks</em> have a number only.
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

    private Akka1Items() {}

    /**
     * An event.
     *
     * @param index its position in its atomic write, from 0
     * @param last the last position; 0 for an event alone, which has no positions
     */
    static Item event(Akka1Keys keys, StoredEvent stored, int index, int last) {
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
        return last == 0 ? item : item.number(IDX, index).number(CNT, last);
    }

    /** Takes the numbers from {@code seqNr} up to the one before {@code next}, for good. */
    static Item reservation(Akka1Keys keys, String persistenceId, long seqNr, long next, String writer) {
        return head(keys, persistenceId, seqNr, writer).number(IDX, 0).number(CNT, next - seqNr);
    }

    private static Item head(Akka1Keys keys, String persistenceId, long seqNr, String writer) {
        return Item.create()
                .text(PAR, keys.events(persistenceId, Akka1Keys.partition(seqNr)))
                .number(NUM, Akka1Keys.num(seqNr))
                .text(PERSISTENCE_ID, persistenceId)
                .number(SEQ, seqNr)
                .text(WRITER, writer);
    }

    static Item highMark(Akka1Keys keys, String persistenceId, long seqNr) {
        return Item.create()
                .text(PAR, keys.high(persistenceId, seqNr))
                .number(NUM, 0)
                .number(SEQ, Akka1Keys.start(Akka1Keys.partition(seqNr)));
    }

    static Item lowMark(Akka1Keys keys, String persistenceId, long lowest) {
        return Item.create()
                .text(PAR, keys.low(persistenceId, lowest))
                .number(NUM, 0)
                .number(SEQ, lowest);
    }

    /** An item of a partition. The key tells its number: old events have it nowhere else. */
    static Entry entry(Item item, long partition) {
        long seqNr = Akka1Keys.start(partition) + item.number(NUM);
        if (!item.has(CNT)) {
            return new Entry(item, seqNr, 0, -1);
        }
        long idx = item.number(IDX);
        long cnt = item.number(CNT);
        if (idx < 0 || idx > cnt || idx >= seqNr || cnt > Integer.MAX_VALUE) {
            throw item.corrupt(IDX, "and " + CNT + " do not fit (" + idx + ", " + cnt + ")", null);
        }
        return new Entry(item, seqNr, idx, cnt);
    }

    /**
     * An event or a reservation.
     *
     * @param cnt the last position of its atomic write, -1 if it stands alone
     */
    record Entry(Item item, long seqNr, long idx, long cnt) {

        boolean isAlone() {
            return cnt < 0;
        }

        boolean isReservation() {
            return !item.has(EVENT) && !item.has(PAY);
        }

        /** The first number of its atomic write. */
        long first() {
            return seqNr - idx;
        }

        /** The last number of its atomic write. */
        long last() {
            return isAlone() ? seqNr : first() + cnt;
        }

        /** Whether both are of the same atomic write. */
        boolean isWith(Entry other) {
            return !isAlone()
                    && !other.isAlone()
                    && first() == other.first()
                    && last() == other.last()
                    && !isReservation()
                    && writer().equals(other.writer());
        }

        String writer() {
            if (item.has(PAY) && !item.has(EVENT)) {
                return message().writerUuid();
            }
            return text(WRITER);
        }

        StoredEvent event(String persistenceId) {
            if (item.has(EVENT)) {
                Payload payload =
                        new Payload((int) item.number(SERIALIZER), text(SERIALIZER_MANIFEST), item.bytes(EVENT));
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
                throw item.corrupt(PAY, "cannot be read", e);
            }
        }
    }
}
