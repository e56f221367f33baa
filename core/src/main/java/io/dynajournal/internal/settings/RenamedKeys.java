package io.dynajournal.internal.settings;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Earlier names of our settings, so that an old configuration is answered with the new name. */
final class RenamedKeys {

    private static final Map<String, String> NEW_NAMES = Map.ofEntries(
            Map.entry("attempt-timeout", "call-attempt-timeout"),
            Map.entry("acquire-timeout", "http.connection-acquisition-timeout"),
            Map.entry("max-connections", "http.max-concurrency"),
            Map.entry("connect-timeout", "http.connection-timeout"),
            Map.entry("idle-timeout", "http.connection-max-idle-time"),
            Map.entry("http-client", "http.client"),
            Map.entry("direct-requests", "direct"),
            Map.entry("page-items", "page-size"),
            Map.entry("page-rows", "page-size"),
            Map.entry("known-ids", "tracked-entities"),
            Map.entry("trailing-window", "backtracking.window"),
            Map.entry("deleted-commits-live", "tombstone-retention"),
            Map.entry("deleted-states-live", "tombstone-retention"),
            Map.entry("caches.first-page-life", "caches.first-pages-ttl"),
            Map.entry("fatal-holes", "fatal-gaps"),
            Map.entry("columns-class", "columns"),
            Map.entry("push", "push.enabled"),
            Map.entry("push-to-cluster", "push.cluster"));

    /** Those that also occurred in the blocks of predecessors. The others may be names of a predecessor's own. */
    private static final Set<String> IN_PREDECESSORS_BLOCKS = Set.of("push", "fatal-holes", "columns-class");

    private RenamedKeys() {}

    /** The present name of a key of a native block; null if the key was never ours. */
    static @Nullable String newName(String key) {
        String whole = NEW_NAMES.get(key);
        if (whole != null) {
            return whole;
        }
        int dot = key.lastIndexOf('.') + 1;
        String renamed = NEW_NAMES.get(key.substring(dot));
        return renamed == null ? null : key.substring(0, dot) + renamed;
    }

    /** The present name of a key of ours in a predecessor's block; null if the key was never ours. */
    static @Nullable String newNameInPredecessorsBlock(String key) {
        return IN_PREDECESSORS_BLOCKS.contains(key.substring(key.lastIndexOf('.') + 1)) ? newName(key) : null;
    }
}
