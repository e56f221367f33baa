package io.dynajournal.testkit;

/**
 * Capabilities that some formats lack. The contracts test each of them; for a layout that declares one missing they test the
 * alternative that is stated here.
 */
public enum Capability {
    /** Events may have tags. Otherwise such events are rejected. */
    TAGS,
    /** Events and snapshots may have metadata, as those of replicated entities do. Otherwise they are rejected. */
    METADATA,
    /** The manifest of an event adapter is stored. Otherwise it is dropped, as by the predecessor. */
    ADAPTER_MANIFEST,
    /** Events have a timestamp. Otherwise it is 0. */
    TIMES,
    /** Timestamps have microseconds. Otherwise milliseconds. */
    MICROSECONDS,
    /** A write has a later timestamp than the one before it. Otherwise the same or a later one. */
    RISING_TIMES,
    /** All events of an atomic write have the same timestamp. Otherwise each has its own, in rising order. */
    ONE_TIME_PER_WRITE,
    /** An atomic write may have any number of events. Otherwise it is rejected beyond the limit. */
    ANY_COUNT,
    /** An atomic write may have any number of bytes in total. Otherwise it is rejected beyond the limit. */
    ANY_SUM,
    /** An event or snapshot may have any size. Otherwise it is rejected beyond the limit. */
    ANY_SIZE,
    /** An atomic write is one request. Otherwise only its last request makes it visible. */
    ONE_REQUEST_PER_WRITE,
    /** A missing item fails the read. Otherwise only with {@code fatal-gaps = on}; a rejected event may explain it. */
    GAPS_ARE_DAMAGE,
    /** Missing first events are distinguished from deleted ones. Otherwise they count as deleted. */
    DELETES_LEAVE_A_MARK,
    /**
     * A writer that recovered, and that the writer before it outlived, is rejected where events are deleted. Otherwise its first
     * writes are acknowledged there, and no recovery after a snapshot replays them; stored events are not changed.
     */
    OUTLIVED_WRITERS,
    /**
     * The copy of a stored write that arrives after its event was deleted changes nothing. Otherwise it brings the event back, for
     * recoveries without a snapshot.
     */
    LATE_COPIES,
    /**
     * The copy of a delete that arrives after the log was reset changes nothing. Otherwise it deletes the new events at the sequence
     * numbers of the old ones.
     */
    LATE_DELETES,
    /** A persistence id may have several snapshots. Otherwise each save replaces an older one. */
    MANY_SNAPSHOTS
}
