package io.dynajournal.internal.layout;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.listener.Lane;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A table of snapshots, opened once for each lane: a save waits for nothing that goes after writes, and no write for a delete. */
final class SnapshotLanes implements SnapshotTable {

    private final SnapshotTable saves;
    private final SnapshotTable loads;
    private final SnapshotTable deletes;

    SnapshotLanes(Dynamo dynamo, Function<Dynamo, SnapshotTable> open) {
        this.saves = SnapshotTable.readingBack(open.apply(dynamo.forWrites()));
        this.loads = open.apply(dynamo);
        this.deletes = open.apply(dynamo.in(Lane.MAINTENANCE));
    }

    @Override
    public CompletionStage<Void> save(StoredSnapshot snapshot) {
        return saves.save(snapshot);
    }

    @Override
    public CompletionStage<Optional<StoredSnapshot>> load(String persistenceId, SnapshotCriteria criteria) {
        return loads.load(persistenceId, criteria);
    }

    @Override
    public CompletionStage<Void> delete(String persistenceId, SnapshotCriteria criteria) {
        return deletes.delete(persistenceId, criteria);
    }

    @Override
    public CompletionStage<Void> remove(String persistenceId, SnapshotCriteria criteria) {
        return deletes.remove(persistenceId, criteria);
    }

    @Override
    public CompletionStage<Void> expire(String persistenceId, SnapshotCriteria criteria, long expirySeconds) {
        return deletes.expire(persistenceId, criteria, expirySeconds);
    }

    @Override
    public CompletionStage<Optional<Long>> newestSeqNr(String persistenceId) {
        return loads.newestSeqNr(persistenceId);
    }
}
