package io.dynajournal.internal.settings;

import io.dynajournal.exception.SettingsException;
import java.util.List;

/**
 * The settings of a clean-up.
 *
 * @param journal the plugin id of the journal
 * @param snapshots the plugin id of the snapshot store; not read before snapshots are cleaned up
 * @param states the plugin id of the durable state store; not read before states are cleaned up
 * @param logProgressEvery how many persistence ids are cleaned up between two lines of the log
 * @param parallelism how many persistence ids are cleaned up concurrently
 * @param warnings settings of a predecessor that have no effect or another one
 */
public record CleanupConfig(
        String journal, String snapshots, String states, int logProgressEvery, int parallelism, List<String> warnings) {

    public CleanupConfig {
        warnings = List.copyOf(warnings);
    }

    /**
     * Reads the block of a clean-up.
     *
     * @throws SettingsException if a setting is wrong
     */
    public static CleanupConfig of(PluginBlock block) {
        return block.dialect().cleanup(block);
    }
}
