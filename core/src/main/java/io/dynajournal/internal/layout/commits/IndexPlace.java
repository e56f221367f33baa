package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.layout.commits.CommitItems.Entry;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.FindingKind;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds commits in a partition of the slice index that no reader reads. */
final class IndexPlace implements EntryCheck {

    private final String persistenceId;
    private final CommitsRegistry.State registry;
    private final Set<String> partitions;
    private Optional<Finding> found = Optional.empty();

    IndexPlace(String persistenceId, CommitsRegistry.State registry) {
        this.persistenceId = persistenceId;
        this.registry = registry;
        this.partitions = registry.counts().keySet().stream()
                .map(count -> CommitItems.indexPartition(persistenceId, count))
                .collect(Collectors.toSet());
    }

    @Override
    public void accept(Entry entry) {
        if (found.isPresent() || entry.isFloor() || entry.isTombstone()) {
            return;
        }
        String stored = entry.item().text(CommitItems.INDEX_PARTITION);
        if (!partitions.contains(stored)) {
            found = Optional.of(finding(
                    entry, "the partition " + stored + " is not one of " + partitions + ", which readers read"));
        } else if (!registry.types().contains(Slices.entityType(persistenceId))) {
            found = Optional.of(finding(entry, "the registry lacks the entity type, which a next write restores"));
        }
    }

    private Finding finding(Entry entry, String detail) {
        return Finding.of(FindingKind.NOT_INDEXED, persistenceId, entry.key(), detail);
    }

    @Override
    public Optional<Finding> finding() {
        return found;
    }
}
