package io.dynajournal.interop;

import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.akka1.Akka1Journal;
import io.dynajournal.internal.layout.akka1.Akka1Snapshots;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The 1.x plugins of Akka and of Pekko, with settings that users write into their blocks. */
abstract class V1UnusualInteropTests extends UnusualInteropTests {

    V1UnusualInteropTests(String theirModule, String ourModule) {
        super(theirModule, ourModule, "v1-unusual");
    }

    @Override
    JournalLayout journal(String table) {
        return Akka1Journal.of(table);
    }

    @Override
    SnapshotLayout snapshots(String table) {
        return Akka1Snapshots.of(table);
    }

    @Override
    List<RandomStory.Limits> limits() {
        return List.of(new RandomStory.Limits(List.of("odd"), 230, we));
    }

    @Override
    List<String> prefixes() {
        return List.of(" 日本|\"größe\"-P-1-", "-SL-0-1", "ä".repeat(900));
    }

    /**
     * On Akka 2.5 the predecessor does not pass the name on to its snapshot store, on Pekko it does. Either way its snapshots are
     * found and continued, and it finds ours.
     */
    @Test
    void snapshotsAreWhereThePredecessorKeepsThem() {
        story().ownedBy(they)
                .persist(3)
                .snapshot()
                .deleteEventsTo(3)
                .ownedBy(we)
                .persist(2)
                .snapshot()
                .deleteEventsTo(5)
                .ownedBy(they)
                .persistAll(2)
                .ownedBy(we)
                .deleteSnapshotsTo(5)
                .ownedBy(they);
    }

    @ParameterizedTest
    @EnumSource
    void taggedEventsAreStoredAsTheToolkitsObject(First first) {
        story("cart-", "tagged")
                .ownedBy(one(first))
                .persist(2)
                .ownedBy(other(first))
                .persistAll(3)
                .deleteEventsTo(2)
                .ownedBy(one(first))
                .persist(1)
                .ownedBy(other(first));
    }
}
