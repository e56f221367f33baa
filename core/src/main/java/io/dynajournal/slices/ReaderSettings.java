package io.dynajournal.slices;

import java.time.Duration;

/**
 * The bounds of a reader.
 *
 * @param window how long after its time a write may still come to light: index lag, difference of clocks and the time of a
 *     request together. Within it nothing is skipped
 * @param slack how far apart in time the partitions of a reader may be
 * @param pageRows how many rows are asked for at once
 * @param knownIds for how many ids the last number is remembered; more while they are inside the window
 * @param parallelism how many requests are on the way at once
 */
public record ReaderSettings(Duration window, Duration slack, int pageRows, int knownIds, int parallelism, Pace pace) {

    public ReaderSettings {
        if (window.isNegative() || window.isZero()) {
            throw new IllegalArgumentException("trailing-window must be more than 0, not " + window);
        }
        if (slack.compareTo(pace.idleRefresh().multipliedBy(2)) < 0) {
            throw new IllegalArgumentException("the slack of " + slack + " must be twice the idle-refresh-interval of "
                    + pace.idleRefresh() + " or more");
        }
        if (slack.compareTo(window.dividedBy(4)) < 0) {
            throw new IllegalArgumentException(
                    "the slack of " + slack + " must be a quarter of the trailing-window of " + window + " or more");
        }
        if (pageRows < 1 || knownIds < 1 || parallelism < 1) {
            throw new IllegalArgumentException("page-rows, known-ids and parallelism must be 1 or more");
        }
    }

    long windowMicros() {
        return window.toNanos() / 1000;
    }

    long slackMicros() {
        return slack.toNanos() / 1000;
    }
}
