package io.dynajournal.internal.layout.akka1;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LruMap;
import io.dynajournal.internal.store.SnapshotTable;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Snapshots that may be under the journal's name or under the default one. On Akka 2.5 the predecessor does not pass {@code
 * journal-name} of {@code dynamodb-journal} on to its snapshot store, so it keeps snapshots under the default name. They are looked
 * for under both names, and the newer one is loaded; a persistence id that has one under the default name keeps them there, so that
 * the predecessor finds them.
 *
 * <p>Another application may share the table and use the default name. Where the journal of that name has a log of the persistence
 * id, what is stored under the default name belongs to it, and is neither loaded nor replaced. Thread-safe.
 */
final class Akka1DefaultName implements SnapshotTable {

    private static final Logger log = LoggerFactory.getLogger(Akka1DefaultName.class);

    /** A forgotten persistence id is looked up again. */
    private static final int MAX_IDS = 10_000;

    private final Akka1Snapshots settings;
    private final SnapshotTable own;
    private final SnapshotTable underDefault;
    private final EventLog defaultLog;
    private final LruMap<String, Boolean> ours = new LruMap<>(MAX_IDS);
    private final AtomicBoolean reported = new AtomicBoolean();

    Akka1DefaultName(Dynamo dynamo, Akka1Snapshots settings, Akka1Journal defaultJournal) {
        this.settings = settings;
        this.own = settings.inLanes(dynamo);
        this.underDefault = settings.underDefaultName().inLanes(dynamo);
        this.defaultLog = defaultJournal.open(dynamo);
    }

    @Override
    public CompletionStage<Optional<StoredSnapshot>> load(String persistenceId, SnapshotCriteria criteria) {
        return own.load(persistenceId, criteria)
                .thenCombine(ofDefaultName(persistenceId, criteria), Akka1DefaultName::newer);
    }

    private static Optional<StoredSnapshot> newer(Optional<StoredSnapshot> one, Optional<StoredSnapshot> other) {
        return one.isEmpty()
                        || (other.isPresent() && other.get().seqNr() > one.get().seqNr())
                ? other
                : one;
    }

    @Override
    public CompletionStage<Void> save(StoredSnapshot snapshot) {
        return isUnderDefault(snapshot.persistenceId())
                .thenCompose(there -> (there ? underDefault : own).save(snapshot));
    }

    @Override
    public CompletionStage<Void> delete(String persistenceId, SnapshotCriteria criteria) {
        return isUnderDefault(persistenceId)
                .thenCompose(there -> there
                        ? underDefault.delete(persistenceId, criteria)
                        : CompletableFuture.<Void>completedFuture(null))
                .thenCompose(deleted -> own.delete(persistenceId, criteria));
    }

    /** A recovery has found out before, unless there is none. */
    private CompletionStage<Boolean> isUnderDefault(String persistenceId) {
        Boolean known = ours.get(persistenceId);
        return known != null
                ? CompletableFuture.completedFuture(known)
                : ofDefaultName(persistenceId, SnapshotCriteria.ALL).thenApply(Optional::isPresent);
    }

    /** A snapshot of this journal under the default name. */
    private CompletionStage<Optional<StoredSnapshot>> ofDefaultName(String persistenceId, SnapshotCriteria criteria) {
        return underDefault
                .load(persistenceId, criteria)
                .thenCompose(found -> found.isEmpty()
                        ? CompletableFuture.completedFuture(found)
                        : isOurs(persistenceId).thenApply(yes -> found.filter(snapshot -> yes)));
    }

    private CompletionStage<Boolean> isOurs(String persistenceId) {
        Boolean known = ours.get(persistenceId);
        return known != null
                ? CompletableFuture.completedFuture(known)
                : defaultLog.end(persistenceId).thenApply(end -> {
                    boolean isOurs = end.seqNr() == 0;
                    ours.put(persistenceId, isOurs);
                    if (isOurs && reported.compareAndSet(false, true)) {
                        report(persistenceId);
                    }
                    return isOurs;
                });
    }

    private void report(String persistenceId) {
        log.warn(
                "Table {} has snapshots of journal {} under the default name {} ({} is the first), where 1.x on Akka 2.5 keeps"
                        + " them. They are loaded, and later ones are stored there too. To use the journal's name only, set"
                        + " journal-name in the block of the snapshot store.",
                settings.tableName(),
                settings.journalName(),
                Akka1Journal.DEFAULT_NAME,
                persistenceId);
    }
}
