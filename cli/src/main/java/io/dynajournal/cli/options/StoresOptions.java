package io.dynajournal.cli.options;

import io.dynajournal.cli.store.OffsetsSettings;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.StoreSettings;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where the stores of an application are: {@code --table} and {@code --plugin} are the journal's. */
public final class StoresOptions {

    @Option(names = "--snapshot-table", paramLabel = "<name>", description = "The snapshot table.")
    private @Nullable String snapshotTable;

    @Option(names = "--state-table", paramLabel = "<name>", description = "The table of durable states.")
    private @Nullable String stateTable;

    @Option(names = "--snapshot-plugin", paramLabel = "<path>", description = "The snapshot store's path.")
    private @Nullable String snapshotPlugin;

    @Option(names = "--state-plugin", paramLabel = "<path>", description = "The durable state store's path.")
    private @Nullable String statePlugin;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    public StoreSettings settings() {
        return store.settings(StoreKind.JOURNAL, named(snapshotTable, stateTable), named(snapshotPlugin, statePlugin));
    }

    /** The table of offsets of the same application. */
    public OffsetsSettings offsets(OffsetsOptions.Names offsets) {
        return offsets.settings(store);
    }

    private static Map<StoreKind, String> named(@Nullable String snapshots, @Nullable String states) {
        Map<StoreKind, String> named = new HashMap<>();
        if (snapshots != null) {
            named.put(StoreKind.SNAPSHOTS, snapshots);
        }
        if (states != null) {
            named.put(StoreKind.STATES, states);
        }
        return named;
    }
}
