package io.dynajournal.cli.copy;

import io.dynajournal.cli.copy.Difference.What;
import io.dynajournal.cli.copy.Store.Snapshots;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Copies the snapshots of one persistence id, the newest first. What the target has already is compared, and replaced only by a
 * later snapshot of the same sequence number, which an entity may save.
 */
final class SnapshotCopy {

    private final Snapshots source;
    private final Snapshots target;

    SnapshotCopy(Snapshots source, Snapshots target) {
        this.source = source;
        this.target = target;
    }

    /** Copies them; returns how many were stored. */
    int copy(String persistenceId) {
        int stored = 0;
        Iterator<StoredSnapshot> snapshots = of(source, persistenceId);
        while (snapshots.hasNext()) {
            stored += copy(snapshots.next());
            if (target.newestOnly()) {
                break;
            }
        }
        return stored;
    }

    /** Fails if the target has a newer snapshot than the source: it was deleted in the source, and would be recovered from. */
    void checkNotNewer(String persistenceId) {
        Optional<Long> there = Blocking.result(target.snapshots().newestSeqNr(persistenceId));
        Optional<Long> newest = Blocking.result(source.snapshots().newestSeqNr(persistenceId));
        there.filter(seqNr -> seqNr > newest.orElse(-1L)).ifPresent(seqNr -> {
            throw new CopyConflict(
                    target.table(),
                    new Difference(
                            persistenceId,
                            What.SNAPSHOT,
                            seqNr,
                            "the newest in table " + source.table() + " is "
                                    + newest.map(Object::toString).orElse("none, because it was deleted")));
        });
    }

    private int copy(StoredSnapshot snapshot) {
        String id = snapshot.persistenceId();
        StoredSnapshot kept = kept(snapshot, target);
        Optional<StoredSnapshot> there =
                Blocking.result(target.snapshots().load(id, SnapshotCriteria.exactly(snapshot.seqNr())));
        if (there.isEmpty() || there.get().timestamp() < kept.timestamp()) {
            Blocking.result(target.snapshots().save(kept));
            return 1;
        }
        if (!kept(there.get(), source).equals(kept(kept, source))) {
            throw new CopyConflict(
                    target.table(), new Difference(id, What.SNAPSHOT, snapshot.seqNr(), difference(kept, there.get())));
        }
        return 0;
    }

    static StoredSnapshot kept(StoredSnapshot snapshot, Snapshots format) {
        return format.metadata()
                ? snapshot
                : new StoredSnapshot(
                        snapshot.persistenceId(), snapshot.seqNr(), snapshot.timestamp(), snapshot.payload(), null);
    }

    static String difference(StoredSnapshot one, StoredSnapshot other) {
        if (one.timestamp() != other.timestamp()) {
            return "the timestamp is " + one.timestamp() + " and " + other.timestamp();
        }
        return one.payload().equals(other.payload())
                ? "the metadata is " + one.metadata() + " and " + other.metadata()
                : "the payload is " + one.payload() + " and " + other.payload() + ", or has other bytes";
    }

    /** The snapshots of a persistence id, the newest first, one at a time in memory. */
    static Iterator<StoredSnapshot> of(Snapshots snapshots, String persistenceId) {
        return new Iterator<>() {
            private Optional<StoredSnapshot> next = load(Long.MAX_VALUE);

            private Optional<StoredSnapshot> load(long maxSeqNr) {
                return Blocking.result(snapshots
                        .snapshots()
                        .load(persistenceId, new SnapshotCriteria(0, maxSeqNr, 0, Long.MAX_VALUE)));
            }

            @Override
            public boolean hasNext() {
                return next.isPresent();
            }

            @Override
            public StoredSnapshot next() {
                StoredSnapshot snapshot = next.orElseThrow(NoSuchElementException::new);
                next = snapshot.seqNr() == 0 ? Optional.empty() : load(snapshot.seqNr() - 1);
                return snapshot;
            }
        };
    }
}
