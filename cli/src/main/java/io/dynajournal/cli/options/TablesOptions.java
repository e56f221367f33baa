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
                    "Which: journal, snapshots, states, offsets. By default journal, and snapshots if the layout has"
                            + " them; also offsets, those of projections, with --offsets or --block.")
    private @Nullable Set<StoreKind> kinds;

    @Mixin
    private final StoresOptions stores = new StoresOptions();

    @Mixin
    private final OffsetsOptions.Names offsets = new OffsetsOptions.Names();

    public StoreSettings settings() {
        return stores.settings();
    }

    /** The table of offsets of projections. */
    public OffsetsSettings offsets() {
        return stores.offsets(offsets);
    }

    /** The stores that are meant. */
    public Set<StoreKind> kinds(StoreSettings settings) {
        Set<StoreKind> meant = kinds != null ? EnumSet.copyOf(kinds) : EnumSet.of(StoreKind.JOURNAL);
        if (kinds == null && settings.snapshots().isPresent()) {
            meant.add(StoreKind.SNAPSHOTS);
        }
        if (offsets.isGiven()) {
            meant.add(StoreKind.OFFSETS);
        }
        return meant;
    }
}
