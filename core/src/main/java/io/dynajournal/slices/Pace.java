package io.dynajournal.slices;

import java.time.Duration;

/**
 * How often a partition is looked at: soon after something happened there, less and less while nothing does.
 *
 * @param refresh the pace of a partition in which nothing has happened for a while
 * @param idleRefresh the pace of one in which nothing has happened for minutes
 */
public record Pace(Duration refresh, Duration idleRefresh) {

    /** Of the refresh interval: the shortest time between two looks. */
    private static final int SHORTEST = 120;

    /** Of the refresh interval: the time between two looks while each of them finds something. */
    private static final int BUSY = 30;

    /** Of the refresh interval: how soon a look that found something is followed by another. */
    private static final int AFTER_ROWS = 8;

    /** In refresh intervals: how long nothing must have happened before the pace is halved. */
    private static final int CALM = 20;

    public Pace {
        if (refresh.toNanos() / 1000 < SHORTEST) {
            throw new IllegalArgumentException("refresh-interval must be a millisecond or more, not " + refresh);
        }
        if (idleRefresh.compareTo(refresh) < 0) {
            throw new IllegalArgumentException("idle-refresh-interval must not be shorter than refresh-interval ("
                    + refresh + "), but is " + idleRefresh);
        }
    }

    long refreshMicros() {
        return refresh.toNanos() / 1000;
    }

    private long idleMicros() {
        return idleRefresh.toNanos() / 1000;
    }

    /** The least time between two looks. */
    long gap(boolean foundSomething) {
        return refreshMicros() / (foundSomething ? BUSY : SHORTEST);
    }

    /** Since when nothing has happened, if rows were found now: they may be the first of several. */
    long sinceRows(long now) {
        return now - refreshMicros() / AFTER_ROWS;
    }

    /**
     * When to look next. From the refresh interval on these are fixed ticks of the clock, so that several readers of a
     * partition look at the same time and share what they see.
     *
     * @param since since when nothing has happened
     */
    public long next(long now, long since) {
        long calm = Math.max(0, now - since);
        long refreshMicros = refreshMicros();
        if (calm < refreshMicros) {
            return now + Math.max(calm, gap(false));
        }
        long tick = refreshMicros;
        for (long limit = CALM * refreshMicros; calm >= limit && tick * 2 <= idleMicros(); limit *= 2) {
            tick *= 2;
        }
        return (now / tick + 1) * tick;
    }
}
