package io.dynajournal.internal.settings;

import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.layout.StateLayout;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a durable state store: a block like {@code dynajournal.state}, or one of a predecessor.
 *
 * @param columns by entity type, the class that derives the user's own columns from a state
 * @param dispatcher where states are deserialized and replies complete; null for the actor system's default
 * @param warnings settings of a predecessor that have no effect or another one
 */
public record StateConfig(
        ClientConfig client,
        StateLayout layout,
        TablePolicy tables,
        ReadConfig reads,
        Map<String, String> columns,
        @Nullable String dispatcher,
        List<String> warnings) {

    public StateConfig {
        columns = Map.copyOf(columns);
        warnings = List.copyOf(warnings);
    }

    /**
     * Reads the block of a plugin.
     *
     * @throws SettingsException if a setting is wrong
     */
    public static StateConfig of(PluginBlock plugin) {
        return plugin.dialect()
                .states(plugin)
                .orElseThrow(() -> SettingsException.of(
                        plugin.path() + ".layout",
                        "\"" + plugin.layout() + "\", which has no durable states",
                        "commits or j5ik2o"));
    }
}
