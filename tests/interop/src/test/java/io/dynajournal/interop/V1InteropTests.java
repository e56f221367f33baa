package io.dynajournal.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.akka1.Akka1Journal;
import io.dynajournal.internal.layout.akka1.Akka1Snapshots;
import io.dynajournal.interop.Recovery.Replayed;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The 1.x plugins of Akka and of Pekko. */
abstract class V1InteropTests extends InteropTests {

    V1InteropTests(String theirModule, String ourModule) {
        super(theirModule, ourModule, "v1");
    }

    @Override
    JournalLayout journal(String table) {
        return Akka1Journal.of(table);
    }

    @Override
    SnapshotLayout snapshots(String table) {
        return Akka1Snapshots.of(table);
    }

    /** The last ones look like keys of the table. */
    @Override
    List<String> oddIds() {
        return Stream.concat(super.oddIds().stream(), Stream.of("x-P-0-", "journal-SH-", "-"))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void moreEventsTogetherThanAPartitionHolds(First first) {
        story().ownedBy(one(first))
                .persistAll(101)
                .ownedBy(other(first))
                .persistAll(250)
                .ownedBy(one(first))
                .persist(1)
                .ownedBy(other(first));
    }

    /** Marks are spread over ten keys, then the first key is used again. */
    @ParameterizedTest
    @EnumSource
    void markKeysAreReused(First first) {
        story().ownedBy(one(first))
                .persistAll(950)
                .ownedBy(other(first))
                .persistAll(100)
                .ownedBy(one(first))
                .persistAll(60)
                .deleteEventsTo(1_050)
                .ownedBy(other(first))
                .persist(1)
                .ownedBy(one(first));
    }

    @ParameterizedTest
    @EnumSource
    void twoJournalsInOneTable(First first) {
        String id = "cart-" + UUID.randomUUID();
        Story here =
                new Story(new Entity(id, "")).ownedBy(one(first)).persist(3).snapshot();
        // Peers identify entities by persistence id, so one journal at a time.
        one(first).stop(here.entity());
        Story there = new Story(new Entity(id, "second"))
                .ownedBy(one(first))
                .persistAll(5)
                .deleteEventsTo(5)
                .ownedBy(other(first))
                .snapshot();
        other(first).stop(there.entity());
        here.ownedBy(other(first)).persist(1).ownedBy(one(first));
    }

    /** What 1.0 and 1.1 wrote and read is still read by the predecessor's later versions. */
    @ParameterizedTest
    @EnumSource
    void eventsAndSnapshotsOfTheOldForm(First first) {
        Story story = new Story(new Entity("cart-" + UUID.randomUUID(), "old-form"))
                .ownedBy(one(first))
                .persist(2)
                .ownedBy(other(first))
                .persistAll(3)
                .snapshot()
                .persistAll(101)
                .ownedBy(one(first))
                .persist(1)
                .persistAll(4)
                .deleteEventsTo(5)
                .ownedBy(other(first))
                .persist(1)
                .snapshot()
                .deleteEventsTo(107)
                .ownedBy(one(first))
                .reject()
                .persistAll(2)
                .snapshot()
                .ownedBy(other(first))
                .persist(1)
                .snapshot()
                .ownedBy(one(first));
        String key = "journal-P-" + story.entity().id();
        assertThat(ofOldForm(journalTable, key + "-1")).isPositive();
        assertThat(ofOldForm(snapshotTable, key)).isPositive();
    }

    /**
     * Only an event at a multiple of 100 has a high mark: after one that was rejected the predecessor does not find what it wrote
     * itself, and would overwrite it. We find it, and our next write writes the mark.
     */
    @Test
    void theHighMarkThatTheirRejectedEventLacksIsWritten() {
        Story story = story().ownedBy(they).persistAll(99).reject().persistAll(3);
        they.stop(story.entity());
        assertThat(they.start(story.entity()).lastSeqNr()).isEqualTo(99);
        story.ownedBy(we).persist(1).ownedBy(they).persist(1).ownedBy(we).ownedBy(they);
    }

    private long ofOldForm(String table, String key) {
        return local.client()
                .query(query -> query.tableName(table)
                        .consistentRead(true)
                        .keyConditionExpression("par = :par")
                        .filterExpression("attribute_exists(pay)")
                        .expressionAttributeValues(Map.of(":par", AttributeValue.fromS(key))))
                .orTimeout(30, TimeUnit.SECONDS)
                .join()
                .count();
    }

    /** The predecessor loses the rest of a write whose beginning it does not read, also of its own writes. We do not. */
    @ParameterizedTest
    @EnumSource
    void aSnapshotOrADeleteInsideAWriteLosesNothing(First first) {
        Story snapshot =
                story().ownedBy(one(first)).persistAllAndSnapshotAt(3, 2).ownedBy(we);
        assertThat(they.start(snapshot.entity()).events()).isEmpty();
        assertThat(they.start(snapshot.entity()).lastSeqNr()).isEqualTo(3);
        snapshot.ownedBy(we).persist(1).ownedBy(we);
        assertThat(they.start(snapshot.entity()).events()).containsExactly(Replayed.by(we.name(), 4));
        they.stop(snapshot.entity());

        Story delete =
                story().ownedBy(one(first)).persistAll(3).deleteEventsTo(2).ownedBy(we);
        assertThat(they.start(delete.entity()).events()).isEmpty();
        delete.ownedBy(we).persist(1).ownedBy(we);
        assertThat(they.start(delete.entity()).events()).containsExactly(Replayed.by(we.name(), 4));
    }
}
