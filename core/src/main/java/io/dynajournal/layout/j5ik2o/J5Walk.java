package io.dynajournal.layout.j5ik2o;

import io.dynajournal.layout.Holes;
import io.dynajournal.layout.j5ik2o.J5Items.Entry;
import io.dynajournal.model.SeqRange;
import io.dynajournal.model.SeqRange.Granularity;
import io.dynajournal.model.StoredEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * Goes over rows in order and takes the events of a range. What is missing before the first row was deleted; behind it, it is
 * a hole that nothing explains.
 */
final class J5Walk {

    /**
     * What the rows so far have told.
     *
     * @param covered the last number that a row accounts for
     * @param taken how many events were handed over
     * @param begun whether there was a row; what is missing before the first was deleted
     */
    record State(long covered, long taken, boolean begun) {
        static State before(long from) {
            return new State(from - 1, 0, false);
        }
    }

    private final String persistenceId;
    private final SeqRange range;
    private final J5Items items;
    private final Holes holes;
    private final List<StoredEvent> events = new ArrayList<>();
    private State state;
    private boolean cut;

    J5Walk(String persistenceId, SeqRange range, J5Items items, Holes holes, State state) {
        this.persistenceId = persistenceId;
        this.range = range;
        this.items = items;
        this.holes = holes;
        this.state = state;
    }

    void accept(Entry entry) {
        if (entry.seqNr() > range.to()) {
            cut = true;
            return;
        }
        if (state.begun() && entry.seqNr() > state.covered() + 1) {
            holes.found(persistenceId, state.covered(), entry.seqNr());
        }
        if (entry.deleted()) {
            passDeleted(entry);
        } else if (isCut(entry)) {
            cut = true;
            return;
        } else {
            events.add(items.stored(entry));
        }
        state = new State(
                Math.max(entry.seqNr(), Math.min(entry.skipTo(), range.to())),
                state.taken() + (entry.deleted() ? 0 : 1),
                true);
        cut = state.taken() >= range.max();
    }

    /** Deletes go upwards in batches; one that was cut short inside a batch may have left rows below. */
    private void passDeleted(Entry entry) {
        if (!entry.isSkip() && !events.isEmpty()) {
            state = new State(state.covered(), state.taken() - events.size(), state.begun());
            events.clear();
        }
    }

    private boolean isCut(Entry entry) {
        if (range.granularity() == Granularity.SINGLE_EVENTS) {
            return false;
        }
        // Once the first event of a write has been taken, all of it fits.
        return entry.batchEnd() > range.to() || entry.batchEnd() - entry.seqNr() + 1 > range.max() - state.taken();
    }

    boolean isFinished() {
        return cut;
    }

    List<StoredEvent> events() {
        return List.copyOf(events);
    }

    State state() {
        return state;
    }
}
