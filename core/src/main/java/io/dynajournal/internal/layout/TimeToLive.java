package io.dynajournal.internal.layout;

import io.dynajournal.internal.model.Slices;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When items expire, by entity type: the part of a persistence id before the first {@code |}.
 *
 * @param entities by entity type, or by a prefix of entity types and {@code *}; the exact type wins, then the longest prefix
 */
public record TimeToLive(Rules defaults, Map<String, Rules> entities) {

    /**
     * The rules of an entity type.
     *
     * @param checkExpiry whether an expired item counts as deleted before DynamoDB removes it
     * @param deletes the time to live of deleted items; null if deletes remove them at once
     * @param events the time to live of events; null if they do not expire
     * @param snapshots the time to live of snapshots; null if they do not expire
     */
    public record Rules(
            boolean checkExpiry,
            @Nullable Duration deletes,
            @Nullable Duration events,
            @Nullable Duration snapshots) {

        /** The shortest time after which an event may be gone; null if none goes. */
        public @Nullable Duration shortest() {
            return deletes == null || (events != null && events.compareTo(deletes) < 0) ? events : deletes;
        }

        /** Nothing is given an expiry; items that have one and expired count as deleted. */
        public static final Rules NONE = new Rules(true, null, null, null);

        /**
         * The options directly below a path, without entity types. Where one of them is set, expired items are shown until DynamoDB
         * removes them, unless {@code check-expiry} is on.
         */
        public static Rules flat(LayoutSettings settings, String path) {
            return TimeToLiveSettings.areSet(settings, path)
                    ? TimeToLiveSettings.rules(settings, path, new Rules(false, null, null, null))
                    : NONE;
        }
    }

    public TimeToLive {
        entities = Map.copyOf(entities);
    }

    /**
     * The rules of a block.
     *
     * @param defaults where the options for all entity types are, with a dot at the end
     * @param entities where the options of single entity types are, by their names or prefixes, with a dot at the end
     * @param otherwise for what is not set
     */
    public static TimeToLive of(LayoutSettings settings, String defaults, String entities, Rules otherwise) {
        return TimeToLiveSettings.of(settings, defaults, entities, otherwise);
    }

    /** Nothing expires. */
    public static TimeToLive none() {
        return new TimeToLive(Rules.NONE, Map.of());
    }

    /** Whether items get an expiry. */
    public boolean isUsed() {
        return Stream.concat(Stream.of(defaults), entities.values().stream())
                .anyMatch(rules -> rules.deletes() != null || rules.events() != null || rules.snapshots() != null);
    }

    /** The rules for a persistence id. */
    public Rules of(String persistenceId) {
        String type = Slices.entityType(persistenceId);
        Rules exact = entities.get(type);
        if (exact != null) {
            return exact;
        }
        Rules found = defaults;
        int longest = -1;
        for (Map.Entry<String, Rules> entry : entities.entrySet()) {
            String pattern = entry.getKey();
            int length = pattern.length() - 1;
            if (pattern.endsWith("*") && length > longest && type.startsWith(pattern.substring(0, length))) {
                found = entry.getValue();
                longest = length;
            }
        }
        return found;
    }
}
