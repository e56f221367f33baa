package io.dynajournal.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.j5ik2o.J5Journal;
import io.dynajournal.internal.layout.j5ik2o.J5Snapshots;
import io.dynajournal.interop.Recovery.Replayed;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.LogReading;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** j5ik2o's plugin 1.16 on Akka 2.6. */
final class J5InteropTest extends InteropTests {

    J5InteropTest() {
        super("j5ik2o", "ours-akka", "j5ik2o");
    }

    @Override
    JournalLayout journal(String table) {
        return J5Journal.of(new LayoutSettings(Map.of("table-name", table)));
    }

    @Override
    SnapshotLayout snapshots(String table) {
        return J5Snapshots.of(new LayoutSettings(Map.of("table-name", table)));
    }

    /** We write at most 100 events atomically; larger writes of the predecessor are read. */
    @Test
    void moreEventsTogetherThanATransactionHolds() {
        story().ownedBy(they).persistAll(130).ownedBy(we).persistAll(100).ownedBy(they);
    }

    @ParameterizedTest
    @EnumSource
    void aSnapshotOrADeleteInsideAWriteLosesNothing(First first) {
        story().ownedBy(one(first))
                .persistAllAndSnapshotAt(3, 2)
                .ownedBy(other(first))
                .persist(1)
                .ownedBy(one(first));
        story().ownedBy(one(first))
                .persistAll(3)
                .deleteEventsTo(2)
                .ownedBy(other(first))
                .persist(1)
                .ownedBy(one(first));
    }

    /** Two rows or more at a time, and never the last: the predecessor's hard deletes fail on one row and lose the last sequence number. */
    @Test
    void rowsThatAreRemoved() {
        story("cart-", "hard")
                .ownedBy(they)
                .persist(10)
                .deleteEventsTo(4)
                .ownedBy(we)
                .persistAll(3)
                .deleteEventsTo(8)
                .ownedBy(they)
                .persist(2)
                .deleteEventsTo(12)
                .ownedBy(we)
                .deleteEventsTo(15)
                .ownedBy(they)
                .ownedBy(we)
                .ownedBy(they)
                .persist(1)
                .ownedBy(we);
    }

    @ParameterizedTest
    @EnumSource
    void keysByNumber(First first) {
        story("cart-", "scattered")
                .ownedBy(one(first))
                .persist(70)
                .snapshot()
                .ownedBy(other(first))
                .persistAll(30)
                .deleteEventsTo(75)
                .ownedBy(one(first))
                .persist(1)
                .snapshot()
                .ownedBy(other(first))
                .deleteSnapshotsTo(70)
                .deleteEventsTo(101)
                .ownedBy(one(first))
                .persist(1)
                .ownedBy(other(first));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tags(boolean together) {
        Story story = story().ownedBy(they);
        story = together ? story.persistAll(2) : story.persist(2);
        story = story.ownedBy(we);
        story = together ? story.persistAll(2) : story.persist(2);
        for (Replayed event : story.ownedBy(they).events()) {
            assertThat(LogReading.all(
                                    journal(journalTable).open(local.open(RequestListener.NONE)),
                                    story.entity().id())
                            .get((int) event.seqNr() - 1)
                            .event()
                            .tags())
                    .isEqualTo(Set.of("peer", event.text().split(":", 2)[0]));
        }
    }
}
