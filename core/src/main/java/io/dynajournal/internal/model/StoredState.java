package io.dynajournal.internal.model;

import java.util.Map;
import java.util.Objects;
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

    /** Whether both are the same revision with the same content, whoever stored them. */
    public boolean isSameAs(StoredState other) {
        return persistenceId.equals(other.persistenceId)
                && revision == other.revision
                && Objects.equals(payload, other.payload)
                && tag.equals(other.tag);
    }

    /** The change that makes this state of its predecessor. */
    public StateChange asChange() {
        return new StateChange(persistenceId, revision, payload, tag, Map.of());
    }

    public boolean isDeleted() {
        return payload == null;
    }
}
