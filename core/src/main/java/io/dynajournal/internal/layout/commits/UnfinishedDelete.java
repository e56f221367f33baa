package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.layout.commits.CommitItems.Entry;
import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.FindingKind;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;

/** Finds commits before the mark of a delete, and tombstones whose parts are still there. */
final class UnfinishedDelete implements EntryCheck {

    private final String persistenceId;
    private final LongFunction<CompletionStage<Void>> delete;
    private long pendingCommits;
    private long left;
    private long deletedTo;

    /** @param delete deletes all events up to a sequence number */
    UnfinishedDelete(String persistenceId, LongFunction<CompletionStage<Void>> delete) {
        this.persistenceId = persistenceId;
        this.delete = delete;
    }

    @Override
    public void accept(Entry entry) {
        if (entry.isFloor()) {
            return;
        }
        if (entry.isTombstone() || entry.lowestSeqNr() > 0) {
            left += pendingCommits;
            pendingCommits = 0;
            deletedTo = entry.isTombstone() ? entry.end() : entry.lowestSeqNr() - 1;
        }
        if (entry.isTombstone()) {
            left += entry.item().has(Parts.ID) ? 1 : 0;
        } else if (entry.expirySeconds() == 0) {
            // What expires goes by itself.
            pendingCommits++;
        }
    }

    @Override
    public Optional<Finding> finding() {
        long to = deletedTo;
        return left == 0
                ? Optional.empty()
                : Optional.of(Finding.of(
                                FindingKind.UNFINISHED_DELETE,
                                persistenceId,
                                to,
                                left + " items up to sequence number " + to + " are left")
                        .with("complete the delete up to sequence number " + to, () -> delete.apply(to)));
    }
}
