package io.dynajournal.testkit;

/**
 * What not every format can do. The contracts test each of these; on a layout that declares one as missing, they test what
 * happens instead, which is told here.
 */
public enum Capability {
    /** Events may have tags. Otherwise they are refused. */
    TAGS,
    /** Events and snapshots may have metadata, as those of replicated entities do. Otherwise they are refused. */
    METADATA,
    /** The manifest of an event adapter comes back. Otherwise it is forgotten, as by the predecessor. */
    ADAPTER_MANIFEST,
    /** Events have a time. Otherwise it is 0. */
    TIMES,
    /** Times are in microseconds. Otherwise in milliseconds. */
    MICROSECONDS,
    /** A write has a later time than the one before it. Otherwise not an earlier one. */
    RISING_TIMES,
    /** All events of an atomic write have the same time. Otherwise each has its own, and they rise. */
    ONE_TIME_PER_WRITE,
    /** An atomic write may have any number of events. Otherwise it is refused beyond the limit. */
    ANY_COUNT,
    /** An atomic write may have any number of bytes in all. Otherwise it is refused beyond the limit. */
    ANY_SUM,
    /** An event or snapshot may be of any size. Otherwise it is refused beyond the limit. */
    ANY_SIZE,
    /** An atomic write is one request. Otherwise only its last request makes it visible. */
    ONE_REQUEST_PER_WRITE,
    /** An item that is missing fails the reading. Otherwise only on request; it may be the number of a rejected event. */
    HOLES_ARE_DAMAGE,
    /** What is missing at the beginning is told from what was deleted. Otherwise it is taken for deleted. */
    DELETES_LEAVE_A_MARK,
    /** An id may have several snapshots. Otherwise the last one saved replaces the one before it. */
    MANY_SNAPSHOTS
}
