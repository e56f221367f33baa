package io.dynajournal.internal.layout.akka2;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Converts snapshots to items of akka-persistence-dynamodb 2.x and back. Sends no requests. */
final class Akka2SnapshotItems {

    /** The toolkit's timestamp of the snapshot, in epoch milliseconds. */
    static final String WRITE_TIMESTAMP = "write_timestamp";

    /** The timestamp of the snapshot's event, in epoch microseconds. */
    static final String EVENT_TIMESTAMP = "event_timestamp";

    static final String SNAPSHOT_SER_ID = "snapshot_ser_id";
    static final String SNAPSHOT_SER_MANIFEST = "snapshot_ser_manifest";
    static final String SNAPSHOT_PAYLOAD = "snapshot_payload";

    private Akka2SnapshotItems() {}

    /**
     * @param eventMicros the time of the event with the snapshot's sequence number
     * @param tags the tags of that event
     */
    static Item item(StoredSnapshot snapshot, long eventMicros, Set<String> tags, @Nullable Duration life) {
        Item item = Item.create()
                .text(Akka2Items.PID, snapshot.persistenceId())
                .number(Akka2Items.SEQ_NR, snapshot.seqNr())
                .text(Akka2Items.ENTITY_TYPE_SLICE, Akka2Items.entityTypeSlice(snapshot.persistenceId()))
                .number(WRITE_TIMESTAMP, snapshot.timestamp())
                .number(EVENT_TIMESTAMP, eventMicros)
                .number(SNAPSHOT_SER_ID, snapshot.payload().serializerId())
                .text(SNAPSHOT_SER_MANIFEST, snapshot.payload().manifest())
                .bytes(SNAPSHOT_PAYLOAD, snapshot.payload().bytes());
        if (!tags.isEmpty()) {
            item.texts(Akka2Items.TAGS, tags);
        }
        Akka2Items.metadata(item, snapshot.metadata());
        if (life != null) {
            item.number(Akka2Items.EXPIRY, snapshot.timestamp() / 1000 + life.toSeconds());
        }
        return item;
    }

    /** Whether the item holds a snapshot. The predecessor also left items with nothing but an expiry. */
    static boolean isSnapshot(Item item) {
        return item.has(Akka2Items.SEQ_NR) && (item.has(SNAPSHOT_PAYLOAD) || item.has(Akka2Items.BREADCRUMB_PAYLOAD));
    }

    static boolean isExpired(Item item, long nowSeconds) {
        return item.numberOr(Akka2Items.EXPIRY, Long.MAX_VALUE) <= nowSeconds;
    }

    /** A snapshot in the fallback store has no timestamp in the table, so any time matches. */
    static boolean isWithin(Item item, SnapshotCriteria criteria) {
        long seqNr = item.number(Akka2Items.SEQ_NR);
        if (seqNr < criteria.minSeqNr() || seqNr > criteria.maxSeqNr()) {
            return false;
        }
        if (!item.has(WRITE_TIMESTAMP)) {
            return true;
        }
        long time = item.number(WRITE_TIMESTAMP);
        return time >= criteria.minTimestamp() && time <= criteria.maxTimestamp();
    }

    static StoredSnapshot snapshot(Item item, String fallbackStore) {
        String persistenceId = item.text(Akka2Items.PID);
        long seqNr = item.seqNr(Akka2Items.SEQ_NR);
        if (!item.has(SNAPSHOT_PAYLOAD)) {
            throw Akka2Items.inFallbackStore(
                    item, "Snapshot " + seqNr + " of " + persistenceId, "snapshot", fallbackStore);
        }
        return new StoredSnapshot(
                persistenceId,
                seqNr,
                item.number(WRITE_TIMESTAMP),
                Akka2Items.payload(item, SNAPSHOT_SER_ID, SNAPSHOT_SER_MANIFEST, SNAPSHOT_PAYLOAD),
                Akka2Items.metadata(item));
    }
}
