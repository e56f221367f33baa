package io.dynajournal.snapshot;

import akka.persistence.SelectedSnapshot;
import akka.persistence.SnapshotMetadata;
import akka.persistence.SnapshotSelectionCriteria;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.plugin.OpenedSnapshots;
import io.dynajournal.internal.plugin.PluginStartup;
import io.dynajournal.internal.store.PerIdQueue;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * The core's snapshots for the toolkit's objects. Snapshots are serialized and deserialized on the executor, so that a large
 * one does not delay other entities; saves and deletes of one persistence id keep their order. Thread-safe.
 */
final class SerializingSnapshots {

    private final PluginStartup<OpenedSnapshots> startup;
    private final SnapshotSerde serde;
    private final Executor executor;
    private final PerIdQueue<String> changes;

    SerializingSnapshots(PluginStartup<OpenedSnapshots> startup, SnapshotSerde serde, Executor executor) {
        this.startup = startup;
        this.serde = serde;
        this.executor = executor;
        this.changes = new PerIdQueue<>(executor);
    }

    CompletionStage<Void> save(SnapshotMetadata metadata, Object snapshot) {
        return changes.run(
                metadata.persistenceId(),
                () -> serde.stored(metadata, snapshot)
                        .thenCompose(
                                stored -> startup.use(opened -> opened.table().save(stored))));
    }

    CompletionStage<Optional<SelectedSnapshot>> load(String persistenceId, SnapshotSelectionCriteria criteria) {
        return startup.use(opened -> opened.table().load(persistenceId, within(criteria)))
                .thenComposeAsync(this::deserialize, executor);
    }

    private CompletionStage<Optional<SelectedSnapshot>> deserialize(Optional<StoredSnapshot> stored) {
        return stored.isEmpty()
                ? CompletableFuture.completedFuture(Optional.empty())
                : serde.selected(stored.get()).thenApply(Optional::of);
    }

    CompletionStage<Void> delete(SnapshotMetadata metadata) {
        long seqNr = metadata.sequenceNr();
        long timestamp = metadata.timestamp();
        // A timestamp of 0 means any: the toolkits' deleteSnapshot(sequenceNr) does not know it.
        return delete(
                metadata.persistenceId(),
                timestamp == 0
                        ? SnapshotCriteria.exactly(seqNr)
                        : new SnapshotCriteria(seqNr, seqNr, timestamp, timestamp));
    }

    CompletionStage<Void> deleteAfterFailedSave(SnapshotMetadata metadata) {
        return changes.run(
                metadata.persistenceId(),
                () -> startup.use(opened ->
                        opened.table().deleteAfterFailedSave(metadata.persistenceId(), metadata.sequenceNr())));
    }

    CompletionStage<Void> delete(String persistenceId, SnapshotSelectionCriteria criteria) {
        return delete(persistenceId, within(criteria));
    }

    private CompletionStage<Void> delete(String persistenceId, SnapshotCriteria criteria) {
        return changes.run(
                persistenceId, () -> startup.use(opened -> opened.table().delete(persistenceId, criteria)));
    }

    private static SnapshotCriteria within(SnapshotSelectionCriteria criteria) {
        return new SnapshotCriteria(
                criteria.minSequenceNr(), criteria.maxSequenceNr(), criteria.minTimestamp(), criteria.maxTimestamp());
    }
}
