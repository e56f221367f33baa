package io.dynajournal.layout.commits;

import io.dynajournal.layout.commits.CommitItems.Entry;
import io.dynajournal.model.SeqRange;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.store.StoreException;
import java.util.ArrayList;
import java.util.List;

/**
 * Goes over the commits of one page in order and picks the events of a range; pure. It knows what a hole is, what a delete
 * means to those below it, and where an atomic write may be cut.
 */
final class CommitWalk {

    /** Any key may come next. */
    private static final long ANY = -1;

    /** Nobody has looked for a floor yet. */
    private static final long UNKNOWN = -1;

    /**
     * What is carried from page to page.
     *
     * @param expected the key that must come next, or {@link #ANY}
     * @param coveredTo the highest number accounted for
     * @param delivered how many events were delivered
     * @param floor up to where commits may have expired and gone, 0 for nowhere, or {@link #UNKNOWN}
     * @param nowSeconds when the replay began: what expires later is still replayed
     */
    record State(long expected, long coveredTo, long delivered, long floor, long nowSeconds) {

        /** At the very start of a log, where the floor stands if there is one; the first key must be 1. */
        static State atStart(long nowSeconds) {
            return new State(1, 0, 0, 0, nowSeconds);
        }

        /** Before an entry somewhere inside the log. */
        static State inside(long nowSeconds) {
            return new State(ANY, 0, 0, UNKNOWN, nowSeconds);
        }

        /** Behind nothing, although the log does not start here. */
        static State behindNothing(long nowSeconds) {
            return new State(1, 0, 0, UNKNOWN, nowSeconds);
        }

        boolean knowsFloor() {
            return floor != UNKNOWN;
        }

        /** The last number of a range that can be needed, if every number is an event. */
        long wanted(SeqRange range) {
            long left = range.max() - delivered;
            return left < range.to() - coveredTo ? coveredTo + left : range.to();
        }

        State withFloor(long number) {
            return new State(expected, coveredTo, delivered, number, nowSeconds);
        }
    }

    private final String persistenceId;
    private final SeqRange range;
    private final List<StoredEvent> events = new ArrayList<>();
    private final long nowSeconds;
    private final long boundary;
    private long expected;
    private long coveredTo;
    private long delivered;
    private long floor;
    private boolean finished;
    private boolean cut;

    /** @throws StoreException.LogMoved if a delete has reached beyond events that were delivered already */
    CommitWalk(String persistenceId, SeqRange range, State state, List<Entry> page) {
        this.persistenceId = persistenceId;
        this.range = range;
        this.nowSeconds = state.nowSeconds();
        this.expected = state.expected();
        this.coveredTo = state.coveredTo();
        this.delivered = state.delivered();
        this.floor = state.floor();
        this.boundary = page.stream()
                .filter(entry -> entry.isBoundary(nowSeconds))
                .mapToLong(Entry::seq)
                .max()
                .orElse(ANY);
        if (boundary != ANY && delivered > 0) {
            throw moved(boundary);
        }
    }

    private StoreException.LogMoved moved(long number) {
        return new StoreException.LogMoved("Events of " + persistenceId + " up to " + number
                + " were deleted while they were being replayed; recover again");
    }

    /** Whether events of this entry are wanted, so that its payload must be at hand for {@link #accept}. */
    boolean wants(Entry entry) {
        return !finished
                && entry.seq() >= boundary
                && !entry.isStub()
                && !entry.isExpired(nowSeconds)
                && entry.end() >= range.from()
                && entry.seq() + entry.skip() <= range.to();
    }

    /** Takes the next entry; one that is not wanted needs no payload. */
    void accept(Entry entry, byte[] frame) {
        check(entry);
        if (wants(entry)) {
            for (List<StoredEvent> write : entry.writes(frame)) {
                deliver(write, Math.max(range.from(), entry.lo()));
            }
        }
        if (entry.isFloor()) {
            floor = entry.end(); // reserved ahead: commits below that number may follow
            expected = ANY;
            return;
        }
        expected = entry.end() + 1;
        coveredTo = Math.max(coveredTo, entry.end());
        finished |= coveredTo >= range.to();
    }

    /** Fails if this entry cannot follow the one before it. */
    void check(Entry entry) {
        if (entry.seq() <= boundary || expected == ANY || entry.seq() == expected) {
            return;
        }
        if (entry.seq() > floor + 1) {
            throw new StoreException.LogDamaged("The log of " + persistenceId + " has a hole: "
                    + (expected == 1 ? "it begins" : "after number " + (expected - 1) + " it goes on")
                    + " with " + entry.seq() + ", and nothing was deleted there. Restore the missing items from a"
                    + " backup, or, if the events before " + entry.seq() + " are not needed, delete up to "
                    + (entry.seq() - 1) + " and recover from a snapshot.");
        }
        if (delivered > 0) {
            throw moved(entry.seq() - 1);
        }
    }

    private void deliver(List<StoredEvent> write, long from) {
        List<StoredEvent> wanted =
                write.stream().filter(event -> event.seqNr() >= from).toList();
        if (wanted.isEmpty() || finished) {
            return;
        }
        long room = Math.min(range.max() - delivered, range.to() - wanted.get(0).seqNr() + 1);
        if (wanted.size() > room) {
            finished = true;
            cut = true;
            wanted = range.granularity() == SeqRange.Granularity.SINGLE_EVENTS
                    ? wanted.subList(0, (int) Math.max(0, room))
                    : List.of();
        }
        events.addAll(wanted);
        delivered += wanted.size();
    }

    boolean isFinished() {
        return finished;
    }

    boolean isCut() {
        return cut;
    }

    List<StoredEvent> events() {
        return events;
    }

    /** @param atEnd whether no entry follows: then the floor stands for all that is gone */
    long coveredTo(boolean atEnd) {
        return atEnd ? Math.max(coveredTo, floor) : coveredTo;
    }

    State state() {
        return new State(expected, coveredTo, delivered, floor, nowSeconds);
    }
}
