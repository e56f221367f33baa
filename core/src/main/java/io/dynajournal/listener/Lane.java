package io.dynajournal.listener;

/**
 * The order in which requests get a connection, and a share of what a throttled table takes: writes first. Every eighth request is
 * the one that has waited longest, so that no lane stands still.
 */
public enum Lane {
    /** What an entity or a projection stores and waits for. */
    WRITE,

    /** Reads of entities that start, and of single durable states. */
    RECOVERY,

    /** Reads of queries and projections. */
    QUERY,

    /** Deletes, clean-ups, scans and the administration of tables. */
    MAINTENANCE;

    /** The later one of two lanes. */
    public Lane orLater(Lane other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
