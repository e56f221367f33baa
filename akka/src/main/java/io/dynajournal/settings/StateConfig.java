package io.dynajournal.settings;

import com.typesafe.config.Config;
import io.dynajournal.layout.StateLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a durable state store: a block like {@code dynajournal.state}, or j5ik2o's.
 *
 * @param columnsClass makes the user's own columns; null for none
 * @param dispatcher where states are deserialized and answers arrive; null for the toolkit's default
 * @param remarks what the user should know about a predecessor's settings
 */
public record StateConfig(
        ClientConfig client,
        StateLayout layout,
        TablePolicy tables,
        ReadConfig reads,
        @Nullable String columnsClass,
        @Nullable String dispatcher,
        List<Remark> remarks) {

    private static final String TEMPLATE = "dynajournal.state";

    public StateConfig {
        remarks = List.copyOf(remarks);
    }

    /**
     * Reads the block.
     *
     * @throws SettingsException if something is wrong with it
     */
    public static StateConfig of(PluginBlock plugin) {
        return switch (plugin.dialect()) {
            case NATIVE -> ofNative(plugin);
            case J5IK2O -> J5Settings.states(plugin);
            case AKKA1, AKKA2 ->
                throw SettingsException.of(
                        plugin.path() + ".layout",
                        "\"" + plugin.config().getString("layout") + "\", which has no durable states",
                        "commits or j5ik2o");
        };
    }

    private static StateConfig ofNative(PluginBlock plugin) {
        Block block = new Block(plugin.config(), plugin.path(), TEMPLATE);
        String client = block.text("use-client");
        StateConfig states = new StateConfig(
                ClientConfig.of(plugin.root(), client),
                Layouts.states(block),
                TablePolicy.of(block),
                ReadConfig.of(block, "query."),
                block.optionalText("columns-class"),
                block.optionalText("plugin-dispatcher"),
                List.of());
        block.refuseUnknown(plugin.fallback());
        return states;
    }

    /** How the native block's queries read, for the stores of predecessors, which have none. */
    static ReadConfig reads(Config root) {
        return ReadConfig.of(new Block(root.getConfig(TEMPLATE), TEMPLATE, TEMPLATE), "query.");
    }
}
