package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.wire.Frame;
import io.dynajournal.internal.wire.MalformedBytes;
import java.util.List;

/**
 * The items of the snapshot table; makes no requests. Sequence numbers below 0 are reserved for items of later versions,
 * which this one never reads.
 */
final class SnapshotItems {

    static final String TIMESTAMP = "ts";
    static final String BODY = "body";
    static final String EXPIRY = "exp";

    /** With {@link #SAVED}, the key of the slice index. Every snapshot has it; readers take the newest of each id. */
    static final String INDEX_PARTITION = "ix";

    static final String SAVED = "saved";

    /** How many partitions of the index hold the snapshots of one entity type. Part of the format. */
    static final int INDEX_PARTITIONS = 16;

    /** What the checksum of a snapshot covers. */
    private static final List<String> COVERED = List.of(ItemKey.PID, ItemKey.SEQ, TIMESTAMP, INDEX_PARTITION, SAVED);

    private SnapshotItems() {}

    static Frame.Covered covered(Item head) {
        return new CoveredAttributes(head, COVERED);
    }

    /** A snapshot without its payload. */
    static Item head(StoredSnapshot snapshot, long savedMicros) {
        return Item.create()
                .text(ItemKey.PID, snapshot.persistenceId())
                .number(ItemKey.SEQ, snapshot.seqNr())
                .number(TIMESTAMP, snapshot.timestamp())
                .text(INDEX_PARTITION, CommitItems.indexPartition(snapshot.persistenceId(), INDEX_PARTITIONS))
                .number(SAVED, savedMicros);
    }

    static byte[] frame(StoredSnapshot snapshot) {
        return new SnapshotFrame(snapshot.payload(), snapshot.metadata()).encode();
    }

    static StoredSnapshot snapshot(Item head, byte[] frame) {
        try {
            SnapshotFrame content = SnapshotFrame.decode(frame, covered(head));
            return new StoredSnapshot(
                    head.text(ItemKey.PID),
                    head.seqNr(ItemKey.SEQ),
                    head.number(TIMESTAMP),
                    content.state(),
                    content.metadata());
        } catch (MalformedBytes e) {
            throw head.corrupt(
                    head.has(Parts.DIGEST) ? Parts.ID : BODY, "cannot be decoded (" + e.getMessage() + ")", e);
        }
    }
}
