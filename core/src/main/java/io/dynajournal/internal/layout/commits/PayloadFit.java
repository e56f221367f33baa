package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemSize;
import io.dynajournal.internal.wire.Frame;

/**
 * Decides how a payload is stored: compressed if that saves write units, in the item if it fits, in parts otherwise.
 *
 * @param bytes the frame to store, with its checksum
 * @param inParts whether it is too large for the item
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PayloadFit(byte[] bytes, boolean inParts) {

    /** What a checksum covers, which may depend on whether the frame is in parts. */
    interface Coverage {
        Frame.Covered of(Item head, boolean inParts);
    }

    static PayloadFit of(Item head, byte[] plain, Coverage coverage, int maxItemBytes, boolean compression) {
        int headBytes = head.size() + CommitItems.BODY.length();
        int ownerBytes = ItemSize.utf8(head.text(ItemKey.PID));
        int plainUnits = writeUnits(headBytes, plain.length, maxItemBytes, ownerBytes);
        byte[] bytes = plain;
        if (compression && plainUnits > 1 && Frame.mayShrink(plain, bytesInLastUnit(headBytes + plain.length))) {
            byte[] compressed = Frame.deflate(plain);
            if (writeUnits(headBytes, compressed.length, maxItemBytes, ownerBytes) < plainUnits) {
                bytes = compressed;
            }
        }
        boolean inParts = headBytes + bytes.length > maxItemBytes;
        return new PayloadFit(Frame.seal(bytes, coverage.of(head, inParts)), inParts);
    }

    /** By how much an item must shrink to take one write unit less. */
    private static int bytesInLastUnit(int itemBytes) {
        return (itemBytes - 1) % ItemSize.WRITE_UNIT + 1;
    }

    private static int writeUnits(int headBytes, int payloadBytes, int maxItemBytes, int ownerBytes) {
        return headBytes + payloadBytes <= maxItemBytes
                ? ItemSize.writeUnits(headBytes + payloadBytes)
                : 1 + Parts.writeUnits(payloadBytes, maxItemBytes, ownerBytes);
    }
}
