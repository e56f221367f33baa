package io.dynajournal.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.slices.ReaderSettings;

/**
 * A block like {@code dynajournal.query}.
 *
 * @param journal the plugin id of the journal that is read
 * @param push whether writes of the same actor system wake queries
 */
public record QueryConfig(String journal, boolean push, ReaderSettings reader) {

    /**
     * Reads the block.
     *
     * @throws SettingsException if something is wrong with it
     */
    public static QueryConfig of(Config config, String path) {
        Block block = new Block(config, path, "dynajournal.query");
        ReadConfig reads = ReadConfig.of(block, "");
        QueryConfig query = new QueryConfig(block.text("journal-plugin-id"), reads.push(), reads.reader());
        block.refuseUnknown(ConfigFactory.empty());
        return query;
    }
}
