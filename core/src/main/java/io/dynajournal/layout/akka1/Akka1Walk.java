package io.dynajournal.layout.akka1;

import io.dynajournal.layout.akka1.Akka1Items.Entry;
import io.dynajournal.model.SeqRange;
import io.dynajournal.model.StoredEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes over the items of a log in order and gives the events of a range: atomic writes that are whole, and no others. Pure.
 *
 * <p>A write is whole when each of its numbers that may still be read is there, with the same bounds and the same writer.
 * Members below the low mark have been deleted and are not missed: the predecessor misses them, and loses the rest.
 */
final class Akka1Walk {

    /** Numbers that nothing explains, by their neighbours. */
    record Hole(long before, long after) {}

    /** No number is missing. */
    static final long NOTHING = Long.MAX_VALUE;

    private final String persistenceId;
    private final SeqRange range;
    private final Akka1Cursor at;
    private final List<StoredEvent> events = new ArrayList<>();
    private List<Entry> open;
    private long covered;
    private long delivered;
    private boolean cut;
    private @Nullable Hole hole;
    private long firstMissing = NOTHING;

    Akka1Walk(String persistenceId, SeqRange range, Akka1Cursor at) {
        this.persistenceId = persistenceId;
        this.range = range;
        this.at = at;
        this.open = new ArrayList<>(at.open());
        this.covered = at.covered();
        this.delivered = at.delivered();
    }

    List<StoredEvent> events() {
        return events;
    }

    long covered() {
        return covered;
    }

    /** Whether the range's upper end or count was met. */
    boolean isCut() {
        return cut;
    }

    /** The first number that is not there, be it in a hole or in a write that was not finished. */
    long firstMissing() {
        return firstMissing;
    }

    /** The first hole that was met. */
    @Nullable
    Hole hole() {
        return hole;
    }

    /** How far to read: for single events a write that the upper end cuts must be seen to its end to be known whole. */
    long limit() {
        long to = Math.min(range.to(), at.end());
        return range.granularity() == SeqRange.Granularity.SINGLE_EVENTS && !open.isEmpty()
                ? Math.max(to, Math.min(open.get(0).last(), at.end()))
                : to;
    }

    /** How many events may still be handed out. */
    long room() {
        return range.max() - delivered;
    }

    Akka1Cursor next(long next, boolean large) {
        return new Akka1Cursor(at.lowest(), at.end(), next, List.of(), open, covered, delivered, large);
    }

    void take(List<Entry> entries) {
        for (Entry entry : entries) {
            if (cut || entry.seqNr() > at.end()) {
                return;
            }
            take(entry);
        }
    }

    private void take(Entry entry) {
        if (!open.isEmpty() && !goesOn(entry)) {
            drop(entry.seqNr() - 1);
        }
        if (entry.seqNr() > range.to() && open.isEmpty()) {
            cut = true;
            return;
        }
        if (entry.seqNr() > covered + 1) {
            missing(covered + 1, entry.seqNr() - 1);
        }
        covered = Math.max(covered, entry.seqNr());
        if (entry.isReservation()) {
            covered = Math.max(covered, entry.last() - 1);
        } else if (entry.isAlone()) {
            give(List.of(entry));
        } else if (!open.isEmpty() || entry.seqNr() == Math.max(entry.first(), at.lowest())) {
            open.add(entry);
            if (entry.seqNr() == entry.last()) {
                List<Entry> whole = open;
                open = new ArrayList<>();
                give(whole);
            }
        }
        // Otherwise a member of a write whose beginning is not there: half-written, never acknowledged.
    }

    private boolean goesOn(Entry entry) {
        Entry before = open.get(open.size() - 1);
        return entry.seqNr() == before.seqNr() + 1 && entry.isWith(before);
    }

    /** Accounts for what was never finished, and for the numbers its writer had set aside. */
    private void drop(long to) {
        firstMissing = Math.min(firstMissing, open.get(open.size() - 1).seqNr() + 1);
        covered = Math.max(covered, Math.min(to, open.get(0).last() - 1));
        open = new ArrayList<>();
    }

    /** Called when nothing more comes. */
    void finish() {
        if (!open.isEmpty()) {
            drop(at.end());
        }
        cut |= range.to() < at.end();
        if (!cut && covered < at.end()) {
            missing(covered + 1, at.end());
            covered = at.end();
        }
    }

    private void missing(long from, long to) {
        firstMissing = Math.min(firstMissing, from);
        if (hole == null) {
            hole = new Hole(from - 1, to + 1);
        }
    }

    private void give(List<Entry> write) {
        boolean whole = range.granularity() == SeqRange.Granularity.WHOLE_WRITES;
        List<Entry> wanted = write.stream()
                .filter(entry -> entry.seqNr() >= range.from())
                .filter(entry -> whole || entry.seqNr() <= range.to())
                .toList();
        boolean beyond = write.get(write.size() - 1).seqNr() > range.to();
        boolean tooMany = wanted.size() > range.max() - delivered;
        cut = beyond || tooMany;
        if (whole && cut) {
            return;
        }
        long room = Math.min(wanted.size(), range.max() - delivered);
        wanted.stream().limit(room).forEach(entry -> events.add(entry.event(persistenceId)));
        delivered += room;
        cut |= delivered >= range.max();
    }
}
