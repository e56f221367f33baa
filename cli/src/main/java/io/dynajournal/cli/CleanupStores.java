package io.dynajournal.cli;

import io.dynajournal.cli.store.IdPages;
import io.dynajournal.cli.store.OpenStore;
import io.dynajournal.cli.store.Stores;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.store.EventCleanup;
import io.dynajournal.internal.store.EventJournal;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.JournalCaches;
import io.dynajournal.internal.store.PerIdQueue;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.internal.store.StateCleanup;
import io.dynajournal.internal.store.StateTable;
import java.util.Iterator;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The operations of a clean-up on open stores. Each may be repeated. */
final class CleanupStores {

    private final CleanupTask task;
    private final Stores stores;

    CleanupStores(CleanupTask task, Stores stores) {
        this.task = task;
        this.stores = stores;
    }

    /** All persistence ids: those of the states if states are deleted, else those of the journal. */
    Iterator<String> ids() {
        return switch (task.what()) {
            case STATES, TOMBSTONES -> IdPages.of(states());
            default -> {
                OpenStore<JournalLayout> journal = stores.journal();
                yield IdPages.of(journal.layout().ids(journal.dynamo()));
            }
        };
    }

    /** What is done with each persistence id. */
    Function<String, CompletionStage<Void>> operation() {
        return switch (task.what()) {
            case EVENTS -> ofEvents(events());
            case SNAPSHOTS -> {
                SnapshotTable snapshots = snapshots();
                yield id -> EventCleanup.deleteSnapshots(snapshots, id);
            }
            case BEFORE_SNAPSHOT -> {
                EventCleanup events = events();
                SnapshotTable snapshots = snapshots();
                yield id -> events.deleteBeforeSnapshot(snapshots, id);
            }
            case ALL -> {
                EventCleanup events = events();
                SnapshotTable snapshots = snapshots();
                yield id -> events.deleteAll(snapshots, id, task.isReset());
            }
            case STATES -> ofStates(new StateCleanup(states(), new PerIdQueue<>(ForkJoinPool.commonPool())));
            case TOMBSTONES -> new StateCleanup(states(), new PerIdQueue<>(ForkJoinPool.commonPool()))::deleteTombstone;
        };
    }

    private Function<String, CompletionStage<Void>> ofEvents(EventCleanup events) {
        @Nullable Long before = task.beforeMicros();
        if (before != null) {
            return id -> events.deleteEventsBefore(id, before);
        }
        return task.toSeqNr() == Long.MAX_VALUE
                ? id -> events.deleteAllEvents(id, task.isReset())
                : id -> events.deleteEventsTo(id, task.toSeqNr());
    }

    private Function<String, CompletionStage<Void>> ofStates(StateCleanup states) {
        @Nullable Long before = task.beforeMicros();
        return before == null ? id -> states.delete(id, task.isReset()) : id -> states.deleteIfBefore(id, before);
    }

    private EventCleanup events() {
        OpenStore<JournalLayout> journal = stores.journal();
        EventLog log = journal.layout().open(journal.dynamo());
        return new EventCleanup(new EventJournal(log, JournalCaches.DEFAULTS), log);
    }

    private SnapshotTable snapshots() {
        OpenStore<SnapshotLayout> snapshots = stores.snapshots();
        return snapshots.layout().open(snapshots.dynamo());
    }

    private StateTable states() {
        OpenStore<StateLayout> states = stores.states();
        return states.layout().open(states.dynamo(), UUID.randomUUID().toString());
    }
}
