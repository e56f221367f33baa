package io.dynajournal.cli;

import io.dynajournal.cli.options.TablesOptions;
import io.dynajournal.cli.store.OffsetsStore;
import io.dynajournal.cli.store.StoreKind;
import io.dynajournal.cli.store.StoreSettings;
import io.dynajournal.cli.store.StoreTable;
import io.dynajournal.cli.store.Stores;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tables of an application, with the clients that reach them. Close it. */
final class NeededTables implements AutoCloseable {

    private final Set<StoreKind> kinds;
    private final Stores stores;
    private final @Nullable OffsetsStore offsets;

    NeededTables(TablesOptions options) {
        StoreSettings settings = options.settings();
        this.kinds = options.kinds(settings);
        this.offsets = kinds.contains(StoreKind.OFFSETS) ? new OffsetsStore(options.offsets()) : null;
        this.stores = Stores.ofAnyTables(settings);
    }

    List<StoreTable> all() {
        return kinds.stream()
                .map(kind -> offsets != null && kind == StoreKind.OFFSETS
                        ? offsets.storeTable()
                        : StoreTable.of(stores, kind))
                .toList();
    }

    @Override
    public void close() {
        stores.close();
        if (offsets != null) {
            offsets.close();
        }
    }
}
