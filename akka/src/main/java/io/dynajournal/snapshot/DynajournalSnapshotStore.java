package io.dynajournal.snapshot;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.SaveSnapshotFailure;
import akka.persistence.SelectedSnapshot;
import akka.persistence.SnapshotMetadata;
import akka.persistence.SnapshotSelectionCriteria;
import akka.persistence.snapshot.japi.SnapshotStore;
import com.typesafe.config.Config;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.plugin.OpenPlugins;
import io.dynajournal.internal.plugin.RejectedWrites;
import io.dynajournal.internal.toolkit.PayloadSerde;
import io.dynajournal.internal.toolkit.ScalaFutures;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import scala.PartialFunction;
import scala.concurrent.Future;
import scala.runtime.BoxedUnit;

/**
 * The snapshot store plugin; a snapshot store's settings name it as {@code class}. If it cannot start, because a setting or
 * its table is wrong, it logs the reason once and fails every request with it.
 *
 * <p>After a failed save the toolkit deletes the snapshot. This store ignores that delete: see {@link
 * io.dynajournal.internal.store.SnapshotTable#deleteAfterFailedSave}.
 */
public class DynajournalSnapshotStore extends SnapshotStore {

    private final SerializingSnapshots snapshots;
    private final RejectedWrites rejectedWrites;

    /** Whether the message that is being handled reports a failed save, whose snapshot the toolkit deletes. */
    private boolean saveFailed;

    /**
     * Called by the toolkit.
     *
     * @param config the plugin's settings
     * @param path where they are, such as {@code dynajournal.snapshot}
     */
    public DynajournalSnapshotStore(Config config, String path) {
        ActorSystem system = context().system();
        OpenPlugins plugins = OpenPlugins.get(system);
        this.rejectedWrites = plugins.rejectedWrites();
        this.snapshots = new SerializingSnapshots(
                plugins.snapshots(config, path),
                new SnapshotSerde(new PayloadSerde(system)),
                context().dispatcher());
    }

    @Override
    public void aroundReceive(PartialFunction<Object, BoxedUnit> receive, Object message) {
        saveFailed = message instanceof SaveSnapshotFailure;
        super.aroundReceive(receive, message);
    }

    @Override
    public Future<Optional<SelectedSnapshot>> doLoadAsync(String persistenceId, SnapshotSelectionCriteria criteria) {
        return ScalaFutures.asScala(snapshots.load(persistenceId, criteria));
    }

    @Override
    public Future<Void> doSaveAsync(SnapshotMetadata metadata, Object snapshot) {
        ActorRef entity = sender();
        if (entity != null && rejectedWrites.covers(metadata.persistenceId(), entity, metadata.sequenceNr())) {
            return ScalaFutures.asScala(CompletableFuture.failedFuture(new StoreException.Refused(
                    "Snapshot " + metadata.sequenceNr() + " of " + metadata.persistenceId()
                            + " was not saved: the event with this sequence number was rejected, so that another writer"
                            + " can use the sequence number, and the snapshot would hide its event. Save a snapshot"
                            + " after the next event is stored. Nothing was stored.",
                    null)));
        }
        return ScalaFutures.asScala(snapshots.save(metadata, snapshot));
    }

    @Override
    public Future<Void> doDeleteAsync(SnapshotMetadata metadata) {
        return ScalaFutures.asScala(
                saveFailed ? snapshots.deleteAfterFailedSave(metadata) : snapshots.delete(metadata));
    }

    @Override
    public Future<Void> doDeleteAsync(String persistenceId, SnapshotSelectionCriteria criteria) {
        return ScalaFutures.asScala(snapshots.delete(persistenceId, criteria));
    }
}
