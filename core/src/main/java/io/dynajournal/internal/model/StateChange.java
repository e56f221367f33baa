package io.dynajournal.internal.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A new state of an entity, or its deletion.
 *
 * @param revision the successor of the revision that the writer has seen, so 1 for the first
 * @param payload null to delete
 * @param tag empty for none
 * @param columns the user's own attributes of the state: strings, numbers, booleans, bytes, and sets of strings
 */
public record StateChange(
        String persistenceId, long revision, @Nullable Payload payload, String tag, Map<String, Object> columns) {

    public StateChange {
        if (revision < 1) {
            throw new IllegalArgumentException(
                    "Revision " + revision + " of " + persistenceId + " cannot be written: revisions start at 1.");
        }
        columns = Map.copyOf(columns);
    }

    public static StateChange update(String persistenceId, long revision, Payload payload, String tag) {
        return new StateChange(persistenceId, revision, payload, tag, Map.of());
    }

    public static StateChange delete(String persistenceId, long revision) {
        return new StateChange(persistenceId, revision, null, "", Map.of());
    }
}
