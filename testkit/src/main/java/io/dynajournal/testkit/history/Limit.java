package io.dynajournal.testkit.history;

/** What the format of a layout cannot do; {@code docs/adopting.md} has each with its schedule. */
enum Limit {
    /** A delete leaves nothing that stops a writer which has recovered and whose predecessor then went on. */
    OUTLIVED_WRITERS,
    /** A request that arrives after its own retry was stored, and after the event was deleted, brings the event back. */
    LATE_REQUESTS,
    /**
     * A snapshot is safe only after a write of the same incarnation: the highest sequence number that it recovered with may belong
     * to another writer's atomic write that is not complete yet.
     */
    SNAPSHOTS_BEFORE_WRITES,
    /** The slice index has a partition for each slice. */
    PARTITION_PER_SLICE,
    /** The time of an event is that of its writer's clock, or there is none. */
    TIMES_OF_CLOCKS,
    /** Events cannot be given an expiry. */
    NO_EXPIRY,
    /** A write that has stored events and then finds out that it came too late removes them again. */
    REMOVED_WRITES
}
