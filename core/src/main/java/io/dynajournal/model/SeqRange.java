package io.dynajournal.model;

/**
 * Which events to read.
 *
 * @param from the first number, 1 or more; it may lie inside an atomic write
 * @param to the last number, inclusive
 * @param max how many events at most
 * @param granularity what happens to an atomic write that {@code to} or {@code max} cuts
 */
public record SeqRange(long from, long to, long max, Granularity granularity) {

    /** Whether an atomic write is seen whole or not at all at the upper end of a range. */
    public enum Granularity {
        /** The count is taken first, then a write that is cut is left out: fewer than {@code max} may arrive. */
        WHOLE_WRITES,
        /** Every event stands alone, as queries by id want it. */
        SINGLE_EVENTS
    }

    public SeqRange {
        if (from < 1) {
            throw new IllegalArgumentException("a range starts at 1 or later, not at " + from);
        }
    }

    /** What a recovery asks for. */
    public static SeqRange wholeWrites(long from, long to, long max) {
        return new SeqRange(from, to, max, Granularity.WHOLE_WRITES);
    }

    /** What a query by id asks for. */
    public static SeqRange singleEvents(long from, long to, long max) {
        return new SeqRange(from, to, max, Granularity.SINGLE_EVENTS);
    }

    public boolean isEmpty() {
        return from > to || max <= 0;
    }
}
