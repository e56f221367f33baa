package io.dynajournal.internal.layout.sclasen;

import io.dynajournal.internal.layout.GapReporter;
import io.dynajournal.internal.layout.sclasen.SclasenItems.Entry;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SeqRange.Granularity;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventPage;
import java.util.ArrayList;
import java.util.List;

/** Selects the events of one page: skips deleted events, items without an event and gaps, and stops at the end of the range. */
final class SclasenWalk {

    private static final long PAGE_BYTES = 1 << 20;

    private final String persistenceId;
    private final SeqRange range;
    private final SclasenCursor cursor;
    private final long last;
    private final GapReporter gaps;
    private final List<StoredEvent> events = new ArrayList<>();
    private long next;
    private long delivered;
    private boolean begun;
    private boolean cut;

    SclasenWalk(String persistenceId, SeqRange range, SclasenCursor cursor, GapReporter gaps) {
        this.persistenceId = persistenceId;
        this.range = range;
        this.cursor = cursor;
        this.last = Math.min(cursor.end(), range.to());
        this.next = cursor.next();
        this.delivered = cursor.delivered();
        this.gaps = gaps;
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
            long readTo = Math.min(cursor.readTo(), last);
            missing(next, readTo);
            next = Math.max(next, readTo + 1);
        }
        boolean more = !cut && next <= last;
        boolean cutHere = cut || (!more && range.to() < cursor.end());
        return new EventPage(events, Math.min(next - 1, cursor.end()), cutHere, more ? rest(rest) : null);
    }

    private SclasenCursor rest(List<Entry> entries) {
        return new SclasenCursor(next, cursor.end(), entries, cursor.readTo(), delivered, cursor.window(), begun);
    }

    /** Whether the range ends before this event, or inside its atomic write. */
    private boolean isCutAt(Entry entry) {
        long left = range.max() - delivered;
        if (range.granularity() == Granularity.SINGLE_EVENTS) {
            return left < 1;
        }
        long writeEnd = entry.writeEnd();
        return writeEnd > range.to() || writeEnd - entry.seqNr() + 1 > left;
    }

    /** Sequence numbers missing before the first item were deleted. */
    private void missing(long from, long to) {
        if (from <= to && begun) {
            gaps.found(persistenceId, from - 1, to + 1);
        }
    }
}
