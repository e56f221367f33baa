package io.dynajournal.internal.store;

import java.time.Duration;

/**
 * Limits on what a journal keeps in memory. Lower limits cost requests, never correctness.
 *
 * @param writers for how many entities the end of the log is kept; an evicted one reads it again before it writes
 * @param firstPageBytes how many bytes the first pages that wait for their recovery may take
 * @param firstPageLife how long a first page may wait
 */
public record JournalCaches(int writers, long firstPageBytes, Duration firstPageLife) {

    public static final JournalCaches DEFAULTS = new JournalCaches(100_000, 64L << 20, Duration.ofSeconds(5));

    public JournalCaches {
        if (writers < 1) {
            throw new IllegalArgumentException(
                    "The journal must keep the log's end for at least 1 writer, not " + writers + ".");
        }
        if (firstPageBytes < 0) {
            throw new IllegalArgumentException(
                    "First pages cannot take " + firstPageBytes + " bytes; expected 0 or more.");
        }
    }
}
