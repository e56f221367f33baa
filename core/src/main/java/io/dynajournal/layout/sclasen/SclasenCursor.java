package io.dynajournal.layout.sclasen;

import io.dynajournal.layout.sclasen.SclasenItems.Entry;
import io.dynajournal.store.PageToken;
import java.util.List;

/**
 * How far a replay has come.
 *
 * @param next the first number that has not been looked at
 * @param end where the log ends
 * @param entries read from the table, not yet looked at, in order
 * @param readTo up to which number the table has been read
 * @param delivered how many events were handed out
 * @param window how many numbers to read at once
 * @param begun whether there was an item already; what is missing before the first was deleted
 */
record SclasenCursor(long next, long end, List<Entry> entries, long readTo, long delivered, int window, boolean begun)
        implements PageToken {

    /** With what was read further on. */
    SclasenCursor read(List<Entry> more, long to, int nextWindow) {
        return new SclasenCursor(next, end, more, to, delivered, nextWindow, begun);
    }

    @Override
    public long heldBytes() {
        return entries.stream().mapToLong(Entry::payloadSize).sum();
    }
}
