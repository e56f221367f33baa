package io.dynajournal.internal.store;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads a snapshot back whose save has failed: replies may have been lost after it was stored. A save that is reported as
 * failed although its snapshot is there makes an entity keep events that it could delete, and save again. Thread-safe.
 */
final class ReadBackSnapshots implements SnapshotTable {

    private final SnapshotTable table;

    ReadBackSnapshots(SnapshotTable table) {
        this.table = table;
    }

    @Override
    public CompletionStage<Void> save(StoredSnapshot snapshot) {
        return table.save(snapshot)
                .handle((saved, failure) ->
                        failure == null || Stages.unwrap(failure) instanceof StoreException.ItemTooLarge
                                ? result(failure)
                                : isStored(snapshot).thenCompose(stored -> result(stored ? null : failure)))
                .thenCompose(Function.identity());
    }

    private static CompletionStage<Void> result(@Nullable Throwable failure) {
        return failure == null ? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(failure);
    }

    /** False also if it cannot be read. */
    private CompletionStage<Boolean> isStored(StoredSnapshot snapshot) {
        return table.load(snapshot.persistenceId(), SnapshotCriteria.exactly(snapshot.seqNr()))
                .handle((found, failure) ->
                        failure == null && found.filter(snapshot::equals).isPresent());
    }

    @Override
    public CompletionStage<Optional<StoredSnapshot>> load(String persistenceId, SnapshotCriteria criteria) {
        return table.load(persistenceId, criteria);
    }

    @Override
    public CompletionStage<Void> delete(String persistenceId, SnapshotCriteria criteria) {
        return table.delete(persistenceId, criteria);
    }

    @Override
    public CompletionStage<Void> remove(String persistenceId, SnapshotCriteria criteria) {
        return table.remove(persistenceId, criteria);
    }

    @Override
    public CompletionStage<Void> expire(String persistenceId, SnapshotCriteria criteria, long expirySeconds) {
        return table.expire(persistenceId, criteria, expirySeconds);
    }

    @Override
    public CompletionStage<Optional<Long>> newestSeqNr(String persistenceId) {
        return table.newestSeqNr(persistenceId);
    }
}
