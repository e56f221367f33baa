package io.dynajournal.internal.layout.commits;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.layout.commits.CommitItems.Entry;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * Selects the events of a range from one page of the log; pure. It decides what a gap is, what a delete hides, and where an
 * atomic write may be cut.
 */
final class CommitWalk {

    /** Instead of a key: any key may follow, or there is none. */
    private static final long ANY = -1;

    /** Instead of the floor: it has not been read. */
    private static final long UNKNOWN = -1;

    /**
     * What is carried from page to page.
     *
     * @param expectedKey the key that must follow, or {@link #ANY}
     * @param coveredTo the highest sequence number that is accounted for
     * @param delivered how many events were delivered
     * @param floor the highest sequence number that may have expired; 0 for none, or {@link #UNKNOWN}
     * @param nowSeconds when the replay began: what expires later is still replayed
     */
    record State(long expectedKey, long coveredTo, long delivered, long floor, long nowSeconds) {

        /** At the start of a log. The first key is 1, unless a floor precedes it. */
        static State atStart(long nowSeconds) {
            return new State(1, 0, 0, 0, nowSeconds);
        }

        /** Before an entry inside a log. */
        static State inside(long nowSeconds) {
            return new State(ANY, 0, 0, UNKNOWN, nowSeconds);
        }

        /** Inside a log of which nothing precedes this position, although something should. */
        static State withoutPredecessor(long nowSeconds) {
            return new State(1, 0, 0, UNKNOWN, nowSeconds);
        }

        boolean isFloorKnown() {
            return floor != UNKNOWN;
        }

        /** The last sequence number of a range that is needed if each one is an event. */
        long lastWanted(SeqRange range) {
            long left = range.max() - delivered;
            return left < range.to() - coveredTo ? coveredTo + left : range.to();
        }

        State withFloor(long seqNr) {
            return new State(expectedKey, coveredTo, delivered, seqNr, nowSeconds);
        }
    }

    private final String table;
    private final String persistenceId;
    private final SeqRange range;
    private final List<StoredEvent> events = new ArrayList<>();
    private final long nowSeconds;

    /** The key of the highest entry in this page before which nothing is replayed, or {@link #ANY}. */
    private final long deleteBoundary;

    private long expectedKey;
    private long coveredTo;
    private long delivered;
    private long floor;
    private boolean finished;
    private boolean cut;

    /** @throws StoreException.LogMoved if a delete has passed events that were already delivered */
    CommitWalk(String table, String persistenceId, SeqRange range, State state, List<Entry> page) {
        this.table = table;
        this.persistenceId = persistenceId;
        this.range = range;
        this.nowSeconds = state.nowSeconds();
        this.expectedKey = state.expectedKey();
        this.coveredTo = state.coveredTo();
        this.delivered = state.delivered();
        this.floor = state.floor();
        this.deleteBoundary = page.stream()
                .filter(entry -> entry.isDeleteBoundary(nowSeconds))
                .mapToLong(Entry::key)
                .max()
                .orElse(ANY);
        if (deleteBoundary != ANY && delivered > 0) {
            throw deletedDuringReplay(deleteBoundary);
        }
    }

    private StoreException.LogMoved deletedDuringReplay(long seqNr) {
        return new StoreException.LogMoved("Table " + table + ": events of " + persistenceId + " up to sequence number "
                + seqNr + " were deleted during the replay. The log is intact; recover again.");
    }

    /** Whether events of this entry are needed, so that {@link #accept} must be given its frame. */
    boolean wants(Entry entry) {
        return !finished
                && entry.key() >= deleteBoundary
                && !entry.isTombstone()
                && !entry.isExpired(nowSeconds)
                && entry.end() >= range.from()
                && entry.key() + entry.skipped() <= range.to();
    }

    /** Takes the next entry. The frame is ignored if the entry is not wanted. */
    void accept(Entry entry, byte[] frame) {
        check(entry);
        if (wants(entry)) {
            for (List<StoredEvent> write : entry.writes(frame)) {
                deliver(write, Math.max(range.from(), entry.lowestSeqNr()));
            }
        }
        if (entry.isFloor()) {
            // May be above the end of the log. What follows it begins at 1, or at most one above it.
            floor = entry.end();
            expectedKey = 1;
            return;
        }
        expectedKey = entry.end() + 1;
        coveredTo = Math.max(coveredTo, entry.end());
        finished |= coveredTo >= range.to();
    }

    /** Fails if this entry cannot follow the one before it. */
    void check(Entry entry) {
        if (entry.key() <= deleteBoundary || expectedKey == ANY || entry.key() == expectedKey) {
            return;
        }
        if (entry.key() > floor + 1) {
            throw gapBefore(entry);
        }
        if (delivered > 0) {
            throw deletedDuringReplay(entry.key() - 1);
        }
    }

    private StoreException.LogDamaged gapBefore(Entry entry) {
        long next = entry.key();
        return new StoreException.LogDamaged("Table " + table + ": the log of " + persistenceId + " has a gap: "
                + (expectedKey == 1 ? "at its start" : "after sequence number " + (expectedKey - 1))
                + " expected sequence number " + expectedKey + ", found " + next + ", and no delete explains it. "
                + "Nothing was changed. Restore the missing items from a backup; or recover from a snapshot at "
                + next + " or later, which needs no event before it.");
    }

    private void deliver(List<StoredEvent> write, long fromSeqNr) {
        List<StoredEvent> wanted =
                write.stream().filter(event -> event.seqNr() >= fromSeqNr).toList();
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

    /** Whether an upper limit of the range ended the walk. */
    boolean isCut() {
        return cut;
    }

    List<StoredEvent> events() {
        return events;
    }

    /** @param atEnd whether no entry follows: then the floor accounts for commits that have expired */
    long coveredTo(boolean atEnd) {
        return atEnd ? Math.max(coveredTo, floor) : coveredTo;
    }

    State state() {
        return new State(expectedKey, coveredTo, delivered, floor, nowSeconds);
    }
}
