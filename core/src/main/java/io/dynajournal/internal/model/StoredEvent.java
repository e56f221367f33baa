package io.dynajournal.internal.model;

import java.util.Objects;

/**
 * An event in the log.
 *
 * @param timestampMicros when it was written, in microseconds since 1970; the same for all events of one commit
 * @param writer the uuid of the incarnation of the entity that wrote it
 */
public record StoredEvent(String persistenceId, long seqNr, long timestampMicros, String writer, Event event) {

    public StoredEvent {
        Objects.requireNonNull(persistenceId, "persistenceId");
        Objects.requireNonNull(writer, "writer");
        Objects.requireNonNull(event, "event");
    }
}
