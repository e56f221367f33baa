package io.dynajournal.cli.store;

import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.Permissions;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.StateLayout;
import java.util.List;
import java.util.Optional;

/**
 * Which tables a command works on, and how it reaches them. Methods fail with {@link
 * io.dynajournal.cli.terminal.UsageException} if what the user has said is wrong.
 */
public interface StoreSettings {

    /**
     * The settings of one store.
     *
     * @param layouts the layouts that the table may have; if there are several, the table's key decides
     */
    record Located<L>(List<L> layouts, ClientSettings client, RetrySettings retry) {
        public Located {
            layouts = List.copyOf(layouts);
        }
    }

    Located<JournalLayout> journal();

    /** Empty if the layout has no snapshots. */
    Optional<Located<SnapshotLayout>> snapshots();

    /** Empty if the layout has no durable states. */
    Optional<Located<StateLayout>> states();

    /** The table that is created for a store, and the client that reaches it. Sends no request. */
    default PlannedTable planned(StoreKind kind) {
        return switch (kind) {
            case JOURNAL -> {
                JournalLayout layout = journal().layouts().get(0);
                yield new PlannedTable(
                        layout.table(), journal().client(), layout.permissions(), layout.usesTimeToLive());
            }
            case SNAPSHOTS -> {
                Located<SnapshotLayout> snapshots = snapshots().orElseThrow(() -> without(kind));
                SnapshotLayout layout = snapshots.layouts().get(0);
                yield new PlannedTable(
                        layout.table(), snapshots.client(), layout.permissions(), layout.usesTimeToLive());
            }
            case STATES -> {
                Located<StateLayout> states = states().orElseThrow(() -> without(kind));
                StateLayout layout = states.layouts().get(0);
                yield new PlannedTable(layout.table(), states.client(), layout.permissions(), false);
            }
            case OFFSETS -> throw without(kind);
        };
    }

    /**
     * The definition of a table, and the client that reaches it.
     *
     * @param permissions what its requests need
     * @param usesTimeToLive whether the settings need the table's time to live
     */
    record PlannedTable(TableSpec table, ClientSettings client, Permissions permissions, boolean usesTimeToLive) {}

    private UsageException without(StoreKind kind) {
        return new UsageException(described() + " has no " + kind.title());
    }

    /** For messages: the layout, or the file and the plugin. */
    String described();
}
