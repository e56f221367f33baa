package io.dynajournal.cli.copy;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.EventFormat;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.internal.store.StateTable;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The tables of one application, as far as they are copied or compared. Each is null if it is left out. */
public record Store(
        @Nullable Journal journal,
        @Nullable Snapshots snapshots,
        @Nullable States states) {

    /**
     * The events of a table.
     *
     * @param idsOfTable the persistence ids, none of which is missed
     * @param outOfOrder whether an event may be visible before those that precede it
     */
    public record Journal(
            String table,
            EventLog log,
            PersistenceIds ids,
            PersistenceIds idsOfTable,
            EventFormat format,
            boolean outOfOrder) {

        public static Journal open(JournalLayout layout, Dynamo dynamo) {
            return new Journal(
                    layout.table().name(),
                    layout.open(dynamo),
                    layout.ids(dynamo),
                    layout.idsOfTable(dynamo),
                    layout.format(),
                    layout.storesOutOfOrder());
        }
    }

    /** The snapshots of a table. */
    public record Snapshots(String table, SnapshotTable snapshots, boolean newestOnly, boolean metadata) {

        public static Snapshots open(SnapshotLayout layout, Dynamo dynamo) {
            return new Snapshots(
                    layout.table().name(), layout.open(dynamo), layout.keepsNewestOnly(), layout.keepsMetadata());
        }
    }

    /** The durable states of a table. */
    public record States(String table, StateTable states) {

        public static States open(StateLayout layout, Dynamo dynamo) {
            return new States(
                    layout.table().name(), layout.open(dynamo, UUID.randomUUID().toString()));
        }
    }

    public static Store ofEvents(Journal journal) {
        return new Store(journal, null, null);
    }

    public Store with(@Nullable Snapshots others) {
        return new Store(journal, others, states);
    }

    public Store with(@Nullable States others) {
        return new Store(journal, snapshots, others);
    }
}
