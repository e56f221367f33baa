package io.dynajournal.testkit.history;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.layout.commits.CommitsSnapshots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A layout under test, with what its format cannot do.
 *
 * @param snapshots empty if the layout has none
 * @param maxBytes the largest event
 * @param maxCount the largest atomic write
 * @param loneDeletes whether deletes need a single writer: nothing else of the entity may be alive or in flight
 * @param savesAfterWrites whether a snapshot is safe only after a write of the same incarnation: the highest sequence number that it
 *     recovered with may belong to another writer's atomic write that is not complete yet
 */
record Subject(
        String name,
        JournalLayout journal,
        Optional<SnapshotLayout> snapshots,
        int maxBytes,
        int maxCount,
        boolean loneDeletes,
        boolean savesAfterWrites) {

    static final String JOURNAL = "journal";
    static final String SNAPSHOTS = "snapshots";

    /** All layouts, and their kinds of deletes. */
    static List<Subject> all() {
        List<Subject> all = new ArrayList<>();
        all.add(commits("commits", 4096, 3));
        all.add(commits("commits-defaults", 399_360, 256));
        all.add(of("akka2", Layout.AKKA2, akka2(), 3_000, 150, true));
        all.add(of("akka1", Layout.AKKA1, akka1(), 3_000, 120, false));
        all.add(of("j5ik2o", Layout.J5IK2O, j5ik2o(true), 3_000, 100, false));
        all.add(of("j5ik2o-hard", Layout.J5IK2O, j5ik2o(false), 3_000, 100, true));
        all.add(sclasen("sclasen", false));
        all.add(sclasen("sclasen-permanent", true));
        return all;
    }

    /** Small items, so that commits have parts, and small pages. */
    private static Subject commits(String name, int itemSize, int pageItems) {
        return new Subject(
                name,
                new CommitsJournal(JOURNAL, true, true, 2, true, itemSize, pageItems, 3, Duration.ofDays(30)),
                Optional.of(new CommitsSnapshots(SNAPSHOTS, true, true, itemSize)),
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                false,
                false);
    }

    private static Subject of(
            String name, Layout layout, Map<String, String> settings, int maxBytes, int maxCount, boolean lone) {
        return new Subject(
                name,
                layout.journal(new LayoutSettings(settings)),
                layout.snapshots(new LayoutSettings(settings(settings))),
                maxBytes,
                maxCount,
                lone,
                layout == Layout.AKKA1);
    }

    private static Map<String, String> settings(Map<String, String> journal) {
        return journal.containsKey("table-name") ? Map.of("table-name", SNAPSHOTS) : journal;
    }

    private static Map<String, String> akka2() {
        return Map.of("journal.table", JOURNAL, "snapshot.table", SNAPSHOTS);
    }

    private static Map<String, String> akka1() {
        return Map.of("journal-table", JOURNAL, "snapshot-table", SNAPSHOTS, "sequence-shards", "3");
    }

    private static Map<String, String> j5ik2o(boolean softDelete) {
        return Map.of(
                "table-name",
                JOURNAL,
                "soft-delete",
                softDelete ? "on" : "off",
                "shard-count",
                Integer.toString(Integer.MAX_VALUE));
    }

    private static Subject sclasen(String name, boolean permanentDeletes) {
        Map<String, String> settings = Map.of(
                "journal-table", JOURNAL, "sequence-shards", "3", "permanent-deletes", permanentDeletes ? "on" : "off");
        return of(name, Layout.SCLASEN, settings, 3_000, 90, false);
    }

    @Override
    public String toString() {
        return name;
    }
}
