package io.dynajournal.internal.model;

import java.util.Objects;

/**
 * Sequence numbers of deleted events at the end of a log, up to {@code toSeqNr}.
 *
 * @param writer who used the last of them
 * @param timestampMicros a time no later than that of the event that follows them; 0 for now
 */
public record DeletedRange(String persistenceId, long toSeqNr, String writer, long timestampMicros) {

    public DeletedRange {
        Objects.requireNonNull(persistenceId, "persistenceId");
        Objects.requireNonNull(writer, "writer");
    }

    public long timeOr(long nowMicros) {
        return timestampMicros > 0 ? timestampMicros : nowMicros;
    }
}
