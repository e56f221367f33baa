package io.dynajournal.catalog;

import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.layout.commits.CommitsJournal;
import io.dynajournal.layout.commits.CommitsSnapshots;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Every layout there is: its name, and how to make it from its own settings. */
public enum Layout {
    /** The native one. */
    COMMITS;

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
        };
    }

    /** Empty for a layout without snapshots. */
    public Optional<SnapshotLayout> snapshots(LayoutSettings settings) {
        return switch (this) {
            case COMMITS -> Optional.of(CommitsSnapshots.of(settings));
        };
    }

    /** The setting that names the journal's table. */
    public String journalTableKey() {
        return switch (this) {
            case COMMITS -> "table";
        };
    }

    /** The setting that names the snapshots' table. */
    public String snapshotTableKey() {
        return switch (this) {
            case COMMITS -> "table";
        };
    }
}
