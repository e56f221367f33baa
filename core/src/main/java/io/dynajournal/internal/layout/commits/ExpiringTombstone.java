package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.layout.commits.CommitItems.Entry;
import io.dynajournal.internal.store.Finding;
import io.dynajournal.internal.store.FindingKind;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds a highest tombstone that expires. If everything else expires too, the log is to begin again: that is meant. */
final class ExpiringTombstone implements EntryCheck {

    private final String persistenceId;
    private @Nullable Entry last;
    private boolean anyStays;
    private long floor;

    ExpiringTombstone(String persistenceId) {
        this.persistenceId = persistenceId;
    }

    @Override
    public void accept(Entry entry) {
        anyStays |= entry.expirySeconds() == 0 && entry.item().numberOr(CommitItems.EXPIRY, 0) == 0;
        if (entry.isFloor()) {
            floor = entry.end();
        } else {
            last = entry;
        }
    }

    @Override
    public Optional<Finding> finding() {
        @Nullable Entry highest = last;
        return highest == null
                        || !highest.isTombstone()
                        || highest.expirySeconds() == 0
                        || !anyStays
                        || floor >= highest.end()
                ? Optional.empty()
                : Optional.of(Finding.of(
                        FindingKind.EXPIRING_TOMBSTONE,
                        persistenceId,
                        highest.end(),
                        "the item pid=" + persistenceId + ", seq=" + highest.key() + " expires at "
                                + Instant.ofEpochSecond(highest.expirySeconds())));
    }
}
