package io.dynajournal.cli.doctor;

import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.FindingKind;
import io.dynajournal.internal.store.LogCheck;
import io.dynajournal.internal.store.SnapshotTable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Loads the newest snapshot, and compares it with the end of the log. */
final class SnapshotAhead implements LogCheck {

    private final SnapshotTable snapshots;
    private final EventLog log;

    SnapshotAhead(SnapshotTable snapshots, EventLog log) {
        this.snapshots = snapshots;
        this.log = log;
    }

    /** The snapshot is read first: it is saved after its events, so that the end is not below it. */
    @Override
    public CompletionStage<List<Finding>> check(String persistenceId) {
        return snapshots
                .load(persistenceId, SnapshotCriteria.ALL)
                .thenCompose(newest -> newest.isEmpty()
                        ? CompletableFuture.completedFuture(List.of())
                        : log.end(persistenceId)
                                .thenApply(end -> newest.get().seqNr() <= end.seqNr()
                                        ? List.of()
                                        : List.of(Finding.of(
                                                FindingKind.SNAPSHOT_AHEAD,
                                                persistenceId,
                                                newest.get().seqNr(),
                                                "the newest snapshot is "
                                                        + newest.get().seqNr() + ", the log ends at " + end.seqNr()))));
    }
}
