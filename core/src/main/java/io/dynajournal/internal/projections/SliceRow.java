package io.dynajournal.internal.projections;

import java.util.HashMap;
import java.util.Map;

/**
 * The row of a slice: its newest event that was projected.
 *
 * @param micros the time of that event; 0 if there is none
 * @param seen the sequence numbers that were projected of exactly that time
 * @param generation increased when the offset is set or cleared. Rows of entities with a lower one count as absent, so that
 *     none has to be deleted
 * @param baseline the time that the offset was set to: events before it are not projected; 0 if it never was
 * @param progress of the ranges that begin with this slice, by their last slice; empty if there is none. Those of wider
 *     ranges stay after a split, because the other parts of the range may not have started yet
 */
public record SliceRow(
        long micros, Map<String, Long> seen, long generation, long baseline, Map<Integer, Progress> progress) {

    public static final SliceRow NONE = new SliceRow(0, Map.of(), 0, 0, Map.of());

    /**
     * How far all slices of a range were projected, with or without events.
     *
     * @param micros a query from this time on skips nothing
     * @param generation the highest of the slices; it does not apply to slices whose offset was set later
     * @param horizon layout {@code packed}: entities whose last event is before this time are not known any more. {@link
     *     #ENTITIES} with a row per entity
     */
    public record Progress(long micros, long generation, long horizon) {

        public static final long ENTITIES = -1;

        public boolean isPacked() {
            return horizon != ENTITIES;
        }
    }

    public SliceRow {
        seen = Map.copyOf(seen);
        progress = Map.copyOf(progress);
    }

    public SliceRow with(Position stored) {
        if (stored.micros() < micros) {
            return this;
        }
        Map<String, Long> now = new HashMap<>(stored.micros() == micros ? seen : Map.of());
        now.merge(stored.persistenceId(), stored.seqNr(), Math::max);
        return new SliceRow(stored.micros(), now, generation, baseline, progress);
    }

    /** Events before a time are not projected if nothing is known of their entity. */
    public SliceRow forgetting(long horizonMicros) {
        return new SliceRow(micros, seen, generation, Math.max(baseline, horizonMicros), progress);
    }

    public SliceRow with(int last, Progress made) {
        Map<Integer, Progress> now = new HashMap<>(progress);
        now.put(last, made);
        return new SliceRow(micros, seen, generation, baseline, now);
    }
}
