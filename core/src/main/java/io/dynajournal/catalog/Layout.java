package io.dynajournal.catalog;

import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.layout.StateLayout;
import io.dynajournal.layout.akka1.Akka1Journal;
import io.dynajournal.layout.akka1.Akka1Snapshots;
import io.dynajournal.layout.akka2.Akka2Journal;
import io.dynajournal.layout.akka2.Akka2Snapshots;
import io.dynajournal.layout.commits.CommitsJournal;
import io.dynajournal.layout.commits.CommitsSnapshots;
import io.dynajournal.layout.commits.CommitsStates;
import io.dynajournal.layout.j5ik2o.J5Journal;
import io.dynajournal.layout.j5ik2o.J5Snapshots;
import io.dynajournal.layout.j5ik2o.J5States;
import io.dynajournal.layout.sclasen.SclasenJournal;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Every layout there is: its name, and how to make it from its own settings. */
public enum Layout {
    /** The native one. */
    COMMITS,
    /** Of akka-persistence-dynamodb 2.x. */
    AKKA2,
    /** Of akka-persistence-dynamodb 1.x and its fork for Pekko. */
    AKKA1,
    /** Of j5ik2o's plugin. */
    J5IK2O,
    /** Of sclasen's plugin 0.3. */
    SCLASEN;

    /**
     * The layout of a name, as settings and command lines write it.
     *
     * @throws IllegalArgumentException if there is none; the message lists them
     */
    public static Layout named(String name) {
        return Arrays.stream(values())
                .filter(layout -> layout.spelled().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no layout \"" + name + "\"; there are "
                        + Arrays.stream(values()).map(Layout::spelled).collect(Collectors.joining(", "))));
    }

    public String spelled() {
        return name().toLowerCase(Locale.ROOT);
    }

    public JournalLayout journal(LayoutSettings settings) {
        return switch (this) {
            case COMMITS -> CommitsJournal.of(settings);
            case AKKA2 -> Akka2Journal.of(settings);
            case AKKA1 -> Akka1Journal.of(settings);
            case J5IK2O -> J5Journal.of(settings);
            case SCLASEN -> SclasenJournal.of(settings);
        };
    }

    /** Empty for a layout without snapshots. */
    public Optional<SnapshotLayout> snapshots(LayoutSettings settings) {
        return switch (this) {
            case COMMITS -> Optional.of(CommitsSnapshots.of(settings));
            case AKKA2 -> Optional.of(Akka2Snapshots.of(settings));
            case AKKA1 -> Optional.of(Akka1Snapshots.of(settings));
            case J5IK2O -> Optional.of(J5Snapshots.of(settings));
            case SCLASEN -> Optional.empty();
        };
    }

    /** Empty for a layout without durable states. */
    public Optional<StateLayout> states(LayoutSettings settings) {
        return switch (this) {
            case COMMITS -> Optional.of(CommitsStates.of(settings));
            case J5IK2O -> Optional.of(J5States.of(settings));
            case AKKA2, AKKA1, SCLASEN -> Optional.empty();
        };
    }

    /** The setting that names the journal's table. */
    public String journalTableKey() {
        return switch (this) {
            case COMMITS -> "table";
            case AKKA2 -> "journal.table";
            case AKKA1, SCLASEN -> "journal-table";
            case J5IK2O -> "table-name";
        };
    }

    /** The setting that names the snapshots' table. */
    public String snapshotTableKey() {
        return switch (this) {
            case COMMITS -> "table";
            case AKKA2 -> "snapshot.table";
            case AKKA1, SCLASEN -> "snapshot-table";
            case J5IK2O -> "table-name";
        };
    }
}
