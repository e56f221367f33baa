package io.dynajournal.testkit.j5ik2o;

import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.j5ik2o.J5Journal;
import java.util.Map;

/** The other two resolvers: rows of a persistence id in several partitions. */
class J5ScatteredEventLogTest extends J5EventLogContract {

    private static final String RESOLVERS = "com.github.j5ik2o.akka.persistence.dynamodb.journal.";

    @Override
    protected J5Journal layout(String tableName) {
        return J5Journal.of(new LayoutSettings(Map.of(
                "table-name",
                tableName,
                "partition-key-resolver-class-name",
                RESOLVERS + "PartitionKeyResolver$SequenceNumberBased",
                "sort-key-resolver-class-name",
                RESOLVERS + "SortKeyResolver$SeqNr")));
    }
}
