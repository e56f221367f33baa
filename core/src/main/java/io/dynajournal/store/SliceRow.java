package io.dynajournal.store;

import java.util.Set;

/**
 * A write as a slice index shows it: all that decides whether its events are delivered, and a way to them.
 *
 * @param seqNr the first number it covers
 * @param endSeqNr the last number it covers
 * @param timestampMicros when it was written; rises within an id, as far as the clocks of its writers agree
 * @param previousMicros the time of the id's previous write; 0 if this is the first, or {@link #UNKNOWN}
 * @param tags of all its events
 * @param content what the layout needs to find the events
 */
public record SliceRow(
        String persistenceId,
        long seqNr,
        long endSeqNr,
        long timestampMicros,
        long previousMicros,
        Set<String> tags,
        Content content) {

    /** The time of the previous write is not in the row: it may have been at any time. Such a row is one event. */
    public static final long UNKNOWN = Long.MAX_VALUE;

    /** Only the layout that made it knows what is inside. */
    public interface Content {

        /** How many bytes it keeps in memory. */
        default long heldBytes() {
            return 0;
        }
    }

    public SliceRow {
        tags = Set.copyOf(tags);
    }
}
