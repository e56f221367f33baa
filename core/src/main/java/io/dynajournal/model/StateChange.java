package io.dynajournal.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A new state of an entity, or its end.
 *
 * @param revision the one after what the writer has seen, so 1 for the first
 * @param payload null to delete
 * @param tag empty for none
 * @param columns attributes of the user's own beside the state: texts, numbers, booleans, bytes, and sets of texts
 */
public record StateChange(
        String persistenceId, long revision, @Nullable Payload payload, String tag, Map<String, Object> columns) {

    public StateChange {
        if (revision < 1) {
            throw new IllegalArgumentException(
                    "Revision " + revision + " of " + persistenceId + " cannot be written: the first is 1");
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
