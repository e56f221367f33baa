package io.dynajournal.snapshot;

import akka.persistence.SelectedSnapshot;
import akka.persistence.SnapshotMetadata;
import akka.persistence.SnapshotSelectionCriteria;
import io.dynajournal.Gate;
import io.dynajournal.OpenedSnapshots;
import io.dynajournal.model.SnapshotCriteria;
import io.dynajournal.model.StoredSnapshot;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** The core's snapshots in terms of the toolkit's messages. No method throws or blocks. */
final class SerializedSnapshots {

    private final Gate<OpenedSnapshots> gate;
    private final SnapshotSerde serde;
    private final Executor executor;

    /** @param executor where snapshots are deserialized */
    SerializedSnapshots(Gate<OpenedSnapshots> gate, SnapshotSerde serde, Executor executor) {
        this.gate = gate;
        this.serde = serde;
        this.executor = executor;
    }

    CompletionStage<Void> save(SnapshotMetadata metadata, Object snapshot) {
        return serde.stored(metadata, snapshot)
                .thenCompose(stored -> gate.use(opened -> opened.table().save(stored)));
    }

    CompletionStage<Optional<SelectedSnapshot>> load(String persistenceId, SnapshotSelectionCriteria criteria) {
        return gate.use(opened -> opened.table().load(persistenceId, within(criteria)))
                .thenComposeAsync(this::selected, executor);
    }

    private CompletionStage<Optional<SelectedSnapshot>> selected(Optional<StoredSnapshot> stored) {
        return stored.isEmpty()
                ? CompletableFuture.completedFuture(Optional.empty())
                : serde.selected(stored.get()).thenApply(Optional::of);
    }

    CompletionStage<Void> delete(SnapshotMetadata metadata) {
        long seqNr = metadata.sequenceNr();
        long timestamp = metadata.timestamp();
        // The toolkits' deleteSnapshot(seqNr) knows no time and says 0.
        SnapshotCriteria criteria = timestamp == 0
                ? SnapshotCriteria.exactly(seqNr)
                : new SnapshotCriteria(seqNr, seqNr, timestamp, timestamp);
        return gate.use(opened -> opened.table().delete(metadata.persistenceId(), criteria));
    }

    CompletionStage<Void> delete(String persistenceId, SnapshotSelectionCriteria criteria) {
        return gate.use(opened -> opened.table().delete(persistenceId, within(criteria)));
    }

    private static SnapshotCriteria within(SnapshotSelectionCriteria criteria) {
        return new SnapshotCriteria(
                criteria.minSequenceNr(), criteria.maxSequenceNr(), criteria.minTimestamp(), criteria.maxTimestamp());
    }
}
