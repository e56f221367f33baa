package io.dynajournal.snapshot;

import akka.actor.ActorSystem;
import akka.persistence.SelectedSnapshot;
import akka.persistence.SnapshotMetadata;
import akka.persistence.SnapshotSelectionCriteria;
import akka.persistence.snapshot.japi.SnapshotStore;
import com.typesafe.config.Config;
import io.dynajournal.Dynajournal;
import io.dynajournal.toolkit.PayloadSerde;
import io.dynajournal.toolkit.Stages;
import java.util.Optional;
import scala.concurrent.Future;

/**
 * The snapshot store plugin; settings name it as {@code class}. If it cannot start, because a setting or its table is
 * wrong, it says so once in the log and fails every request with that message.
 */
public final class DynamoSnapshotStore extends SnapshotStore {

    private final SerializedSnapshots snapshots;

    public DynamoSnapshotStore(Config config, String path) {
        ActorSystem system = context().system();
        this.snapshots = new SerializedSnapshots(
                Dynajournal.get(system).snapshots(config, path),
                new SnapshotSerde(new PayloadSerde(system)),
                context().dispatcher());
    }

    @Override
    public Future<Optional<SelectedSnapshot>> doLoadAsync(String persistenceId, SnapshotSelectionCriteria criteria) {
        return Stages.asScala(snapshots.load(persistenceId, criteria));
    }

    @Override
    public Future<Void> doSaveAsync(SnapshotMetadata metadata, Object snapshot) {
        return Stages.asScala(snapshots.save(metadata, snapshot));
    }

    @Override
    public Future<Void> doDeleteAsync(SnapshotMetadata metadata) {
        return Stages.asScala(snapshots.delete(metadata));
    }

    @Override
    public Future<Void> doDeleteAsync(String persistenceId, SnapshotSelectionCriteria criteria) {
        return Stages.asScala(snapshots.delete(persistenceId, criteria));
    }
}
