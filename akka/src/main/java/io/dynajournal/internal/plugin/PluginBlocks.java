package io.dynajournal.internal.plugin;

import akka.persistence.Persistence;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigUtil;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.settings.PluginBlock;

/** The configuration blocks of the plugins, merged with the toolkit's fallbacks as the toolkit itself does it. */
final class PluginBlocks {

    private static final String JOURNAL_FALLBACK = Persistence.JournalFallbackConfigPath();
    private static final String SNAPSHOT_FALLBACK = Persistence.SnapshotStoreFallbackConfigPath();

    /** The first element of the toolkit's own paths. */
    private static final String TOOLKIT = ConfigUtil.splitPath(JOURNAL_FALLBACK).get(0);

    private final Config root;

    PluginBlocks(Config root) {
        this.root = root;
    }

    Config root() {
        return root;
    }

    /** @throws SettingsException if there is no such plugin */
    Config journalSettings(String path) {
        return settings(path, "a journal", JOURNAL_FALLBACK);
    }

    /** @throws SettingsException if there is no such plugin */
    Config snapshotSettings(String path) {
        return settings(path, "a snapshot store", SNAPSHOT_FALLBACK);
    }

    private Config settings(String path, String kind, String fallbackPath) {
        if (!root.hasPath(path + ".class")) {
            throw SettingsException.of(path + ".class", "nothing", "the class of " + kind);
        }
        return root.getConfig(path).withFallback(root.getConfig(fallbackPath));
    }

    /** @param config the plugin's settings as the toolkit passes them */
    PluginBlock journal(Config config, String path) {
        return new PluginBlock(root, config, path, root.getConfig(JOURNAL_FALLBACK), TOOLKIT);
    }

    /** @param config the plugin's settings as the toolkit passes them */
    PluginBlock snapshots(Config config, String path) {
        return new PluginBlock(root, config, path, root.getConfig(SNAPSHOT_FALLBACK), TOOLKIT);
    }

    /** The toolkit has no fallback for durable state stores. */
    PluginBlock states(Config config, String path) {
        return new PluginBlock(root, config, path, ConfigFactory.empty(), TOOLKIT);
    }

    /**
     * The block of a clean-up.
     *
     * @throws SettingsException if there is no such block
     */
    PluginBlock cleanup(String path) {
        if (!root.hasPath(path)) {
            throw SettingsException.of(path, "nothing", "the settings of a clean-up, such as ${dynajournal.cleanup}");
        }
        return new PluginBlock(root, root.getConfig(path), path, ConfigFactory.empty(), TOOLKIT);
    }

    /**
     * The settings of a durable state store.
     *
     * @throws SettingsException if there is no such plugin
     */
    Config stateSettings(String path) {
        if (path.isEmpty() || !root.hasPath(path + ".class")) {
            throw SettingsException.of(path + ".class", "nothing", "the class of a durable state store");
        }
        return root.getConfig(path);
    }

    /** The toolkit has no fallback for read journals. */
    PluginBlock queries(Config config, String path) {
        return new PluginBlock(root, config, path, ConfigFactory.empty(), TOOLKIT);
    }
}
