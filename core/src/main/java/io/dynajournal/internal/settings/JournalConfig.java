package io.dynajournal.internal.settings;

import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.store.JournalCaches;
import java.util.List;

/**
 * The settings of a journal: a block like {@code dynajournal.journal}, or one of a predecessor.
 *
 * @param layouts the layouts that the table may have; if there are several, the table's key decides
 * @param replayDispatcher where replayed events are deserialized
 * @param warnings settings of a predecessor that have no effect or another one
 */
public record JournalConfig(
        ClientConfig client,
        List<JournalLayout> layouts,
        JournalCaches caches,
        TablePolicy tables,
        String replayDispatcher,
        List<String> warnings) {

    public JournalConfig {
        layouts = List.copyOf(layouts);
        warnings = List.copyOf(warnings);
    }

    /**
     * Reads the block of a plugin.
     *
     * @throws SettingsException if a setting is wrong
     */
    public static JournalConfig of(PluginBlock plugin) {
        return plugin.dialect().journal(plugin);
    }

    /** The table that is created if none exists. */
    public TableSpec table() {
        return layouts.get(0).table();
    }
}
