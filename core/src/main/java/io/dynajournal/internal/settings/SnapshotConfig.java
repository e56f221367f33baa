package io.dynajournal.internal.settings;

import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.layout.SnapshotLayout;
import java.util.List;

/**
 * The settings of a snapshot store: a block like {@code dynajournal.snapshot}, or one of a predecessor.
 *
 * @param warnings settings of a predecessor that have no effect or another one
 */
public record SnapshotConfig(ClientConfig client, SnapshotLayout layout, TablePolicy tables, List<String> warnings) {

    public SnapshotConfig {
        warnings = List.copyOf(warnings);
    }

    /**
     * Reads the block of a plugin.
     *
     * @throws SettingsException if a setting is wrong
     */
    public static SnapshotConfig of(PluginBlock plugin) {
        return plugin.dialect().snapshots(plugin);
    }
}
