package io.dynajournal.internal.settings;

import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.slices.ReaderSettings;
import java.util.List;
import java.util.Set;

/**
 * The settings of a read journal: a block like {@code dynajournal.query}, or one of a predecessor.
 *
 * @param journal the plugin id of the journal whose writes wake the queries and whose event adapters are used
 * @param standsAlone whether this block has the settings of the table itself, instead of the journal's block
 * @param snapshots the plugin id of the snapshot store that queries start from
 * @param push which writes wake the queries
 * @param entityTypes the entity types that a query by tag reads; empty if the table records them
 * @param warnings settings of a predecessor that have no effect or another one
 */
public record QueryConfig(
        String journal,
        boolean standsAlone,
        String snapshots,
        ReadConfig.Push push,
        ReaderSettings reader,
        Set<String> entityTypes,
        List<String> warnings) {

    public QueryConfig {
        entityTypes = Set.copyOf(entityTypes);
        warnings = List.copyOf(warnings);
    }

    /**
     * Reads the block of a plugin.
     *
     * @throws SettingsException if a setting is wrong
     */
    public static QueryConfig of(PluginBlock plugin) {
        return plugin.dialect().queries(plugin);
    }
}
