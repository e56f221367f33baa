package io.dynajournal.snapshot;

import akka.persistence.SelectedSnapshot;
import akka.persistence.SnapshotMetadata;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.toolkit.PayloadSerde;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Converts snapshots between the toolkit's form and the core's. */
final class SnapshotSerde {

    private final PayloadSerde payloads;

    SnapshotSerde(PayloadSerde payloads) {
        this.payloads = payloads;
    }

    CompletionStage<StoredSnapshot> stored(SnapshotMetadata metadata, Object snapshot) {
        return payloads.payload(snapshot)
                .thenCompose(payload -> metadata(metadata)
                        .thenApply(own -> new StoredSnapshot(
                                metadata.persistenceId(), metadata.sequenceNr(), metadata.timestamp(), payload, own)));
    }

    private CompletionStage<@Nullable Payload> metadata(SnapshotMetadata metadata) {
        return metadata.metadata().isDefined()
                ? payloads.payload(metadata.metadata().get()).thenApply(payload -> payload)
                : CompletableFuture.completedFuture(null);
    }

    CompletionStage<SelectedSnapshot> selected(StoredSnapshot stored) {
        SnapshotMetadata plain = new SnapshotMetadata(stored.persistenceId(), stored.seqNr(), stored.timestamp());
        Payload own = stored.metadata();
        CompletionStage<SnapshotMetadata> metadata = own == null
                ? CompletableFuture.completedFuture(plain)
                : payloads.object(own).thenApply(plain::withMetadata);
        return payloads.object(stored.payload())
                .thenCombine(metadata, (snapshot, described) -> SelectedSnapshot.create(described, snapshot));
    }
}
