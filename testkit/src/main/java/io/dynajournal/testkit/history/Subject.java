package io.dynajournal.testkit.history;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.TimeToLive;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.layout.commits.CommitsSnapshots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A layout under test, with what its format cannot do.
 *
 * @param journals the settings of the journal, in the order in which the processes of a program change to them
 * @param snapshots empty if the layout has none
 * @param maxBytes the largest event
 * @param maxCount the largest atomic write
 * @param eventLife after which events expire; null for never
 */
record Subject(
        String name,
        List<JournalLayout> journals,
        Optional<SnapshotLayout> snapshots,
        int maxBytes,
        int maxCount,
        Set<Limit> limits,
        @Nullable Duration eventLife) {

    static final String JOURNAL = "journal";
    static final String SNAPSHOTS = "snapshots";

    private static final Duration EVENT_LIFE = Duration.ofMinutes(10);
    private static final int MAX_ADOPTED_BYTES = 3_000;
    private static final String RESOLVERS = "com.github.j5ik2o.akka.persistence.dynamodb.journal.PartitionKeyResolver$";
    private static final String NEWER = "PersistenceIdBased";
    private static final String OLDER = "SequenceNumberBased";

    /** All layouts, and their kinds of deletes. */
    static List<Subject> all() {
        List<Subject> all = new ArrayList<>();
        all.add(commits("commits", List.of(commits(4096, 3, 2), commits(8192, 40, 4)), 4096, null));
        all.add(commits("commits-defaults", List.of(commits(399_360, 256, 2)), 399_360, null));
        all.add(commits("commits-expiring", List.of(commits(4096, 3, 2).with(expiring())), 4096, EVENT_LIFE));
        all.add(of(
                "akka2",
                Layout.AKKA2,
                List.of(akka2()),
                150,
                Limit.OUTLIVED_WRITERS,
                Limit.LATE_REQUESTS,
                Limit.PARTITION_PER_SLICE));
        all.add(of("akka1", Layout.AKKA1, List.of(akka1()), 120, Limit.SNAPSHOTS_BEFORE_WRITES, Limit.NO_EXPIRY));
        all.add(of("j5ik2o", Layout.J5IK2O, List.of(j5ik2o("on", NEWER), j5ik2o("on", OLDER)), 100, Limit.NO_EXPIRY));
        all.add(of(
                "j5ik2o-hard",
                Layout.J5IK2O,
                List.of(j5ik2o("off", NEWER)),
                100,
                Limit.OUTLIVED_WRITERS,
                Limit.LATE_REQUESTS,
                Limit.NO_EXPIRY));
        all.add(sclasen("sclasen", false));
        all.add(sclasen("sclasen-permanent", true));
        return all;
    }

    /** The first settings. */
    JournalLayout journal() {
        return journals.get(0);
    }

    boolean has(Limit limit) {
        return limits.contains(limit);
    }

    /** Small items, so that commits have parts, and small pages. */
    private static CommitsJournal commits(int itemSize, int pageItems, int indexPartitions) {
        return new CommitsJournal(
                JOURNAL, true, true, indexPartitions, true, itemSize, pageItems, 3, Duration.ofDays(30));
    }

    private static TimeToLive expiring() {
        return new TimeToLive(new TimeToLive.Rules(true, null, EVENT_LIFE, null), Map.of());
    }

    private static Subject commits(
            String name, List<CommitsJournal> journals, int itemSize, @Nullable Duration eventLife) {
        return new Subject(
                name,
                List.copyOf(journals),
                Optional.of(new CommitsSnapshots(SNAPSHOTS, true, true, itemSize)),
                Integer.MAX_VALUE,
                Integer.MAX_VALUE,
                Set.of(),
                eventLife);
    }

    private static Subject of(
            String name, Layout layout, List<Map<String, String>> settings, int maxCount, Limit... limits) {
        return new Subject(
                name,
                settings.stream()
                        .map(each -> layout.journal(new LayoutSettings(each)))
                        .toList(),
                layout.snapshots(new LayoutSettings(settings(settings.get(0)))),
                MAX_ADOPTED_BYTES,
                maxCount,
                Stream.concat(Stream.of(limits), Stream.of(Limit.TIMES_OF_CLOCKS))
                        .collect(Collectors.toUnmodifiableSet()),
                null);
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

    /** @param resolver of partition keys: the predecessor changed its default, and rows under the keys of both are read */
    private static Map<String, String> j5ik2o(String softDelete, String resolver) {
        return Map.of(
                "table-name",
                JOURNAL,
                "soft-delete",
                softDelete,
                "shard-count",
                Integer.toString(Integer.MAX_VALUE),
                "partition-key-resolver-class-name",
                RESOLVERS + resolver);
    }

    private static Subject sclasen(String name, boolean permanentDeletes) {
        Map<String, String> settings = Map.of(
                "journal-table", JOURNAL, "sequence-shards", "3", "permanent-deletes", permanentDeletes ? "on" : "off");
        return permanentDeletes
                ? of(name, Layout.SCLASEN, List.of(settings), 90, Limit.REMOVED_WRITES, Limit.NO_EXPIRY)
                : of(name, Layout.SCLASEN, List.of(settings), 90, Limit.NO_EXPIRY);
    }

    @Override
    public String toString() {
        return name;
    }
}
