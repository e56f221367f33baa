package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredState;
import io.dynajournal.internal.wire.Frame;
import io.dynajournal.internal.wire.MalformedBytes;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The items of the table of durable states; makes no requests. The state of a persistence id has the range key 0; the parts
 * of large states have keys of their own, so that one table holds both.
 */
final class StateItems {

    /** The range key of every state. */
    static final long STATE_SEQ = 0;

    static final String REVISION = "rev";
    static final String TIMESTAMP = "ts";
    static final String WRITER = "w";
    static final String INDEX_PARTITION = "ix";
    static final String TAG = "tag";
    static final String DELETED = "del";
    static final String BODY = "body";
    static final String EXPIRY = "exp";

    /** What the slice index projects in addition to its keys and the table's. */
    static final List<String> PROJECTED = List.of(REVISION, TAG, DELETED);

    /** Names that a user's column must not have. */
    private static final Set<String> RESERVED_NAMES = Set.of(
            ItemKey.PID,
            ItemKey.SEQ,
            REVISION,
            TIMESTAMP,
            WRITER,
            INDEX_PARTITION,
            TAG,
            DELETED,
            BODY,
            EXPIRY,
            Parts.ID,
            Parts.COUNT,
            Parts.DIGEST,
            Parts.OWNER,
            Parts.OWNER_SEQ);

    /** What the checksum of a state in parts covers: its {@link #TIMESTAMP} is set after the parts are written. */
    private static final List<String> COVERED_IN_PARTS =
            List.of(ItemKey.PID, ItemKey.SEQ, REVISION, WRITER, INDEX_PARTITION, TAG);

    /** What the checksum of a smaller state covers. */
    private static final List<String> COVERED =
            List.of(ItemKey.PID, ItemKey.SEQ, REVISION, WRITER, INDEX_PARTITION, TAG, TIMESTAMP);

    private StateItems() {}

    static Frame.Covered covered(Item head, boolean inParts) {
        return new CoveredAttributes(head, inParts ? COVERED_IN_PARTS : COVERED);
    }

    /** A state without its payload, or the tombstone of a deleted one. */
    static Item head(StateChange change, String tag, long timestampMicros, WriterId writer, int indexPartitions) {
        Item item = Item.create()
                .text(ItemKey.PID, change.persistenceId())
                .number(ItemKey.SEQ, STATE_SEQ)
                .number(REVISION, change.revision())
                .number(TIMESTAMP, timestampMicros)
                .bytes(WRITER, writer.bytes())
                .text(INDEX_PARTITION, CommitItems.indexPartition(change.persistenceId(), indexPartitions));
        if (!tag.isEmpty()) {
            item.text(TAG, tag);
        }
        if (change.payload() == null) {
            item.flag(DELETED, true);
        }
        change.columns().forEach((name, value) -> column(item, change, name, value));
        return item;
    }

    private static void column(Item item, StateChange change, String name, Object value) {
        if (RESERVED_NAMES.contains(name)) {
            throw new IllegalArgumentException("The state of " + change.persistenceId() + ", revision "
                    + change.revision() + ", has a column that must not be called " + name
                    + ", because the table has an attribute of that name. Nothing was stored. Rename the column.");
        }
        item.value(name, value);
    }

    static byte[] frame(Payload payload) {
        return new SnapshotFrame(payload, null).encode();
    }

    static boolean isDeleted(Item item) {
        if (item.isTrue(DELETED) && (item.has(BODY) || item.has(Parts.DIGEST))) {
            throw item.corrupt(DELETED, "is true, although there is a state,", null);
        }
        return item.isTrue(DELETED);
    }

    static String writer(Item item) {
        return WriterId.in(item, WRITER).toString();
    }

    static StoredState deleted(Item item) {
        return stored(item, null);
    }

    static StoredState state(Item item, byte[] frame) {
        writer(item); // first, so that an attribute of another length is reported by its name
        Frame.Covered covered = covered(item, item.has(Parts.DIGEST));
        try {
            return stored(item, SnapshotFrame.decode(frame, covered).state());
        } catch (MalformedBytes e) {
            throw item.corrupt(
                    item.has(Parts.DIGEST) ? Parts.ID : BODY, "cannot be decoded (" + e.getMessage() + ")", e);
        }
    }

    private static StoredState stored(Item item, @Nullable Payload payload) {
        return new StoredState(
                item.text(ItemKey.PID),
                item.number(REVISION),
                payload,
                tag(item),
                item.number(TIMESTAMP),
                writer(item));
    }

    static String tag(Item item) {
        return item.has(TAG) ? item.text(TAG) : "";
    }

    /** Whether a stored item is the one that we tried to store: a writer uses each timestamp once. */
    static boolean isOwn(Item stored, Item ours) {
        return !stored.isEmpty()
                && stored.number(REVISION) == ours.number(REVISION)
                && stored.number(TIMESTAMP) == ours.number(TIMESTAMP)
                && Arrays.equals(stored.bytes(WRITER), ours.bytes(WRITER));
    }
}
