package io.dynajournal.internal.layout.akka2;

import io.dynajournal.internal.layout.GapReporter.Gap;
import io.dynajournal.internal.layout.akka2.Akka2Items.Row;
import io.dynajournal.internal.layout.akka2.Akka2Items.Visibility;
import io.dynajournal.internal.layout.akka2.Akka2Table.WriteState;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Selects the events of a range from the rows of a persistence id in order: without deleted and expired events, incomplete
 * writes, and the atomic write that the end of the range would cut. Pure; not thread-safe.
 */
final class Akka2Walk {

    /**
     * What a page needs to know of the pages before it.
     *
     * @param now the time of the replay in epoch seconds; events that expire during the replay are still returned
     * @param count the number of events so far
     * @param covered every sequence number up to this one is accounted for
     * @param writeEnd the last sequence number of the current atomic write
     * @param writes the states of large writes, by name
     * @param open a row of a large write that was open when it was read, until a row after it is checked
     */
    record State(
            long now,
            long count,
            long covered,
            long writeEnd,
            Map<String, WriteState> writes,
            @Nullable Row open) {

        static State at(long now, long from) {
            return new State(now, 0, from - 1, 0, Map.of(), null);
        }
    }

    /** What to do next. */
    enum Step {
        NEXT,
        /** The range ends before this row. */
        STOP,
        /** Read the state of the row's large write, then take the row again. */
        READ_WRITE_STATE,
        /** This row follows a write that was open when it was read: check that it still is, then take the row again. */
        CHECK_OPEN_WRITE
    }

    private final SeqRange range;
    private final boolean checkExpiry;
    private final String fallbackStore;
    private final long now;
    private final Map<String, WriteState> writes;
    private final List<StoredEvent> events = new ArrayList<>();
    private long count;
    private long covered;
    private long writeEnd;
    private @Nullable Gap gap;
    private @Nullable Row open;
    private boolean cut;
    private boolean finished;

    Akka2Walk(SeqRange range, boolean checkExpiry, String fallbackStore, State state) {
        this.range = range;
        this.checkExpiry = checkExpiry;
        this.fallbackStore = fallbackStore;
        this.now = state.now();
        this.count = state.count();
        this.covered = state.covered();
        this.writeEnd = state.writeEnd();
        this.writes = new HashMap<>(state.writes());
        this.open = state.open();
    }

    Step take(Row row) {
        if (row.seqNr() > range.to()) {
            covered = range.to();
            return stop();
        }
        if (row.write() != null) {
            WriteState own = Akka2Table.writeStateFrom(row, row);
            if (own != null) {
                writes.put(row.write(), own);
            }
            WriteState state = writes.get(row.write());
            if (state == null) {
                return Step.READ_WRITE_STATE;
            }
            if (state != WriteState.COMMITTED) {
                open = state == WriteState.OPEN ? row : open;
                return Step.NEXT;
            }
        }
        Visibility visibility = row.visibility(now, checkExpiry);
        if (open != null && visibility != Visibility.NONE) {
            return Step.CHECK_OPEN_WRITE;
        }
        if (gap == null && row.seqNr() > covered + 1 && !row.isDeletedOrExpiring()) {
            gap = new Gap(covered, row.seqNr());
        }
        if (visibility == Visibility.EVENT && !fits(row)) {
            covered = row.seqNr() - 1;
            cut = true;
            return stop();
        }
        covered = Math.min(row.covered(), range.to());
        if (visibility == Visibility.EVENT) {
            events.add(row.event(fallbackStore));
            count++;
        }
        return Step.NEXT;
    }

    private boolean fits(Row row) {
        if (range.granularity() == SeqRange.Granularity.SINGLE_EVENTS) {
            return count < range.max();
        }
        if (row.seqNr() > writeEnd) {
            // The first event of a write that is left; a delete removes a prefix, so all that follow are stored.
            long last = Math.max(row.last(), row.seqNr());
            if (last > range.to() || last - row.seqNr() >= range.max() - count) {
                return false;
            }
            writeEnd = last;
        }
        return true;
    }

    private Step stop() {
        finished = true;
        return Step.STOP;
    }

    void setWriteState(Row row, WriteState state) {
        if (row.write() != null) {
            writes.put(row.write(), state);
        }
    }

    @Nullable
    Row open() {
        return open;
    }

    /** Skips the open write, because the log continues after it. */
    void skipOpenWrite() {
        open = null;
    }

    boolean isFinished() {
        return finished;
    }

    boolean isCut() {
        return cut;
    }

    long covered() {
        return covered;
    }

    /** The first gap of this page. */
    @Nullable
    Gap gap() {
        return gap;
    }

    List<StoredEvent> events() {
        return List.copyOf(events);
    }

    State state() {
        return new State(now, count, covered, writeEnd, Map.copyOf(writes), open);
    }
}
