package io.dynajournal.store;

import java.time.Duration;

/**
 * Bounds on what a journal remembers; forgetting costs requests, never correctness.
 *
 * @param writers how many entities' last numbers are kept; one that was forgotten reads its last commit before it writes
 * @param firstPageBytes how many bytes of first pages wait for their recovery
 * @param firstPageLife how long a first page may wait
 */
public record JournalCaches(int writers, long firstPageBytes, Duration firstPageLife) {

    public static final JournalCaches DEFAULTS = new JournalCaches(100_000, 64L << 20, Duration.ofSeconds(5));

    public JournalCaches {
        if (writers < 1) {
            throw new IllegalArgumentException("at least one writer must be kept, not " + writers);
        }
        if (firstPageBytes < 0) {
            throw new IllegalArgumentException("first pages cannot take " + firstPageBytes + " bytes");
        }
    }
}
