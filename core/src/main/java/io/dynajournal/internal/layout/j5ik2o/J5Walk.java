package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.layout.GapReporter;
import io.dynajournal.internal.layout.j5ik2o.J5Items.Entry;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SeqRange.Granularity;
import io.dynajournal.internal.model.StoredEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * Selects the events of a range from rows in order. Sequence numbers missing before the first row were deleted; those missing
 * after it are a gap.
 */
final class J5Walk {

    /**
     * What is known from the rows so far.
     *
     * @param covered every sequence number up to this one is accounted for
     * @param taken the number of events selected so far
     * @param begun whether a row was found; sequence numbers missing before the first one count as deleted
     */
    record State(long covered, long taken, boolean begun) {
        static State before(long from) {
            return new State(from - 1, 0, false);
        }
    }

    private final String persistenceId;
    private final SeqRange range;
    private final J5Items items;
    private final GapReporter gaps;
    private final List<StoredEvent> events = new ArrayList<>();
    private State state;
    private boolean cut;

    J5Walk(String persistenceId, SeqRange range, J5Items items, GapReporter gaps, State state) {
        this.persistenceId = persistenceId;
        this.range = range;
        this.items = items;
        this.gaps = gaps;
        this.state = state;
    }

    void accept(Entry entry) {
        if (entry.seqNr() > range.to()) {
            cut = true;
            return;
        }
        if (state.begun() && entry.seqNr() <= state.covered() && !entry.deleted()) {
            // The same sequence number under another key: a delete of the predecessor's marks a copy under its present
            // keys.
            return;
        }
        if (state.begun() && entry.seqNr() > state.covered() + 1) {
            gaps.found(persistenceId, state.covered(), entry.seqNr());
        }
        if (entry.deleted()) {
            dropEventsBefore(entry);
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

    /** Deletes mark rows in batches from the lowest; one that failed inside a batch may have left lower rows. */
    private void dropEventsBefore(Entry deleted) {
        if (!deleted.isTombstoneOfRejected() && !events.isEmpty()) {
            state = new State(state.covered(), state.taken() - events.size(), state.begun());
            events.clear();
        }
    }

    private boolean isCut(Entry entry) {
        if (range.granularity() == Granularity.SINGLE_EVENTS) {
            return false;
        }
        // If the first event of a write is selected, the whole write fits.
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
