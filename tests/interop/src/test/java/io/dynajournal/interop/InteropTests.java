package io.dynajournal.interop;

import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.testkit.LocalDynamo;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What holds between every predecessor and us, whoever comes first. Our side is an actor system with only our jar and the
 * predecessor's own configuration.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class InteropTests {

    enum First {
        THEY,
        WE
    }

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    final String journalTable = local.freshTable();
    final String snapshotTable = local.freshTable();
    final Peer they;
    final Peer we;

    /** Both have the same configuration, and the class path of their module. */
    InteropTests(String theirModule, String ourModule, String configuration) {
        local.create(journal(journalTable).table());
        local.create(snapshots(snapshotTable).table());
        Map<String, String> open = Map.of(
                "peer.endpoint", local.endpoint().toString(),
                "peer.journal-table", journalTable,
                "peer.snapshot-table", snapshotTable);
        they = Peer.start(theirModule, configuration, open);
        we = Peer.start(ourModule, configuration, open);
    }

    abstract JournalLayout journal(String table);

    abstract SnapshotLayout snapshots(String table);

    @AfterAll
    void end() {
        they.close();
        we.close();
    }

    Peer one(First first) {
        return first == First.THEY ? they : we;
    }

    Peer other(First first) {
        return first == First.THEY ? we : they;
    }

    /** Beginnings of ids. */
    List<String> oddIds() {
        return List.of("Cart|a-", "a/b c-%2F~", "größe-日本😀");
    }

    /** Of an id that nobody has. */
    static Story story() {
        return story("cart-", "");
    }

    static Story story(String prefix, String store) {
        return new Story(new Entity(prefix + UUID.randomUUID().toString().replace("-", ""), store));
    }

    @ParameterizedTest
    @EnumSource
    void singleEventsGoOnAtEveryNumber(First first) {
        story().ownedBy(one(first))
                .persist(1)
                .ownedBy(other(first))
                .persist(97)
                .ownedBy(one(first))
                .persist(1)
                .ownedBy(other(first))
                .persist(1)
                .ownedBy(one(first))
                .persist(1)
                .ownedBy(other(first))
                .persist(98)
                .ownedBy(one(first))
                .persist(1)
                .ownedBy(other(first))
                .persist(1)
                .ownedBy(one(first));
    }

    @ParameterizedTest
    @EnumSource
    void manyWritesThatArriveTogether(First first) {
        story().ownedBy(one(first))
                .persistEach(60)
                .ownedBy(other(first))
                .persistEach(60)
                .ownedBy(one(first))
                .persistEach(2)
                .ownedBy(other(first));
    }

    @ParameterizedTest
    @EnumSource
    void eventsThatArePersistedTogether(First first) {
        story().ownedBy(one(first))
                .persistAll(2)
                .ownedBy(other(first))
                .persistAll(10)
                .ownedBy(one(first))
                .persistAll(30)
                .ownedBy(other(first))
                .persistAll(56)
                .ownedBy(one(first))
                // From 99 to 101.
                .persistAll(3)
                .ownedBy(other(first))
                // From 102 to 199, and the next begins with a partition of its own.
                .persistAll(98)
                .ownedBy(one(first))
                .persistAll(100)
                .ownedBy(other(first))
                .persistAll(2)
                .persist(1)
                .ownedBy(one(first));
    }

    @ParameterizedTest
    @EnumSource
    void deletedEventsStayDeleted(First first) {
        story().ownedBy(one(first))
                .persist(10)
                .deleteEventsTo(4)
                .ownedBy(other(first))
                .persist(2)
                .ownedBy(one(first))
                .persistAll(3)
                .ownedBy(other(first))
                .deleteEventsTo(9)
                .persist(1)
                .deleteEventsTo(7)
                .ownedBy(one(first))
                .persistAll(90)
                .deleteEventsTo(12)
                .ownedBy(other(first))
                .persist(1);
    }

    @ParameterizedTest
    @EnumSource
    void numbersGoOnWhenEverythingIsDeleted(First first) {
        story().ownedBy(one(first))
                .persist(3)
                .deleteEventsTo(3)
                .ownedBy(other(first))
                .ownedBy(one(first))
                .ownedBy(other(first))
                .persist(1)
                .deleteEventsTo(4)
                .ownedBy(one(first))
                .persistAll(5)
                .deleteEventsTo(Long.MAX_VALUE)
                .ownedBy(other(first))
                .persist(90)
                .persistAll(10)
                .deleteEventsTo(109)
                .ownedBy(one(first))
                .persist(1)
                .ownedBy(other(first))
                .persist(1)
                .ownedBy(one(first));
    }

    @ParameterizedTest
    @EnumSource
    void numbersOfRejectedEventsArePassedOver(First first) {
        story().ownedBy(one(first))
                .reject()
                .persist(2)
                .ownedBy(other(first))
                .persist(1)
                .reject()
                .reject()
                .persist(1)
                .ownedBy(one(first))
                .reject()
                .persistAll(3)
                .ownedBy(other(first))
                .reject()
                .persistAll(3)
                .reject()
                .ownedBy(one(first))
                .persist(1)
                .ownedBy(other(first))
                .persist(85)
                .reject()
                .ownedBy(one(first))
                .reject()
                .persistAll(2)
                .ownedBy(other(first));
    }

    @ParameterizedTest
    @EnumSource
    void snapshots(First first) {
        story().ownedBy(one(first))
                .persist(3)
                .snapshot()
                .ownedBy(other(first))
                .persistAll(4)
                .snapshot()
                .persist(1)
                .ownedBy(one(first))
                .deleteEventsTo(7)
                .deleteSnapshotsTo(3)
                .snapshot()
                .ownedBy(other(first))
                .deleteSnapshot(8)
                .ownedBy(one(first))
                .persist(1)
                .snapshot()
                .ownedBy(other(first))
                .deleteSnapshotsTo(Long.MAX_VALUE)
                .ownedBy(one(first))
                .persist(1)
                .ownedBy(other(first));
    }

    /** The snapshot is all there is. */
    @ParameterizedTest
    @EnumSource
    void aSnapshotWithoutEvents(First first) {
        story().ownedBy(one(first))
                .persistAll(5)
                .snapshot()
                .deleteEventsTo(5)
                .ownedBy(other(first))
                .ownedBy(one(first))
                .persist(1)
                .ownedBy(other(first))
                .snapshot()
                .deleteEventsTo(6)
                .ownedBy(one(first));
    }

    @ParameterizedTest
    @EnumSource
    void anyCharacterInAnId(First first) {
        for (String prefix : oddIds()) {
            story(prefix, "")
                    .ownedBy(one(first))
                    .persist(2)
                    .snapshot()
                    .ownedBy(other(first))
                    .persistAll(3)
                    .deleteEventsTo(2)
                    .ownedBy(one(first))
                    .persist(1)
                    .ownedBy(other(first));
        }
    }
}
