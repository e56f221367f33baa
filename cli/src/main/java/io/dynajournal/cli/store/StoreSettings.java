package io.dynajournal.cli.store;

import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.layout.JournalLayout;
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

    /** For messages: the layout, or the file and the plugin. */
    String described();
}
