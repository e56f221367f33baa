package io.dynajournal.internal.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of an entity's state after the event {@code seqNr}.
 *
 * @param timestamp when it was taken, in milliseconds since 1970, given by the toolkit
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
            throw new IllegalArgumentException(
                    "A snapshot of " + persistenceId + " has sequence number " + seqNr + "; expected 0 or more.");
        }
    }
}
