package io.dynajournal.interop;

import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.j5ik2o.J5Journal;
import io.dynajournal.internal.layout.j5ik2o.J5Snapshots;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** j5ik2o's plugin 1.16 with other columns, indexes, shards and resolvers. */
final class J5UnusualInteropTest extends UnusualInteropTests {

    J5UnusualInteropTest() {
        super("j5ik2o", "ours-akka", "j5ik2o-unusual");
    }

    @Override
    JournalLayout journal(String table) {
        return J5Journal.of(new LayoutSettings(Map.of(
                "table-name", table,
                "get-journal-rows-index-name", "Rows.of-events_7",
                "columns-def.partition-key-column-name", "größe",
                "columns-def.sort-key-column-name", "sort#key",
                "columns-def.persistence-id-column-name", "id",
                "columns-def.sequence-nr-column-name", "nr")));
    }

    @Override
    SnapshotLayout snapshots(String table) {
        return J5Snapshots.of(new LayoutSettings(Map.of(
                "table-name", table,
                "get-snapshot-rows-index-name", "Rows.of-states_3",
                "columns-def.partition-key-column-name", "größe",
                "columns-def.sort-key-column-name", "sort#key",
                "columns-def.persistence-id-column-name", "id",
                "columns-def.sequence-nr-column-name", "nr")));
    }

    /** The stores have different resolvers, so that rows of one log are under keys of all of them. */
    @Override
    List<RandomStory.Limits> limits() {
        return List.of(
                new RandomStory.Limits(List.of("", "by-number", "spread"), 100, we),
                new RandomStory.Limits(List.of("by-number"), 100, we));
    }

    @Override
    List<String> prefixes() {
        return List.of(" 日本|\"größe\"-", "ä".repeat(400) + "-");
    }

    /** Rows under the keys of one resolver, then of another, then of the first again. */
    @ParameterizedTest
    @EnumSource
    void rowsUnderKeysOfSeveralResolversAreOneLog(First first) {
        story("cart-", "by-number")
                .ownedBy(one(first))
                .persist(2)
                .in("")
                .ownedBy(other(first))
                .persistAll(2)
                .snapshot()
                .in("spread")
                .ownedBy(one(first))
                .persist(3)
                .in("by-number")
                .ownedBy(other(first))
                .deleteEventsTo(5)
                .ownedBy(one(first))
                .persist(1)
                .snapshot()
                .in("")
                .ownedBy(other(first))
                .deleteSnapshotsTo(4)
                .deleteEventsTo(8)
                .ownedBy(one(first))
                .persistAll(2)
                .in("by-number")
                .ownedBy(other(first));
    }
}
