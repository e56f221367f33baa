package io.dynajournal.cli.copy;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.LocalDynamo;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Stores of any layout in new tables. */
final class TestStores {

    /** The tables of a store, and ways to open them. */
    record Tables(JournalLayout journal, SnapshotLayout snapshots) {

        Store open(Dynamo dynamo) {
            return Store.ofEvents(Store.Journal.open(journal, dynamo)).with(Store.Snapshots.open(snapshots, dynamo));
        }
    }

    /** A checkpoint in memory. */
    static final class Positions implements Checkpoint {
        private final Map<String, Long> positions = new ConcurrentHashMap<>();

        @Override
        public long reached(String persistenceId) {
            return positions.getOrDefault(persistenceId, 0L);
        }

        @Override
        public void reached(String persistenceId, long seqNr) {
            positions.put(persistenceId, seqNr);
        }
    }

    private final LocalDynamo local;

    TestStores(LocalDynamo local) {
        this.local = local;
    }

    Tables create(Layout layout) {
        JournalLayout journal = layout.journal(settings(layout.journalTableKey()));
        SnapshotLayout snapshots =
                layout.snapshots(settings(layout.snapshotTableKey())).orElseThrow();
        local.create(journal.table());
        local.create(snapshots.table());
        return new Tables(journal, snapshots);
    }

    JournalLayout createJournal(Layout layout) {
        JournalLayout journal = layout.journal(settings(layout.journalTableKey()));
        local.create(journal.table());
        return journal;
    }

    StateLayout createStates(Layout layout) {
        StateLayout states = layout.states(settings(layout.snapshotTableKey())).orElseThrow();
        local.create(states.table());
        return states;
    }

    private LayoutSettings settings(String tableKey) {
        return new LayoutSettings(new HashMap<>(Map.of(tableKey, local.freshTable())));
    }

    Dynamo dynamo() {
        return local.open(RequestListener.NONE);
    }
}
