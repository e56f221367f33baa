package io.dynajournal.cli.options;

import io.dynajournal.cli.store.ConfigSettings;
import io.dynajournal.cli.store.FlagSettings;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.StoreSettings;
import io.dynajournal.cli.terminal.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The table of one store: by its layout, or by an application's configuration. */
public final class StoreOptions {

    /** A layout and its settings. */
    static final class ByLayout {
        @Option(
                names = "--layout",
                paramLabel = "<name>",
                description = "How the table is laid out: commits (default), akka2, akka1, j5ik2o or sclasen.")
        private @Nullable String layout;

        @Option(names = "--table", paramLabel = "<name>", description = "The table. By default that of the layout.")
        private @Nullable String table;

        @Option(
                names = "--set",
                paramLabel = "<key=value>",
                description = "A setting of the layout, under its plugin's own name. May be given several times.")
        private List<String> settings = new ArrayList<>();

        boolean isUsed() {
            return layout != null || table != null || !settings.isEmpty();
        }
    }

    @Mixin
    private final ByLayout byLayout = new ByLayout();

    @Mixin
    private final ConfigOptions config = new ConfigOptions();

    @Option(
            names = "--plugin",
            paramLabel = "<path>",
            description =
                    "The plugin's path in that configuration. By default the one that it configures for the toolkit.")
    private @Nullable String plugin;

    @Mixin
    private final ConnectionOptions connection = new ConnectionOptions();

    /**
     * The settings of one store.
     *
     * @param kind of the store that {@code --table} and {@code --plugin} name
     */
    public StoreSettings settings(StoreKind kind) {
        return settings(kind, Map.of(), Map.of());
    }

    /**
     * The settings of several stores.
     *
     * @param kind of the store that {@code --table} and {@code --plugin} name
     * @param otherTables by further options
     * @param otherPlugins by further options
     */
    StoreSettings settings(StoreKind kind, Map<StoreKind, String> otherTables, Map<StoreKind, String> otherPlugins) {
        Path file = config.file();
        if (file == null) {
            if (plugin != null || config.toolkit() != null || !otherPlugins.isEmpty()) {
                throw new UsageException("a plugin or toolkit is named without --config");
            }
            return new FlagSettings(
                    connection.connection(),
                    FlagSettings.layoutNamed(byLayout.layout),
                    with(otherTables, kind, byLayout.table),
                    pairs("--set", byLayout.settings));
        }
        if (byLayout.isUsed() || !otherTables.isEmpty()) {
            throw new UsageException("--config names the layout and its tables already; leave out --layout, --set and"
                    + " the tables, or --config");
        }
        return ConfigSettings.load(connection.connection(), file, with(otherPlugins, kind, plugin), config.toolkit());
    }

    private static Map<StoreKind, String> with(Map<StoreKind, String> others, StoreKind kind, @Nullable String name) {
        Map<StoreKind, String> all = new HashMap<>(others);
        if (name != null) {
            all.put(kind, name);
        }
        return all;
    }

    /** Whether the command line names a store. */
    public boolean isGiven() {
        return byLayout.isUsed() || config.file() != null || plugin != null;
    }

    boolean isConfig() {
        return config.file() != null;
    }

    ConfigOptions config() {
        return config;
    }

    ConnectionOptions connection() {
        return connection;
    }

    static Map<String, String> pairs(String option, List<String> settings) {
        Map<String, String> pairs = new HashMap<>();
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            if (equals < 1) {
                throw new UsageException(option + " requires key=value, not " + setting);
            }
            pairs.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        return pairs;
    }
}
