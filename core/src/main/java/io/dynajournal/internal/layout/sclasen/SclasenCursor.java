package io.dynajournal.internal.layout.sclasen;

import io.dynajournal.internal.layout.sclasen.SclasenItems.Entry;
import io.dynajournal.internal.store.PageToken;
import java.util.List;

/**
 * The position of a replay.
 *
 * @param next the first sequence number that has not been processed
 * @param end the last sequence number of the log
 * @param entries items that were read and not processed yet, in order
 * @param readTo the last sequence number that has been read
 * @param delivered the number of events delivered so far
 * @param window how many sequence numbers to read with one request
 * @param begun whether an item was found; sequence numbers missing before the first one count as deleted
 */
record SclasenCursor(long next, long end, List<Entry> entries, long readTo, long delivered, int window, boolean begun)
        implements PageToken {

    /** The position after a further read. */
    SclasenCursor read(List<Entry> more, long to, int nextWindow) {
        return new SclasenCursor(next, end, more, to, delivered, nextWindow, begun);
    }

    @Override
    public long heldBytes() {
        return entries.stream().mapToLong(Entry::payloadSize).sum();
    }
}
