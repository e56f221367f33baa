package io.dynajournal.internal.store;

import java.util.Set;

/**
 * A write as a slice index shows it: what decides whether its events are delivered, and how to read them.
 *
 * @param seqNr the first sequence number of the write
 * @param endSeqNr the last sequence number of the write
 * @param timestampMicros when it was written; rises within a persistence id, as far as the clocks of its writers agree
 * @param previousMicros the time of the persistence id's previous write; 0 if this is the first, or {@link #UNKNOWN}
 * @param tags the tags of all its events
 * @param content what the layout needs to read the events
 */
public record SliceRow(
        String persistenceId,
        long seqNr,
        long endSeqNr,
        long timestampMicros,
        long previousMicros,
        Set<String> tags,
        Content content) {

    /** The row does not have the time of the previous write. Such a row is one event. */
    public static final long UNKNOWN = Long.MAX_VALUE;

    /** Only the layout that created it knows its content. */
    public interface Content {}

    public SliceRow {
        tags = Set.copyOf(tags);
    }
}
