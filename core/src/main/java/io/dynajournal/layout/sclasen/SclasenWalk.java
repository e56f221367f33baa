package io.dynajournal.layout.sclasen;

import io.dynajournal.layout.sclasen.SclasenCursor.Holes;
import io.dynajournal.layout.sclasen.SclasenItems.Entry;
import io.dynajournal.model.SeqRange;
import io.dynajournal.model.SeqRange.Granularity;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.store.EventPage;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes one page of what a cursor holds: passes over stubs, deleted events and holes, and stops where the range ends. */
final class SclasenWalk {

    private static final Logger log = LoggerFactory.getLogger(SclasenWalk.class);
    private static final long PAGE_BYTES = 1 << 20;

    private final String persistenceId;
    private final SeqRange range;
    private final SclasenCursor cursor;
    private final long last;
    private final List<StoredEvent> events = new ArrayList<>();
    private long next;
    private long delivered;
    private Holes holes;
    private boolean cut;

    SclasenWalk(String persistenceId, SeqRange range, SclasenCursor cursor) {
        this.persistenceId = persistenceId;
        this.range = range;
        this.cursor = cursor;
        this.last = Math.min(cursor.end(), range.to());
        this.next = cursor.next();
        this.delivered = cursor.delivered();
        this.holes = cursor.holes();
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
            holes = holes == Holes.NO_EVENT_YET ? Holes.NONE : holes;
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
        return new SclasenCursor(next, cursor.end(), entries, cursor.readTo(), delivered, cursor.window(), holes);
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

    /** Before the first event, missing numbers are deleted ones. */
    private void missing(long from, long to) {
        if (from <= to && holes == Holes.NONE) {
            log.warn(
                    "Numbers {} to {} of {} are missing; the replay goes on behind them. Further holes are not reported.",
                    from,
                    to,
                    persistenceId);
            holes = Holes.REPORTED;
        }
    }
}
