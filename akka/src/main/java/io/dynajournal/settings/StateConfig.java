package io.dynajournal.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.layout.StateLayout;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a durable state store: a block like {@code dynajournal.state}.
 *
 * @param columnsClass makes the user's own columns; null for none
 * @param dispatcher where states are deserialized; null for the toolkit's default
 */
public record StateConfig(
        ClientConfig client,
        StateLayout layout,
        TablePolicy tables,
        ReadConfig reads,
        @Nullable String columnsClass,
        @Nullable String dispatcher) {

    /**
     * Reads the block.
     *
     * @param root all settings
     * @throws SettingsException if something is wrong with it
     */
    public static StateConfig of(Config root, Config config, String path) {
        Block block = new Block(config, path, "dynajournal.state");
        String client = block.text("use-client");
        StateConfig states = new StateConfig(
                ClientConfig.of(root, client),
                Layouts.states(block),
                TablePolicy.of(block),
                ReadConfig.of(block, "query."),
                block.optionalText("columns-class"),
                block.optionalText("plugin-dispatcher"));
        block.refuseUnknown(ConfigFactory.empty());
        return states;
    }
}
