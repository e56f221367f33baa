package io.dynajournal.internal.layout;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.store.LruMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports sequence numbers that are missing from a predecessor's log although no delete explains them. An event that the
 * predecessor rejected leaves such a gap and no marker, so a gap is logged once per persistence id and skipped; with {@code
 * fatal-gaps = on} it fails the read. Thread-safe.
 */
public final class GapReporter {

    /** A gap, by the sequence numbers on both sides of it. */
    public record Gap(long before, long after) {}

    private static final Logger log = LoggerFactory.getLogger(GapReporter.class);

    /** Bounds the memory for persistence ids that were reported; the oldest is forgotten first and may be logged again. */
    private static final int MAX_REPORTED_IDS = 10_000;

    private final String table;
    private final boolean fatal;
    private final LruMap<String, Boolean> reported = new LruMap<>(MAX_REPORTED_IDS);

    /** @param fatal whether a gap fails the read instead of being logged */
    public GapReporter(String table, boolean fatal) {
        this.table = table;
        this.fatal = fatal;
    }

    /**
     * Logs a gap, or fails.
     *
     * @param before the last sequence number before the gap
     * @param after the first sequence number after it
     */
    public void found(String persistenceId, long before, long after) {
        if (fatal) {
            throw new StoreException.LogDamaged("The log of " + persistenceId + " in table " + table
                    + " has a gap: sequence number " + before + " is followed by " + after
                    + ", and no delete explains it. An event was rejected, or an item was lost. Nothing was changed."
                    + " Set fatal-gaps = off to replay the log without the missing events.");
        }
        if (isFirstReport(persistenceId)) {
            PersistenceIdMdc.log(
                    persistenceId,
                    () -> log.warn(
                            "The log of {} in table {} has a gap: sequence number {} is followed by {}, and no delete explains it. An"
                                    + " event was rejected, or an item was lost. The read continues; further gaps of this"
                                    + " persistence id are not logged. Set fatal-gaps = on to fail instead.",
                            persistenceId,
                            table,
                            before,
                            after));
        }
    }

    private boolean isFirstReport(String persistenceId) {
        return reported.put(persistenceId, true) == null;
    }
}
