package io.dynajournal.internal.model;

import org.jspecify.annotations.Nullable;

/**
 * The state of an entity in the table.
 *
 * @param revision how many writes the entity has had, deletes included
 * @param payload null after a delete
 * @param tag empty if it has none
 * @param timestampMicros when it was written; rises with the revisions of a persistence id
 * @param writer the uuid of its writer; empty if the table does not have it
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
