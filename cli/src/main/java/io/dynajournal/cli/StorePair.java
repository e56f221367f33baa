package io.dynajournal.cli;

import io.dynajournal.cli.copy.Store;
import io.dynajournal.cli.options.StorePairOptions;
import io.dynajournal.cli.store.OpenStore;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.listener.RequestListener;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Two open stores. */
final class StorePair implements AutoCloseable {

    private final StorePairOptions options;
    private final Stores from;
    private final Stores to;

    StorePair(StorePairOptions options, RequestListener listener) {
        this.options = options;
        this.from = new Stores(options.source(), listener);
        this.to = new Stores(options.target(), listener);
    }

    Store source() {
        return open(from);
    }

    Store target() {
        return open(to);
    }

    /** About how many items the journal of the source has. */
    OptionalLong items() {
        if (!options.withEvents()) {
            return OptionalLong.empty();
        }
        OpenStore<JournalLayout> journal = from.journal();
        return ItemCount.of(journal.dynamo(), journal.layout().table().name(), null);
    }

    private Store open(Stores stores) {
        Store.@Nullable Journal journal = null;
        if (options.withEvents()) {
            OpenStore<JournalLayout> opened = stores.journal();
            journal = Store.Journal.open(opened.layout(), opened.dynamo());
        }
        Store.@Nullable Snapshots snapshots = null;
        if (options.withSnapshots()) {
            OpenStore<SnapshotLayout> opened = stores.snapshots();
            snapshots = Store.Snapshots.open(opened.layout(), opened.dynamo());
        }
        Store.@Nullable States states = null;
        if (options.withStates()) {
            OpenStore<StateLayout> opened = stores.states();
            states = Store.States.open(opened.layout(), opened.dynamo());
        }
        return new Store(journal, snapshots, states);
    }

    @Override
    public void close() {
        from.close();
        to.close();
    }
}
