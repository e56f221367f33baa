package io.dynajournal.cli.options;

import io.dynajournal.cli.store.ConfigSettings;
import io.dynajournal.cli.store.Connection;
import io.dynajournal.cli.store.FlagSettings;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.StoreSettings;
import io.dynajournal.cli.terminal.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Two stores: the first by the options of all commands, the second by the same with {@code --to-} before them. */
public final class StorePairOptions {

    @Mixin
    private final StoreOptions source = new StoreOptions();

    @Option(
            names = "--snapshots",
            paramLabel = "<table>",
            description = "Snapshots too: their table, or with --config the path of their plugin.")
    private @Nullable String snapshots;

    @Option(
            names = "--states",
            paramLabel = "<table>",
            description = "Durable states too: their table, or with --config the path of their plugin.")
    private @Nullable String states;

    @Option(names = "--without-events", description = "Durable states only.")
    private boolean withoutEvents;

    @Option(
            names = "--to-layout",
            paramLabel = "<name>",
            description = "The layout of the second store. By default commits.")
    private @Nullable String toLayout;

    @Option(names = "--to-table", paramLabel = "<name>", description = "The second store's table of events.")
    private @Nullable String toTable;

    @Option(names = "--to-snapshots", paramLabel = "<table>", description = "The second store's snapshots.")
    private @Nullable String toSnapshots;

    @Option(names = "--to-states", paramLabel = "<table>", description = "The second store's durable states.")
    private @Nullable String toStates;

    @Option(
            names = "--to-set",
            paramLabel = "<key=value>",
            description = "A setting of the second store's layout. May be given several times.")
    private List<String> toSettings = new ArrayList<>();

    @Option(
            names = "--to-config",
            paramLabel = "<file>",
            description = "A configuration in HOCON that names the second store, instead of --to-layout.")
    private @Nullable Path toConfig;

    @Option(names = "--to-plugin", paramLabel = "<path>", description = "The journal's plugin in --to-config.")
    private @Nullable String toPlugin;

    @Option(names = "--to-endpoint", paramLabel = "<url>", description = "The address of the second store's DynamoDB.")
    private @Nullable String toEndpoint;

    @Option(names = "--to-region", paramLabel = "<name>", description = "The second store's AWS region.")
    private @Nullable String toRegion;

    @Option(names = "--to-profile", paramLabel = "<name>", description = "The profile of the second store's account.")
    private @Nullable String toProfile;

    public boolean withEvents() {
        if (withoutEvents && !withStates()) {
            throw new UsageException("--without-events leaves nothing without --states and --to-states");
        }
        if (withoutEvents && withSnapshots()) {
            throw new UsageException(
                    "--snapshots are found by their events; leave out --without-events or --snapshots");
        }
        return !withoutEvents;
    }

    public boolean withSnapshots() {
        return both("--snapshots", snapshots, toSnapshots);
    }

    public boolean withStates() {
        return both("--states", states, toStates);
    }

    /** The stores that are meant, the one that is named first. */
    public Set<StoreKind> kinds() {
        Set<StoreKind> kinds = EnumSet.noneOf(StoreKind.class);
        if (withEvents()) {
            kinds.add(StoreKind.JOURNAL);
        }
        if (withSnapshots()) {
            kinds.add(StoreKind.SNAPSHOTS);
        }
        if (withStates()) {
            kinds.add(StoreKind.STATES);
        }
        return kinds;
    }

    private static boolean both(String name, @Nullable String one, @Nullable String other) {
        if ((one == null) != (other == null)) {
            throw new UsageException(name + " and --to-" + name.substring(2) + " belong together; one is missing");
        }
        return one != null;
    }

    public StoreSettings source() {
        Map<StoreKind, String> others = others(snapshots, states);
        return source.settings(
                StoreKind.JOURNAL, source.isConfig() ? Map.of() : others, source.isConfig() ? others : Map.of());
    }

    /** The second store. */
    public StoreSettings target() {
        Connection connection = new Connection(toEndpoint, toRegion, toProfile);
        Map<StoreKind, String> names = others(toSnapshots, toStates);
        if (toConfig != null) {
            if (toLayout != null || toTable != null || !toSettings.isEmpty()) {
                throw new UsageException("--to-config names the layout and its tables already; leave out --to-layout,"
                        + " --to-table and --to-set, or --to-config");
            }
            put(names, StoreKind.JOURNAL, toPlugin);
            return ConfigSettings.load(connection, toConfig, names, null);
        }
        put(names, StoreKind.JOURNAL, toTable);
        return new FlagSettings(
                connection, FlagSettings.layoutNamed(toLayout), names, StoreOptions.pairs("--to-set", toSettings));
    }

    private static Map<StoreKind, String> others(@Nullable String snapshots, @Nullable String states) {
        Map<StoreKind, String> names = new EnumMap<>(StoreKind.class);
        put(names, StoreKind.SNAPSHOTS, snapshots);
        put(names, StoreKind.STATES, states);
        return names;
    }

    private static void put(Map<StoreKind, String> names, StoreKind kind, @Nullable String name) {
        if (name != null) {
            names.put(kind, name);
        }
    }
}
