package io.dynajournal.internal.model;

/**
 * Which events to read.
 *
 * @param from the first sequence number, 1 or more; it may be inside an atomic write
 * @param to the last sequence number, inclusive
 * @param max the maximum number of events
 * @param granularity what happens to an atomic write that {@code to} or {@code max} cuts
 */
public record SeqRange(long from, long to, long max, Granularity granularity) {

    /** Whether an atomic write at the upper end of a range may be cut. */
    public enum Granularity {
        /** A write that would be cut is left out, so fewer than {@code max} events may be read. */
        WHOLE_WRITES,
        /** A write may be cut, as queries by persistence id require. */
        SINGLE_EVENTS
    }

    public SeqRange {
        if (from < 1) {
            throw new IllegalArgumentException(
                    "A range of events starts at sequence number 1 or higher, not at " + from + ".");
        }
    }

    /** The range of a recovery. */
    public static SeqRange wholeWrites(long from, long to, long max) {
        return new SeqRange(from, to, max, Granularity.WHOLE_WRITES);
    }

    /** The range of a query by persistence id. */
    public static SeqRange singleEvents(long from, long to, long max) {
        return new SeqRange(from, to, max, Granularity.SINGLE_EVENTS);
    }

    public boolean isEmpty() {
        return from > to || max <= 0;
    }
}
