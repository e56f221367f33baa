package io.dynajournal.internal.catalog;

import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.layout.akka1.Akka1Journal;
import io.dynajournal.internal.layout.akka1.Akka1Snapshots;
import io.dynajournal.internal.layout.akka2.Akka2Journal;
import io.dynajournal.internal.layout.akka2.Akka2Snapshots;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.layout.commits.CommitsSnapshots;
import io.dynajournal.internal.layout.commits.CommitsStates;
import io.dynajournal.internal.layout.j5ik2o.J5Journal;
import io.dynajournal.internal.layout.j5ik2o.J5Snapshots;
import io.dynajournal.internal.layout.j5ik2o.J5States;
import io.dynajournal.internal.layout.sclasen.SclasenJournal;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All layouts: the name of each, and how to create it from its settings. A new layout needs its package and one constant here.
 */
@SuppressWarnings("ImmutableEnumChecker") // the functions are constructors, which have no state
public enum Layout {
    /** The native layout. */
    COMMITS(CommitsJournal::of, CommitsSnapshots::of, CommitsStates::of, "table", "table"),
    /** Tables of akka-persistence-dynamodb 2.x. */
    AKKA2(Akka2Journal::of, Akka2Snapshots::of, null, "journal.table", "snapshot.table"),
    /** Tables of akka-persistence-dynamodb 1.x and of its fork for Pekko. */
    AKKA1(Akka1Journal::of, Akka1Snapshots::of, null, "journal-table", "snapshot-table"),
    /** Tables of j5ik2o's plugin. */
    J5IK2O(J5Journal::of, J5Snapshots::of, J5States::of, "table-name", "table-name"),
    /** Tables of sclasen's plugin 0.3. */
    SCLASEN(SclasenJournal::of, null, null, "journal-table", "snapshot-table");

    private final Function<LayoutSettings, JournalLayout> journal;
    private final @Nullable Function<LayoutSettings, SnapshotLayout> snapshots;
    private final @Nullable Function<LayoutSettings, StateLayout> states;
    private final String journalTableKey;
    private final String snapshotTableKey;

    /**
     * @param snapshots null for a layout without snapshots
     * @param states null for a layout without durable states
     */
    Layout(
            Function<LayoutSettings, JournalLayout> journal,
            @Nullable Function<LayoutSettings, SnapshotLayout> snapshots,
            @Nullable Function<LayoutSettings, StateLayout> states,
            String journalTableKey,
            String snapshotTableKey) {
        this.journal = journal;
        this.snapshots = snapshots;
        this.states = states;
        this.journalTableKey = journalTableKey;
        this.snapshotTableKey = snapshotTableKey;
    }

    /**
     * The layout with a name, as settings and the command line spell it.
     *
     * @throws IllegalArgumentException if there is none; the message lists the names
     */
    public static Layout named(String name) {
        return Arrays.stream(values())
                .filter(layout -> layout.spelled().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no layout \"" + name + "\"; there are "
                        + Arrays.stream(values()).map(Layout::spelled).collect(Collectors.joining(", "))));
    }

    /** The name as settings and the command line spell it. */
    public String spelled() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The journal of this layout. */
    public JournalLayout journal(LayoutSettings settings) {
        return journal.apply(settings);
    }

    /** The snapshot store of this layout; empty if it has none. */
    public Optional<SnapshotLayout> snapshots(LayoutSettings settings) {
        return snapshots == null ? Optional.empty() : Optional.of(snapshots.apply(settings));
    }

    /** The durable state store of this layout; empty if it has none. */
    public Optional<StateLayout> states(LayoutSettings settings) {
        return states == null ? Optional.empty() : Optional.of(states.apply(settings));
    }

    /** The setting that names the journal's table. */
    public String journalTableKey() {
        return journalTableKey;
    }

    /** The setting that names the snapshot table. */
    public String snapshotTableKey() {
        return snapshotTableKey;
    }
}
