package io.dynajournal.cli;

import io.dynajournal.cli.store.StoreKind;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What a clean-up deletes. */
enum CleanupWhat {
    EVENTS,
    BEFORE_SNAPSHOT,
    SNAPSHOTS,
    ALL,
    STATES,
    TOMBSTONES;

    /** The stores that it changes. */
    Set<StoreKind> stores() {
        return switch (this) {
            case EVENTS -> EnumSet.of(StoreKind.JOURNAL);
            case SNAPSHOTS -> EnumSet.of(StoreKind.SNAPSHOTS);
            case BEFORE_SNAPSHOT, ALL -> EnumSet.of(StoreKind.JOURNAL, StoreKind.SNAPSHOTS);
            case STATES, TOMBSTONES -> EnumSet.of(StoreKind.STATES);
        };
    }

    /** Whether the numbers may start at 1 again. */
    boolean canReset() {
        return this == EVENTS || this == ALL || this == STATES;
    }

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
