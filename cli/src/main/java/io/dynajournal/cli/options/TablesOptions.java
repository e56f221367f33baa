package io.dynajournal.cli.options;

import io.dynajournal.cli.store.OffsetsSettings;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.StoreSettings;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The tables of several stores. */
public final class TablesOptions {

    @Option(
            names = "--stores",
            split = ",",
            paramLabel = "<kind>",
            description =
                    "Which: journal, snapshots, states. By default journal, and snapshots if the layout has them.")
    private @Nullable Set<StoreKind> kinds;

    @Mixin
    private final StoresOptions stores = new StoresOptions();

    public StoreSettings settings() {
        return stores.settings();
    }

    /** The table of offsets of the same application. */
    public OffsetsSettings offsets(OffsetsOptions.Names names) {
        return stores.offsets(names);
    }

    /** The stores that are meant. */
    public Set<StoreKind> kinds(StoreSettings settings) {
        if (kinds != null) {
            return EnumSet.copyOf(kinds);
        }
        return settings.snapshots().isPresent()
                ? EnumSet.of(StoreKind.JOURNAL, StoreKind.SNAPSHOTS)
                : EnumSet.of(StoreKind.JOURNAL);
    }
}
