package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemSize;
import io.dynajournal.wire.Frame;

/**
 * Decides how a payload is stored: compressed where that saves write units, in the item where it fits, in parts otherwise.
 *
 * @param bytes as they go to the table
 * @param inParts whether they are too large for the item
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PayloadFit(byte[] bytes, boolean inParts) {

    static PayloadFit of(Item head, byte[] plain, int itemSize, boolean compression) {
        int rest = head.size() + CommitItems.BODY.length();
        int owner = ItemSize.utf8(head.text(CommitItems.PID));
        int plainUnits = units(rest, plain.length, itemSize, owner);
        byte[] bytes = plain;
        if (compression && plainUnits > 1 && Frame.mayShrink(plain, overUnit(rest + plain.length))) {
            byte[] packed = Frame.deflate(plain);
            if (units(rest, packed.length, itemSize, owner) < plainUnits) {
                bytes = packed;
            }
        }
        return new PayloadFit(bytes, rest + bytes.length > itemSize);
    }

    /** How far a size reaches into its last write unit: so much shorter, it takes one less. */
    private static int overUnit(int size) {
        return (size - 1) % ItemSize.WRITE_UNIT + 1;
    }

    private static int units(int rest, int length, int itemSize, int owner) {
        return rest + length <= itemSize
                ? ItemSize.writeUnits(rest + length)
                : 1 + Parts.writeUnits(length, itemSize, owner);
    }
}
