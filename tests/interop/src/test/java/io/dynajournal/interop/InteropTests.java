package io.dynajournal.interop;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that every predecessor and Dynajournal must pass, whichever writes first. */
abstract class InteropTests extends TwoPeers {

    InteropTests(String theirModule, String ourModule, String configuration) {
        super(theirModule, ourModule, configuration);
    }

    /** Prefixes of persistence ids. */
    List<String> oddIds() {
        return List.of("Cart|a-", "a/b c-%2F~", "größe-日本😀");
    }

    @ParameterizedTest
    @EnumSource
    void singleEventsContinueAtEverySequenceNumber(First first) {
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
                // From 102 to 199; the next write begins a new partition.
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
    void sequenceNumbersContinueAfterAllEventsAreDeleted(First first) {
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
    void sequenceNumbersOfRejectedEventsAreSkipped(First first) {
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

    /** The snapshot remains, all events are deleted. */
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
    void anyCharacterInAPersistenceId(First first) {
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
