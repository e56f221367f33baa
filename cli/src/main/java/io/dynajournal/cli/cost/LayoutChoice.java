package io.dynajournal.cli.cost;

import io.dynajournal.cli.terminal.UsageException;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.TimeToLive;
import io.dynajournal.internal.layout.akka2.Akka2Journal;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.settings.Spelling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A layout to estimate.
 *
 * @param snapshots empty if the layout has none
 */
public record LayoutChoice(String name, JournalLayout journal, Optional<SnapshotLayout> snapshots) {

    private static final String WITHOUT_INDEXES = "commits-no-index";

    /** All layouts with their default settings. */
    public static List<LayoutChoice> all() {
        return all("events", "snapshots");
    }

    private static List<LayoutChoice> all(String table, String snapshotTable) {
        List<LayoutChoice> all = new ArrayList<>();
        for (Layout layout : Layout.values()) {
            all.add(defaults(layout, table, snapshotTable));
            if (layout == Layout.COMMITS) {
                LayoutChoice commits = all.get(all.size() - 1);
                all.add(new LayoutChoice(
                        WITHOUT_INDEXES, ((CommitsJournal) commits.journal).withoutIndexes(), commits.snapshots));
            }
        }
        return all;
    }

    private static LayoutChoice defaults(Layout layout, String table, String snapshotTable) {
        return new LayoutChoice(
                layout.spelled(),
                layout.journal(new LayoutSettings(Map.of(layout.journalTableKey(), table))),
                layout.snapshots(new LayoutSettings(Map.of(layout.snapshotTableKey(), snapshotTable))));
    }

    /**
     * The layouts with these names.
     *
     * @throws UsageException if there is no such layout
     */
    public static List<LayoutChoice> named(List<String> names) {
        return named(names, "events", "snapshots");
    }

    static List<LayoutChoice> named(List<String> names, String table, String snapshotTable) {
        Map<String, LayoutChoice> all = all(table, snapshotTable).stream()
                .collect(Collectors.toMap(
                        LayoutChoice::name, Function.identity(), (one, other) -> one, LinkedHashMap::new));
        List<LayoutChoice> chosen = new ArrayList<>();
        for (String name : names) {
            LayoutChoice choice = all.get(name.trim());
            if (choice == null) {
                @Nullable String nearest = Spelling.nearest(name.trim(), all.keySet());
                throw new UsageException("there is no layout " + name.trim()
                        + (nearest == null
                                ? "; there are " + String.join(", ", all.keySet())
                                : "; did you mean " + nearest + "?"));
            }
            if (!chosen.contains(choice)) {
                chosen.add(choice);
            }
        }
        return chosen;
    }

    /** The words between commas. */
    public static List<String> split(String names) {
        return Arrays.asList(names.split(",", -1));
    }

    /** The layout of an existing table, with its settings. Its snapshots are those of that layout by default. */
    static LayoutChoice of(JournalLayout journal) {
        LayoutChoice defaults = all().stream()
                .filter(choice -> choice.journal.getClass() == journal.getClass())
                .findFirst()
                .orElseThrow();
        boolean indexed = !journal.table().indexes().isEmpty();
        String name = journal instanceof CommitsJournal && !indexed ? WITHOUT_INDEXES : defaults.name;
        return new LayoutChoice(name, journal, defaults.snapshots);
    }

    /** The same with events that expire; empty if the layout has no expiry. */
    Optional<LayoutChoice> expiring(Duration retention) {
        TimeToLive rules = new TimeToLive(new TimeToLive.Rules(true, null, retention, null), Map.of());
        if (journal instanceof CommitsJournal commits) {
            return Optional.of(new LayoutChoice(name, commits.with(rules), snapshots));
        }
        if (journal instanceof Akka2Journal akka2) {
            return Optional.of(new LayoutChoice(name, akka2.with(rules), snapshots));
        }
        return Optional.empty();
    }
}
