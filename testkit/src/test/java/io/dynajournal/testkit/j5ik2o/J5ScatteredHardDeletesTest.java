package io.dynajournal.testkit.j5ik2o;

import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.j5ik2o.J5Journal;
import io.dynajournal.testkit.Capabilities;
import io.dynajournal.testkit.Capability;
import io.dynajournal.testkit.StaleWriterContract;
import java.util.Map;

/** Stale writers on a journal with {@code soft-delete = false} whose rows are in several partitions. */
class J5ScatteredHardDeletesTest extends StaleWriterContract {

    private static final String RESOLVERS = "com.github.j5ik2o.akka.persistence.dynamodb.journal.";

    @Override
    public Capabilities capabilities() {
        return Capabilities.ALL
                .beyond(Capability.ANY_COUNT, 100, "a transaction has 100 items at most")
                .without(Capability.OUTLIVED_WRITERS, "hard deletes leave an item only where the writer changed")
                .without(Capability.LATE_COPIES, "hard deletes leave no row that would stop a copy");
    }

    @Override
    protected J5Journal layout(String tableName) {
        return J5Journal.of(new LayoutSettings(Map.of(
                "table-name",
                tableName,
                "partition-key-resolver-class-name",
                RESOLVERS + "PartitionKeyResolver$SequenceNumberBased",
                "sort-key-resolver-class-name",
                RESOLVERS + "SortKeyResolver$SeqNr",
                "soft-delete",
                "false")));
    }
}
