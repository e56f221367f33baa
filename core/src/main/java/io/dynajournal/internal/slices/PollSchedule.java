package io.dynajournal.internal.slices;

import java.time.Duration;

/**
 * How often a partition is polled: soon after rows or a wake-up, and less often the longer it is quiet.
 *
 * @param refresh the poll interval of a quiet partition
 * @param idleRefresh the poll interval of a partition that has been quiet for minutes
 */
public record PollSchedule(Duration refresh, Duration idleRefresh) {

    /** The shortest poll interval is the refresh interval divided by this. */
    private static final int MIN_INTERVAL_DIVISOR = 120;

    /** While each poll returns rows, the poll interval is the refresh interval divided by this. */
    private static final int BUSY_INTERVAL_DIVISOR = 30;

    /** After rows, the next poll follows within the refresh interval divided by this. */
    private static final int AFTER_ROWS_DIVISOR = 8;

    /** After this many quiet refresh intervals the poll interval doubles. */
    private static final int QUIET_INTERVALS = 20;

    public PollSchedule {
        if (refresh.toNanos() / 1000 < MIN_INTERVAL_DIVISOR) {
            throw new IllegalArgumentException("refresh-interval must be a millisecond or more, but is " + refresh);
        }
        if (idleRefresh.compareTo(refresh) < 0) {
            throw new IllegalArgumentException("idle-refresh-interval must not be shorter than the refresh-interval of "
                    + refresh + ", but is " + idleRefresh);
        }
    }

    long refreshMicros() {
        return refresh.toNanos() / 1000;
    }

    private long idleRefreshMicros() {
        return idleRefresh.toNanos() / 1000;
    }

    /** The shortest time between two polls. */
    long minIntervalMicros(boolean lastPollFoundRows) {
        return refreshMicros() / (lastPollFoundRows ? BUSY_INTERVAL_DIVISOR : MIN_INTERVAL_DIVISOR);
    }

    /** Since when a partition counts as quiet if rows were found now: they may be the first of several. */
    long quietSinceAfterRows(long nowMicros) {
        return nowMicros - refreshMicros() / AFTER_ROWS_DIVISOR;
    }

    /**
     * When to poll next. From the refresh interval on, polls happen at fixed ticks of the clock, so that several readers of
     * a partition poll at the same time and share the page.
     */
    public long nextPollMicros(long nowMicros, long quietSinceMicros) {
        long quiet = Math.max(0, nowMicros - quietSinceMicros);
        long refreshMicros = refreshMicros();
        if (quiet < refreshMicros) {
            return nowMicros + Math.max(quiet, minIntervalMicros(false));
        }
        long tick = refreshMicros;
        for (long limit = QUIET_INTERVALS * refreshMicros;
                quiet >= limit && tick * 2 <= idleRefreshMicros();
                limit *= 2) {
            tick *= 2;
        }
        return (nowMicros / tick + 1) * tick;
    }

    /**
     * How long to wait before a failed request is sent again: twice as long after each failure, from the refresh interval
     * up to the idle one.
     *
     * @param failures in a row, the last one included
     */
    public Duration retryDelay(int failures) {
        Duration delay = refresh;
        for (int i = 1; i < failures && delay.compareTo(idleRefresh) < 0; i++) {
            delay = delay.multipliedBy(2);
        }
        return delay.compareTo(idleRefresh) < 0 ? delay : idleRefresh;
    }
}
