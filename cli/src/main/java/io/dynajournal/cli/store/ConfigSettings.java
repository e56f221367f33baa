package io.dynajournal.cli.store;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.settings.ClientConfig;
import io.dynajournal.internal.settings.JournalConfig;
import io.dynajournal.internal.settings.PluginBlock;
import io.dynajournal.internal.settings.SnapshotConfig;
import io.dynajournal.internal.settings.StateConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the plugins of an application use, by its own configuration. */
public final class ConfigSettings implements StoreSettings {

    private static final Map<StoreKind, String> OURS = Map.of(
            StoreKind.JOURNAL, "dynajournal.journal",
            StoreKind.SNAPSHOTS, "dynajournal.snapshot",
            StoreKind.STATES, "dynajournal.state");

    private final Connection connection;
    private final ApplicationConfig application;
    private final Map<StoreKind, String> plugins;

    private ConfigSettings(Connection connection, ApplicationConfig application, Map<StoreKind, String> plugins) {
        this.connection = connection;
        this.application = application;
        this.plugins = plugins;
    }

    /**
     * Reads the file.
     *
     * @param connection overrides what the configuration says
     * @param plugins the paths of the plugins; for those that are missing what the toolkit uses by default
     * @param toolkit null to see which one the file configures
     */
    public static ConfigSettings load(
            Connection connection, Path file, Map<StoreKind, String> plugins, @Nullable Toolkit toolkit) {
        return new ConfigSettings(connection, ApplicationConfig.load(file, toolkit), Map.copyOf(plugins));
    }

    @Override
    public Located<JournalLayout> journal() {
        return checked(() -> {
            JournalConfig config = JournalConfig.of(block(StoreKind.JOURNAL));
            return located(config.layouts(), config.client());
        });
    }

    @Override
    public Optional<Located<SnapshotLayout>> snapshots() {
        return checked(() -> {
            SnapshotConfig config = SnapshotConfig.of(block(StoreKind.SNAPSHOTS));
            return Optional.of(located(List.of(config.layout()), config.client()));
        });
    }

    @Override
    public Optional<Located<StateLayout>> states() {
        return checked(() -> {
            StateConfig config = StateConfig.of(block(StoreKind.STATES));
            return Optional.of(located(config.layout().variants(), config.client()));
        });
    }

    private PluginBlock block(StoreKind kind) {
        String path = path(kind);
        Config fallback = application.fallback(kind);
        return new PluginBlock(
                application.root(),
                application.block(kind, path, fallback),
                path,
                fallback,
                application.toolkit().root());
    }

    private String path(StoreKind kind) {
        String named = plugins.get(kind);
        return named == null ? application.defaultPlugin(kind, OURS.getOrDefault(kind, "")) : named;
    }

    private <L> Located<L> located(List<L> layouts, ClientConfig client) {
        return new Located<>(layouts, application.reached(connection, client), client.retry());
    }

    @Override
    public String described() {
        return application.file() + ", " + path(StoreKind.JOURNAL);
    }

    private <T> T checked(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        } catch (ConfigException e) {
            throw application.unusable(e);
        }
    }
}
