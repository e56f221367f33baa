package io.dynajournal.cli.copy;

import io.dynajournal.cli.copy.Difference.What;
import io.dynajournal.cli.copy.Store.Journal;
import io.dynajournal.cli.copy.Store.Snapshots;
import io.dynajournal.cli.copy.Store.States;
import io.dynajournal.cli.run.IdWorkers;
import io.dynajournal.cli.store.IdPages;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.model.StoredState;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** Compares two stores: the first difference of each persistence id, of its events, of its snapshots, and of its state. */
public final class StoreComparison {

    private final Store one;
    private final Store other;
    private final IdWorkers workers;
    private final Consumer<Difference> found;
    private final AtomicLong ids = new AtomicLong();
    private final AtomicLong differences = new AtomicLong();

    /** @param found receives differences, from several threads */
    public StoreComparison(
            Store one, Store other, int idsInFlight, BooleanSupplier stopped, Consumer<Difference> found) {
        this.one = one;
        this.other = other;
        this.workers = new IdWorkers(idsInFlight, stopped);
        this.found = found;
    }

    /** How many logs and states were compared. */
    public long compared() {
        return ids.get();
    }

    /** Compares them; returns how many differences there are. */
    public long run() {
        Journal journal = one.journal();
        Journal otherJournal = other.journal();
        if (journal != null && otherJournal != null) {
            LogComparison logs = new LogComparison(journal, otherJournal);
            compare(IdPages.of(journal.ids()), What.EVENT, logs::compare);
            compare(
                    IdPages.of(otherJournal.ids()),
                    What.EVENT,
                    id -> Blocking.result(journal.log().end(id)).seqNr() == 0 ? logs.compare(id) : Optional.empty());
        }
        Snapshots snapshots = one.snapshots();
        Snapshots otherSnapshots = other.snapshots();
        if (journal != null && snapshots != null && otherSnapshots != null) {
            compare(IdPages.of(journal.ids()), What.SNAPSHOT, id -> compareSnapshots(snapshots, otherSnapshots, id));
        }
        States states = one.states();
        States otherStates = other.states();
        if (states != null && otherStates != null) {
            compare(IdPages.of(states.states()), What.STATE, id -> compareStates(states, otherStates, id));
            compare(
                    IdPages.of(otherStates.states()),
                    What.STATE,
                    id -> Blocking.result(states.states().get(id)).isEmpty()
                            ? compareStates(states, otherStates, id)
                            : Optional.empty());
        }
        return differences.get();
    }

    private void compare(
            Iterator<String> persistenceIds, What what, Function<String, Optional<Difference>> comparison) {
        workers.forEach(persistenceIds, id -> {
            Optional<Difference> difference;
            try {
                difference = comparison.apply(id);
            } catch (RuntimeException e) {
                difference = Optional.of(new Difference(
                        id, what, 0, "cannot be compared: " + (e.getMessage() == null ? e : e.getMessage())));
            }
            ids.incrementAndGet();
            difference.ifPresent(this::report);
        });
    }

    private void report(Difference difference) {
        differences.incrementAndGet();
        found.accept(difference);
    }

    /** Older snapshots of the other store are no difference: they may have been deleted in this one since. */
    private static Optional<Difference> compareSnapshots(Snapshots one, Snapshots other, String id) {
        Iterator<StoredSnapshot> snapshots = SnapshotCopy.of(one, id);
        Optional<StoredSnapshot> newest = Blocking.result(other.snapshots().load(id, SnapshotCriteria.ALL));
        boolean first = true;
        while (snapshots.hasNext()) {
            StoredSnapshot snapshot = snapshots.next();
            Optional<StoredSnapshot> there = first
                    ? newest
                    : Blocking.result(other.snapshots().load(id, SnapshotCriteria.exactly(snapshot.seqNr())));
            Optional<Difference> difference = difference(one, other, snapshot, there);
            if (difference.isPresent() || one.newestOnly() || other.newestOnly()) {
                return difference;
            }
            first = false;
        }
        return first
                ? newest.map(
                        there -> new Difference(id, What.SNAPSHOT, there.seqNr(), "only in table " + other.table()))
                : Optional.empty();
    }

    private static Optional<Difference> difference(
            Snapshots one, Snapshots other, StoredSnapshot snapshot, Optional<StoredSnapshot> there) {
        if (there.isEmpty() || there.get().seqNr() != snapshot.seqNr()) {
            String where = there.map(found -> found.seqNr() + " is the newest in table " + other.table())
                    .orElse("only in table " + one.table());
            return Optional.of(new Difference(snapshot.persistenceId(), What.SNAPSHOT, snapshot.seqNr(), where));
        }
        StoredSnapshot left = SnapshotCopy.kept(snapshot, other);
        StoredSnapshot right = SnapshotCopy.kept(there.get(), one);
        return left.equals(right)
                ? Optional.empty()
                : Optional.of(new Difference(
                        snapshot.persistenceId(),
                        What.SNAPSHOT,
                        snapshot.seqNr(),
                        SnapshotCopy.difference(left, right)));
    }

    private static Optional<Difference> compareStates(States one, States other, String id) {
        Optional<StoredState> state = Blocking.result(one.states().get(id));
        Optional<StoredState> there = Blocking.result(other.states().get(id));
        if (state.isEmpty()) {
            return there.map(
                    found -> new Difference(id, What.STATE, found.revision(), "only in table " + other.table()));
        }
        return there.filter(state.get()::isSameAs).isPresent()
                ? Optional.empty()
                : Optional.of(new Difference(
                        id, What.STATE, state.get().revision(), StateCopy.difference(state.get(), there)));
    }
}
