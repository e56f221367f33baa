package io.dynajournal.snapshot;

import akka.persistence.SelectedSnapshot;
import akka.persistence.SnapshotMetadata;
import io.dynajournal.model.Payload;
import io.dynajournal.model.StoredSnapshot;
import io.dynajournal.toolkit.PayloadSerde;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The toolkit's snapshots to the core's and back. */
final class SnapshotSerde {

    private final PayloadSerde payloads;

    SnapshotSerde(PayloadSerde payloads) {
        this.payloads = payloads;
    }

    CompletionStage<StoredSnapshot> stored(SnapshotMetadata metadata, Object snapshot) {
        return payloads.payload(snapshot)
                .thenCompose(payload -> extra(metadata)
                        .thenApply(extra -> new StoredSnapshot(
                                metadata.persistenceId(),
                                metadata.sequenceNr(),
                                metadata.timestamp(),
                                payload,
                                extra)));
    }

    private CompletionStage<@Nullable Payload> extra(SnapshotMetadata metadata) {
        return metadata.metadata().isDefined()
                ? payloads.payload(metadata.metadata().get()).thenApply(payload -> payload)
                : CompletableFuture.completedFuture(null);
    }

    CompletionStage<SelectedSnapshot> selected(StoredSnapshot stored) {
        SnapshotMetadata plain = new SnapshotMetadata(stored.persistenceId(), stored.seqNr(), stored.timestamp());
        Payload extra = stored.metadata();
        CompletionStage<SnapshotMetadata> metadata = extra == null
                ? CompletableFuture.completedFuture(plain)
                : payloads.object(extra).thenApply(plain::withMetadata);
        return payloads.object(stored.payload())
                .thenCombine(metadata, (snapshot, about) -> SelectedSnapshot.create(about, snapshot));
    }
}
