package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.layout.commits.CommitItems.Entry;
import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.FindingKind;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds logs of which neither the floor nor the first item has the attribute of the index of persistence ids. */
final class UnlistedId implements EntryCheck {

    private final String persistenceId;
    private final Function<Entry, CompletionStage<Void>> repair;
    private @Nullable Entry first;
    private boolean listed;
    private boolean isThere;

    /** @param repair gives the first item the attribute */
    UnlistedId(String persistenceId, Function<Entry, CompletionStage<Void>> repair) {
        this.persistenceId = persistenceId;
        this.repair = repair;
    }

    @Override
    public void accept(Entry entry) {
        isThere = true;
        if (entry.isFloor() || entry.key() == 1) {
            listed |=
                    CommitItems.idPartition(persistenceId).equals(entry.item().textOr(CommitItems.ID_PARTITION, null));
        }
        if (entry.key() == 1) {
            first = entry;
        }
    }

    @Override
    public Optional<Finding> finding() {
        if (listed || !isThere) {
            return Optional.empty();
        }
        @Nullable Entry at = first;
        Finding finding = Finding.of(
                FindingKind.UNLISTED_ID,
                persistenceId,
                at == null ? 0 : 1,
                at == null
                        ? "neither seq=0 nor seq=1 exists"
                        : "the item seq=1 has no attribute " + CommitItems.ID_PARTITION + " = "
                                + CommitItems.idPartition(persistenceId));
        // The floor has it as long as the first commit expires.
        return Optional.of(
                at == null || at.expirySeconds() > 0
                        ? finding
                        : finding.with(
                                "set " + CommitItems.ID_PARTITION + " = " + CommitItems.idPartition(persistenceId)
                                        + " on the item seq=1",
                                () -> repair.apply(at)));
    }
}
