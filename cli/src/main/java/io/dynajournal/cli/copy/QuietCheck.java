package io.dynajournal.cli.copy;

import io.dynajournal.cli.copy.Store.Journal;
import io.dynajournal.cli.copy.Store.Snapshots;
import io.dynajournal.cli.copy.Store.States;
import io.dynajournal.cli.store.IdPages;
import io.dynajournal.internal.store.LogEnd;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds what has changed in the source since it was copied: writes, deletes, and persistence ids that are gone. Persistence ids are
 * read from the tables themselves, because an index may not show the newest.
 */
final class QuietCheck {

    private final Store source;
    private final Store target;
    private final Checkpoint checkpoint;
    private final BiConsumer<Iterator<String>, Consumer<String>> forEach;
    private final List<String> changes = Collections.synchronizedList(new ArrayList<>());

    /** @param forEach does something with each persistence id */
    QuietCheck(
            Store source, Store target, Checkpoint checkpoint, BiConsumer<Iterator<String>, Consumer<String>> forEach) {
        this.source = source;
        this.target = target;
        this.checkpoint = checkpoint;
        this.forEach = forEach;
    }

    /** The persistence ids that have changed, each with what has. */
    List<String> changes() {
        Journal journal = source.journal();
        Journal copied = target.journal();
        if (journal != null && copied != null) {
            forEach.accept(IdPages.of(journal.idsOfTable()), id -> {
                checkLog(journal, copied, id);
                checkSnapshots(id);
            });
            forEach.accept(IdPages.of(copied.idsOfTable()), id -> {
                if (end(journal, id).seqNr() == 0 && end(copied, id).seqNr() > 0) {
                    changes.add(id + ", whose log is gone from table " + journal.table() + " and still in table "
                            + copied.table());
                }
            });
        }
        States states = source.states();
        States into = target.states();
        if (states != null && into != null) {
            forEach.accept(IdPages.of(states.states()), id -> checkState(states, into, id));
            forEach.accept(IdPages.of(into.states()), id -> {
                if (Blocking.result(states.states().get(id)).isEmpty()
                        && Blocking.result(into.states().get(id)).isPresent()) {
                    changes.add(id + ", whose state is gone from table " + states.table() + " and still in table "
                            + into.table());
                }
            });
        }
        return List.copyOf(changes);
    }

    private static LogEnd end(Journal journal, String id) {
        return Blocking.result(journal.log().end(id));
    }

    private void checkLog(Journal journal, Journal copied, String id) {
        LogEnd end = end(journal, id);
        long reached = checkpoint.reached(id);
        if (end.seqNr() > reached
                && EventPages.from(journal.log(), id, reached + 1).events().hasNext()) {
            changes.add(id + ", sequence number " + end.seqNr() + ", writer " + end.writer());
            return;
        }
        @Nullable Long first = EventPages.firstSeqNr(journal.log(), id);
        long deletedTo = first == null ? end.seqNr() : first - 1;
        @Nullable Long firstCopied = deletedTo == 0 ? null : EventPages.firstSeqNr(copied.log(), id);
        if (firstCopied != null && firstCopied <= deletedTo) {
            changes.add(id + ", whose events up to sequence number " + deletedTo + " were deleted");
        }
    }

    private void checkSnapshots(String id) {
        Snapshots snapshots = source.snapshots();
        Snapshots copied = target.snapshots();
        if (snapshots == null || copied == null) {
            return;
        }
        Optional<Long> newest = Blocking.result(snapshots.snapshots().newestSeqNr(id));
        if (!newest.equals(Blocking.result(copied.snapshots().newestSeqNr(id)))) {
            changes.add(id + ", whose newest snapshot is "
                    + newest.map(Object::toString).orElse("deleted"));
        }
    }

    private void checkState(States states, States into, String id) {
        Blocking.result(states.states().get(id))
                .filter(state -> Blocking.result(into.states().get(id))
                        .filter(state::isSameAs)
                        .isEmpty())
                .ifPresent(state -> changes.add(id + ", revision " + state.revision() + ", writer " + state.writer()));
    }
}
