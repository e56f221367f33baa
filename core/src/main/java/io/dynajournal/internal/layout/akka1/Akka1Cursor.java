package io.dynajournal.internal.layout.akka1;

import io.dynajournal.internal.layout.akka1.Akka1Items.Entry;
import io.dynajournal.internal.store.PageToken;
import java.util.List;

/**
 * The position of a read.
 *
 * @param lowest the lowest sequence number that may be read, by the low marks
 * @param end the last sequence number of the log when the read began
 * @param next the first sequence number that has not been requested
 * @param held items that were read and not processed yet
 * @param open the first events of an atomic write whose other events have not been read yet
 * @param covered every sequence number up to this one is accounted for
 * @param counted the number of events that count towards the maximum so far
 * @param large whether a partition took several pages; the following ones are then not read ahead
 */
record Akka1Cursor(
        long lowest, long end, long next, List<Entry> held, List<Entry> open, long covered, long counted, boolean large)
        implements PageToken {

    Akka1Cursor {
        held = List.copyOf(held);
        open = List.copyOf(open);
    }

    /** The position at the start of a read, with the first items. */
    static Akka1Cursor start(long lowest, long end, long start, long next, List<Entry> held) {
        return new Akka1Cursor(lowest, end, next, held, List.of(), start - 1, 0, false);
    }

    @Override
    public long heldBytes() {
        return held.stream().mapToLong(entry -> entry.item().size()).sum();
    }
}
