package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Item;
import io.dynajournal.model.Payload;
import io.dynajournal.model.StateChange;
import io.dynajournal.model.StoredState;
import io.dynajournal.wire.MalformedBytes;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The items of the table of durable states; no requests here. The state of an id stands at {@link #SEQ} 0, and parts of
 * large ones under keys of their own, so that one table holds both.
 */
final class StateItems {

    static final String PID = "pid";
    static final String SEQ = "seq";
    static final String REV = "rev";
    static final String TS = "ts";
    static final String WRITER = "w";
    static final String IX = "ix";
    static final String TAG = "tag";
    static final String DEL = "del";
    static final String BODY = "body";
    static final String EXP = "exp";

    /** What a reader of changes needs to know before it reads the state itself. */
    static final List<String> PROJECTED = List.of(REV, TAG, DEL);

    /** No column of a user's may have one of these names. */
    private static final Set<String> OURS =
            Set.of(PID, SEQ, REV, TS, WRITER, IX, TAG, DEL, BODY, EXP, Parts.PART, Parts.PARTS, Parts.SUM, "of", "at");

    private StateItems() {}

    /** A state that has no payload yet, or a deleted one. */
    static Item head(StateChange change, String tag, long ts, WriterId writer, int indexPartitions) {
        Item item = Item.create()
                .text(PID, change.persistenceId())
                .number(SEQ, 0)
                .number(REV, change.revision())
                .number(TS, ts)
                .bytes(WRITER, writer.bytes())
                .text(IX, CommitItems.indexPartition(change.persistenceId(), indexPartitions));
        if (!tag.isEmpty()) {
            item.text(TAG, tag);
        }
        if (change.payload() == null) {
            item.flag(DEL, true);
        }
        change.columns().forEach((name, value) -> column(item, name, value));
        return item;
    }

    private static void column(Item item, String name, Object value) {
        if (OURS.contains(name)) {
            throw new IllegalArgumentException("A column must not be called " + name + ": the table uses that name");
        }
        item.value(name, value);
    }

    static byte[] frame(Payload payload) {
        return new SnapshotFrame(payload, null).encode();
    }

    static boolean isDeleted(Item item) {
        return item.isTrue(DEL);
    }

    static String writer(Item item) {
        return WriterId.of(item.bytes(WRITER)).toString();
    }

    static StoredState deleted(Item item) {
        return new StoredState(item.text(PID), item.number(REV), null, tag(item), item.number(TS), writer(item));
    }

    static StoredState state(Item item, byte[] frame) {
        try {
            return new StoredState(
                    item.text(PID),
                    item.number(REV),
                    SnapshotFrame.decode(frame).state(),
                    tag(item),
                    item.number(TS),
                    writer(item));
        } catch (MalformedBytes e) {
            throw item.corrupt(item.has(Parts.SUM) ? Parts.PART : BODY, "cannot be read", e);
        }
    }

    static String tag(Item item) {
        return item.has(TAG) ? item.text(TAG) : "";
    }

    /** Whether the stored item is the one we tried to store: revision, writer and time say so, and each time is used once. */
    static boolean isOwn(Item stored, Item ours) {
        return !stored.isEmpty()
                && stored.number(REV) == ours.number(REV)
                && stored.number(TS) == ours.number(TS)
                && Arrays.equals(stored.bytes(WRITER), ours.bytes(WRITER));
    }
}
