package io.dynajournal.internal.slices;

import java.time.Duration;

/**
 * The limits of a reader.
 *
 * @param backtrackingWindow how long after its timestamp a commit may become visible in the index. It covers index lag,
 *     twice the clock skew and the time of a request. Within it nothing is skipped
 * @param slack how far apart in time the partitions of a reader may be
 * @param pageSize maximum number of rows per index page
 * @param trackedEntities maximum number of entities whose last sequence number is kept in memory. While more than these
 *     wrote within the window, the reader waits for backtracking
 * @param parallelism maximum number of requests in flight
 */
public record ReaderSettings(
        Duration backtrackingWindow,
        Duration slack,
        int pageSize,
        int trackedEntities,
        int parallelism,
        PollSchedule schedule) {

    /** Partitions are looked up at least this many times within {@link #partitionsValidMicros}. */
    private static final int LOOKUPS_WHILE_VALID = 3;

    private static final Duration MAX_LOOKUP_INTERVAL = Duration.ofSeconds(30);

    public ReaderSettings {
        if (backtrackingWindow.isNegative() || backtrackingWindow.isZero()) {
            throw new IllegalArgumentException("backtracking.window must be more than 0, but is " + backtrackingWindow);
        }
        if (slack.compareTo(schedule.idleRefresh().multipliedBy(2)) < 0) {
            throw new IllegalArgumentException("the slack of " + slack
                    + " must be at least twice the idle-refresh-interval of " + schedule.idleRefresh());
        }
        if (slack.compareTo(backtrackingWindow.dividedBy(4)) < 0) {
            throw new IllegalArgumentException("the slack of " + slack
                    + " must be at least a quarter of the backtracking.window of " + backtrackingWindow);
        }
        if (pageSize < 1 || trackedEntities < 1 || parallelism < 1) {
            throw new IllegalArgumentException("page-size, tracked-entities and parallelism must be 1 or more, but are "
                    + pageSize + ", " + trackedEntities + " and " + parallelism);
        }
    }

    /** How often a live query looks up new partitions and entity types. Writers use new partitions two minutes later. */
    public Duration partitionLookupInterval() {
        Duration interval = Duration.ofNanos(partitionsValidMicros() * 1000 / LOOKUPS_WHILE_VALID);
        Duration atMost = interval.compareTo(MAX_LOOKUP_INTERVAL) < 0 ? interval : MAX_LOOKUP_INTERVAL;
        return atMost.compareTo(schedule.refresh()) > 0 ? atMost : schedule.refresh();
    }

    /**
     * Commits later than a partition lookup by more than this are not delivered: a reader that resumed from their offset
     * would skip the first commits of a partition that the lookup did not show. Half of the window is left for clock skew.
     */
    long partitionsValidMicros() {
        return backtrackingWindowMicros() / 2 + slackMicros();
    }

    long backtrackingWindowMicros() {
        return backtrackingWindow.toNanos() / 1000;
    }

    long slackMicros() {
        return slack.toNanos() / 1000;
    }
}
