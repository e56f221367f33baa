package io.dynajournal.cli.options;

import io.dynajournal.cli.store.OffsetsSettings;
import io.dynajournal.cli.terminal.UsageException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The table of the offsets of projections: by its name, or by an application's configuration. */
public final class OffsetsOptions {

    private static final String DEFAULT_TABLE = "timestamp_offset";
    private static final String DEFAULT_BLOCK = "dynajournal.projection";

    /** Which table, for commands that have further options for a configuration and a connection. */
    public static final class Names {
        @Option(
                names = "--offsets",
                paramLabel = "<table>",
                description = "The table of offsets. By default timestamp_offset.")
        private @Nullable String table;

        @Option(
                names = "--block",
                paramLabel = "<path>",
                description = "The settings of projections in --config. By default dynajournal.projection.")
        private @Nullable String block;

        /** Whether one of the options is given. */
        public boolean isGiven() {
            return table != null || block != null;
        }

        OffsetsSettings settings(ConfigOptions config, ConnectionOptions connection) {
            Path file = config.file();
            if (file == null) {
                if (block != null) {
                    throw new UsageException("--block requires --config");
                }
                return OffsetsSettings.named(connection.connection(), table == null ? DEFAULT_TABLE : table);
            }
            if (table != null) {
                throw new UsageException(
                        "--config names the table of offsets already; leave out --offsets, or --config");
            }
            return OffsetsSettings.load(
                    connection.connection(), file, block == null ? DEFAULT_BLOCK : block, config.toolkit());
        }

        /** The table of offsets of the application whose store is named by the other options. */
        public OffsetsSettings settings(StoreOptions store) {
            return settings(store.config(), store.connection());
        }
    }

    @Mixin
    private final Names names = new Names();

    @Mixin
    private final ConfigOptions config = new ConfigOptions();

    @Mixin
    private final ConnectionOptions connection = new ConnectionOptions();

    public OffsetsSettings settings() {
        return names.settings(config, connection);
    }
}
