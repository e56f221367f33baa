package io.dynajournal.internal.layout.akka1;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.envelope.SnapshotEnvelope;
import io.dynajournal.internal.layout.SerializerId;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.wire.MalformedBytes;

/**
 * Converts snapshots to items and back, in both forms: see {@link Akka1EventFormat}. Sends no requests.
 */
final class Akka1SnapshotItems {

    static final String PAR = "par";
    static final String SEQ = "seq";
    static final String TS = "ts";
    static final String PAY = "pay";
    static final String DATA = "pay_data";
    static final String SERIALIZER = "ser_id";
    static final String MANIFEST = "ser_manifest";

    private Akka1SnapshotItems() {}

    static String par(String journalName, String persistenceId) {
        return journalName + "-P-" + persistenceId;
    }

    static Item item(String journalName, Akka1EventFormat form, StoredSnapshot snapshot) {
        Payload payload = snapshot.payload();
        Item item = Item.create()
                .text(PAR, par(journalName, snapshot.persistenceId()))
                .number(SEQ, snapshot.seqNr())
                .number(TS, snapshot.timestamp());
        if (form == Akka1EventFormat.PAY) {
            return item.bytes(PAY, SnapshotEnvelope.encode(payload));
        }
        item.bytes(DATA, payload.bytes()).number(SERIALIZER, payload.serializerId());
        return payload.manifest().isEmpty() ? item : item.text(MANIFEST, payload.manifest());
    }

    static StoredSnapshot snapshot(Item item, String persistenceId) {
        return new StoredSnapshot(persistenceId, item.seqNr(SEQ), item.number(TS), payload(item), null);
    }

    private static Payload payload(Item item) {
        if (item.has(DATA)) {
            return new Payload(
                    SerializerId.of(item, SERIALIZER), item.has(MANIFEST) ? item.text(MANIFEST) : "", item.bytes(DATA));
        }
        try {
            return SnapshotEnvelope.decode(item.bytes(PAY));
        } catch (MalformedBytes e) {
            throw item.corrupt(PAY, "does not hold a snapshot", e);
        }
    }
}
