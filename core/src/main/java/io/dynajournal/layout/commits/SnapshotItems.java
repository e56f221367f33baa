package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Item;
import io.dynajournal.model.StoredSnapshot;
import io.dynajournal.wire.MalformedBytes;

/**
 * The items of the snapshot table; no requests here. Numbers below 0 are reserved for items of later versions, which
 * readers of this one never ask for.
 */
final class SnapshotItems {

    static final String PID = "pid";
    static final String SEQ = "seq";
    static final String TS = "ts";
    static final String BODY = "body";
    static final String EXP = "exp";

    /** Keys of the slice index, on every snapshot: whoever reads it takes the newest of each id. */
    static final String IX = "ix";

    static final String SAVED = "saved";

    /** Over how many partitions the index spreads the snapshots of one entity type. Part of the format. */
    static final int PARTITIONS = 16;

    private SnapshotItems() {}

    /** A snapshot that has no payload yet. */
    static Item head(StoredSnapshot snapshot, long savedMicros) {
        return Item.create()
                .text(PID, snapshot.persistenceId())
                .number(SEQ, snapshot.seqNr())
                .number(TS, snapshot.timestamp())
                .text(IX, CommitItems.indexPartition(snapshot.persistenceId(), PARTITIONS))
                .number(SAVED, savedMicros);
    }

    static byte[] frame(StoredSnapshot snapshot) {
        return new SnapshotFrame(snapshot.payload(), snapshot.metadata()).encode();
    }

    static StoredSnapshot snapshot(Item head, byte[] frame) {
        try {
            SnapshotFrame content = SnapshotFrame.decode(frame);
            return new StoredSnapshot(
                    head.text(PID), head.number(SEQ), head.number(TS), content.state(), content.metadata());
        } catch (MalformedBytes e) {
            throw head.corrupt(head.has(Parts.SUM) ? Parts.PART : BODY, "cannot be read", e);
        }
    }
}
