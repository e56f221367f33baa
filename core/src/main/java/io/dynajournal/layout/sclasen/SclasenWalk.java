package io.dynajournal.layout.sclasen;

import io.dynajournal.layout.Holes;
import io.dynajournal.layout.sclasen.SclasenItems.Entry;
import io.dynajournal.model.SeqRange;
import io.dynajournal.model.SeqRange.Granularity;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.store.EventPage;
import java.util.ArrayList;
import java.util.List;

/** Makes one page of what a cursor holds: passes over stubs, deleted events and holes, and stops where the range ends. */
final class SclasenWalk {

    private static final long PAGE_BYTES = 1 << 20;

    private final String persistenceId;
    private final SeqRange range;
    private final SclasenCursor cursor;
    private final long last;
    private final Holes holes;
    private final List<StoredEvent> events = new ArrayList<>();
    private long next;
    private long delivered;
    private boolean begun;
    private boolean cut;

    SclasenWalk(String persistenceId, SeqRange range, SclasenCursor cursor, Holes holes) {
        this.persistenceId = persistenceId;
        this.range = range;
        this.cursor = cursor;
        this.last = Math.min(cursor.end(), range.to());
        this.next = cursor.next();
        this.delivered = cursor.delivered();
        this.holes = holes;
        this.begun = cursor.begun();
    }

    EventPage page() {
        List<Entry> entries = cursor.entries();
        long bytes = 0;
        int walked = 0;
        while (walked < entries.size() && bytes < PAGE_BYTES) {
            Entry entry = entries.get(walked);
            if (entry.seqNr() > last) {
                break;
            }
            StoredEvent event = entry.event(persistenceId);
            if (event != null && isCutAt(entry)) {
                cut = true;
                break;
            }
            missing(next, entry.seqNr() - 1);
            if (event != null) {
                events.add(event);
                delivered++;
                bytes += entry.payloadSize();
            }
            next = entry.seqNr() + 1;
            begun = true;
            walked++;
        }
        List<Entry> rest = entries.subList(walked, entries.size());
        if (!cut && (rest.isEmpty() || rest.get(0).seqNr() > last)) {
            long looked = Math.min(cursor.readTo(), last);
            missing(next, looked);
            next = Math.max(next, looked + 1);
        }
        boolean more = !cut && next <= last;
        boolean cutHere = cut || (!more && range.to() < cursor.end());
        return new EventPage(events, Math.min(next - 1, cursor.end()), cutHere, more ? rest(rest) : null);
    }

    private SclasenCursor rest(List<Entry> entries) {
        return new SclasenCursor(next, cursor.end(), entries, cursor.readTo(), delivered, cursor.window(), begun);
    }

    /** Whether the range ends before this event, or inside of the atomic write that it belongs to. */
    private boolean isCutAt(Entry entry) {
        long left = range.max() - delivered;
        if (range.granularity() == Granularity.SINGLE_EVENTS) {
            return left < 1;
        }
        long writeEnd = entry.writeEnd();
        return writeEnd > range.to() || writeEnd - entry.seqNr() + 1 > left;
    }

    /** Before the first item, missing numbers are deleted ones. */
    private void missing(long from, long to) {
        if (from <= to && begun) {
            holes.found(persistenceId, from - 1, to + 1);
        }
    }
}
