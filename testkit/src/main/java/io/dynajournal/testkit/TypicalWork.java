package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.layout.commits.CommitsStates;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.internal.store.StateIndex;
import io.dynajournal.internal.store.StateTable;

/** What applications do with each feature of a layout, so that every kind of request that the feature needs is sent. */
public final class TypicalWork {

    private TypicalWork() {}

    /** Single events, atomic writes of several, one of several items where the layout can, and a replay of all. */
    public static void writeAndRecover(EventLog log, String id, Layout layout) {
        LogWriter.recover(log, id).write(1).write(TestEvents.events(3, 200));
        // More than a transaction holds, where the layout can.
        boolean limited = layout == Layout.J5IK2O || layout == Layout.SCLASEN;
        LogWriter.recover(log, id).write(TestEvents.events(limited ? 60 : 120, 200));
        if (layout == Layout.COMMITS) {
            LogWriter.recover(log, id).write(TestEvents.events(1, 500_000));
        }
        LogReading.all(log, id);
    }

    public static void deleteEvents(EventLog log, String id) {
        Await.result(log.deleteTo(id, 2));
        Await.result(log.deleteTo(id, Long.MAX_VALUE));
    }

    /** Saves, loads and deletes; the table must exist. */
    public static void snapshots(SnapshotLayout layout, Dynamo dynamo) {
        SnapshotTable table = layout.open(dynamo);
        String id = TestEvents.freshId();
        for (long seqNr = 1; seqNr <= 3; seqNr++) {
            Await.result(table.save(new StoredSnapshot(
                    id, seqNr, 1000 + seqNr, new Payload(5, "state", TestEvents.randomBytes(200)), null)));
        }
        SnapshotCriteria all = new SnapshotCriteria(0, Long.MAX_VALUE, 0, Long.MAX_VALUE);
        assertThat(Await.result(table.load(id, all))).isPresent();
        Await.result(table.delete(id, SnapshotCriteria.exactly(2)));
        Await.result(table.delete(id, all));
    }

    /** Stores, reads and deletes durable states; the table must exist. */
    public static void states(StateLayout layout, Dynamo dynamo) {
        StateTable table = layout.open(dynamo, TestEvents.freshWriter());
        String id = TestEvents.freshId();
        Await.result(table.get(id));
        Await.result(table.write(StateTableContract.update(id, 1, 200)));
        Await.result(table.write(StateTableContract.update(id, 2, largest(layout))));
        assertThat(Await.result(table.get(id))).isPresent();
        Await.result(table.write(StateChange.delete(id, 3)));
        Await.result(table.delete(id));
    }

    /** More than an item holds, where the layout can. */
    private static int largest(StateLayout layout) {
        return layout instanceof CommitsStates ? 500_000 : 200;
    }

    /** Lists durable states, and reads their changes where the layout has an index of them. */
    public static void queryStates(StateLayout layout, Dynamo dynamo) {
        Await.result(layout.open(dynamo, TestEvents.freshWriter()).ids(null, 10));
        layout.changes(dynamo).ifPresent(TypicalWork::changes);
    }

    /** Reads all changes of durable states by slice. */
    public static void changes(StateIndex index) {
        for (SlicePartition partition : Await.result(index.partitions("cart", SliceRange.ALL))) {
            Await.result(index.states(Await.result(index.read(partition, 0, Long.MAX_VALUE, null, 10))
                    .rows()));
        }
    }

    /** All events, the persistence ids, and the queries by slice and by tag that the layout has. */
    public static void query(JournalLayout journal, Dynamo dynamo, String id) {
        LogReading.all(journal.open(dynamo), id);
        Await.result(journal.ids(dynamo).read(null));
        journal.slices(dynamo).ifPresent(TypicalWork::bySlice);
        journal.tagged(dynamo).ifPresent(tagged -> Await.result(tagged.events(Await.result(tagged.find("red", 0)))));
    }

    /** Reads all events by slice. */
    public static void bySlice(SliceIndex index) {
        for (SlicePartition partition : Await.result(index.partitions("cart", SliceRange.ALL))) {
            Await.result(index.events(Await.result(index.read(partition, 0, Long.MAX_VALUE, null, 10))
                    .rows()));
        }
    }
}
