package io.dynajournal.layout.akka2;

import io.dynajournal.layout.akka2.Akka2Items.Row;
import io.dynajournal.layout.akka2.Akka2Items.Sight;
import io.dynajournal.layout.akka2.Akka2Table.WriteState;
import io.dynajournal.model.SeqRange;
import io.dynajournal.model.StoredEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Goes over the rows of an id in order and takes the events of a range: without what is deleted, expired or was never
 * finished, and without the atomic write that the range's end cuts. Pure; not thread-safe.
 */
final class Akka2Walk {

    /**
     * What a page has to know of those before it.
     *
     * @param now the time of the replay in seconds: what expires while it runs is still seen
     * @param count how many events there were
     * @param covered the last number that is accounted for
     * @param writeEnd the last number of the atomic write that was begun
     * @param writes what is known of large writes
     * @param open a row of a write that was not finished when it was met, as long as nothing stands behind it
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

    /** Numbers that nothing explains, by their neighbours. */
    record Hole(long before, long after) {}

    /** What to do after a row was looked at. */
    enum Step {
        NEXT,
        /** The range ends here. */
        STOP,
        /** What became of the row's write must be found out first. */
        ASK,
        /** Something stands behind a write that was open when it was met: is it still? */
        ASK_AGAIN
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
    private @Nullable Hole hole;
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
            WriteState told = Akka2Table.stateBy(row, row);
            if (told != null) {
                writes.put(row.write(), told);
            }
            WriteState state = writes.get(row.write());
            if (state == null) {
                return Step.ASK;
            }
            if (state != WriteState.COMMITTED) {
                open = state == WriteState.OPEN ? row : open;
                return Step.NEXT;
            }
        }
        Sight sight = row.sight(now, checkExpiry);
        if (open != null && sight != Sight.NOTHING) {
            return Step.ASK_AGAIN;
        }
        if (hole == null && row.seqNr() > covered + 1 && !row.isMarked()) {
            hole = new Hole(covered, row.seqNr());
        }
        if (sight == Sight.EVENT && !fits(row)) {
            covered = row.seqNr() - 1;
            cut = true;
            return stop();
        }
        covered = Math.min(row.covered(), range.to());
        if (sight == Sight.EVENT) {
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
            // The first of a write that is read; all that follow it are there, whatever a delete has taken before it.
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

    void learn(Row row, WriteState state) {
        if (row.write() != null) {
            writes.put(row.write(), state);
        }
    }

    @Nullable
    Row open() {
        return open;
    }

    /** It was never finished: the log has gone on without it. */
    void passOpen() {
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

    /** The first hole of this page. */
    @Nullable
    Hole hole() {
        return hole;
    }

    List<StoredEvent> events() {
        return List.copyOf(events);
    }

    State state() {
        return new State(now, count, covered, writeEnd, Map.copyOf(writes), open);
    }
}
