package io.dynajournal.layout.akka1;

import io.dynajournal.layout.akka1.Akka1Items.Entry;
import io.dynajournal.store.PageToken;
import java.util.List;

/**
 * Where reading goes on.
 *
 * @param lowest the first number that may be read, by the low marks
 * @param end the last number of the log when reading began
 * @param next the first number that has not been asked for
 * @param held what has been read and not looked at
 * @param open the first members of an atomic write whose others have not come yet
 * @param covered the last number that is accounted for
 * @param delivered how many events have been handed out
 * @param large whether a partition took several pages, so that those behind it are not read with it
 */
record Akka1Cursor(
        long lowest,
        long end,
        long next,
        List<Entry> held,
        List<Entry> open,
        long covered,
        long delivered,
        boolean large)
        implements PageToken {

    Akka1Cursor {
        held = List.copyOf(held);
        open = List.copyOf(open);
    }

    /** At the beginning, with the first items. */
    static Akka1Cursor start(long lowest, long end, long start, long next, List<Entry> held) {
        return new Akka1Cursor(lowest, end, next, held, List.of(), start - 1, 0, false);
    }

    @Override
    public long heldBytes() {
        return held.stream().mapToLong(entry -> entry.item().size()).sum();
    }
}
