package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.envelope.SnapshotEnvelope;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.wire.MalformedBytes;

/**
 * Converts snapshots to rows and back. Sends no requests. The predecessor drops the metadata of replicated entities; here it is
 * stored in {@code dj-metadata}, which the predecessor ignores.
 */
final class J5SnapshotItems {

    static final String METADATA = "dj-metadata";

    private final J5SnapshotColumns columns;
    private final J5Keys keys;
    private final boolean legacyFormat;

    J5SnapshotItems(J5SnapshotColumns columns, J5Keys keys, boolean legacyFormat) {
        this.columns = columns;
        this.keys = keys;
        this.legacyFormat = legacyFormat;
    }

    Item row(StoredSnapshot snapshot) {
        Item row = Item.create();
        if (!legacyFormat) {
            row.text(columns.partitionKey(), keys.partitionKey(snapshot.persistenceId(), snapshot.seqNr()))
                    .text(columns.sortKey(), keys.sortKey(snapshot.persistenceId(), snapshot.seqNr()));
        }
        row.text(columns.persistenceId(), snapshot.persistenceId())
                .number(columns.sequenceNr(), snapshot.seqNr())
                .bytes(columns.snapshot(), SnapshotEnvelope.encode(snapshot.payload()))
                .number(columns.created(), snapshot.timestamp());
        return snapshot.metadata() == null ? row : row.bytes(METADATA, SnapshotEnvelope.encode(snapshot.metadata()));
    }

    StoredSnapshot snapshot(Item row) {
        return new StoredSnapshot(
                persistenceId(row),
                seqNr(row),
                row.number(columns.created()),
                payload(row, columns.snapshot()),
                row.has(METADATA) ? payload(row, METADATA) : null);
    }

    private static Payload payload(Item row, String name) {
        try {
            return SnapshotEnvelope.decode(row.bytes(name));
        } catch (MalformedBytes e) {
            throw row.corrupt(name, "does not hold a snapshot", e);
        }
    }

    String persistenceId(Item row) {
        return row.text(columns.persistenceId());
    }

    long seqNr(Item row) {
        return row.seqNr(columns.sequenceNr());
    }

    /** The key attributes of a row, whichever resolvers returned them. */
    Item key(Item row) {
        return legacyFormat
                ? Item.create()
                        .text(columns.persistenceId(), persistenceId(row))
                        .number(columns.sequenceNr(), seqNr(row))
                : Item.create()
                        .text(columns.partitionKey(), row.text(columns.partitionKey()))
                        .text(columns.sortKey(), row.text(columns.sortKey()));
    }
}
