package io.dynajournal.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of an entity's state after the event {@code seqNr}.
 *
 * @param timestamp when it was made, in milliseconds, given by the toolkit
 * @param metadata the toolkit's metadata of a replicated entity, serialized on its own
 */
public record StoredSnapshot(
        String persistenceId,
        long seqNr,
        long timestamp,
        Payload payload,
        @Nullable Payload metadata) {

    public StoredSnapshot {
        Objects.requireNonNull(persistenceId, "persistenceId");
        Objects.requireNonNull(payload, "payload");
        if (seqNr < 0) {
            throw new IllegalArgumentException("a snapshot of " + persistenceId + " has the number " + seqNr);
        }
    }
}
