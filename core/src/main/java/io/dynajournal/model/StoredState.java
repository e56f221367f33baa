package io.dynajournal.model;

import org.jspecify.annotations.Nullable;

/**
 * The state of an entity as it is in the table.
 *
 * @param revision how many writes the entity has had, deletes included
 * @param payload null after a delete
 * @param tag empty without one
 * @param timestampMicros when it was written; rises with the revisions of an id
 * @param writer who wrote it; empty if the table does not tell
 */
public record StoredState(
        String persistenceId,
        long revision,
        @Nullable Payload payload,
        String tag,
        long timestampMicros,
        String writer) {

    public boolean isDeleted() {
        return payload == null;
    }
}
