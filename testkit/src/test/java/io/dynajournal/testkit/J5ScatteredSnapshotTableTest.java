package io.dynajournal.testkit;

import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.layout.j5ik2o.J5Snapshots;
import java.util.Map;

/** The other two resolvers: snapshots of an id over many partitions, not sorted by number. */
class J5ScatteredSnapshotTableTest extends J5SnapshotTableContract {

    @Override
    protected SnapshotLayout layout(String tableName) {
        String resolvers = "com.github.j5ik2o.akka.persistence.dynamodb.snapshot.";
        return J5Snapshots.of(new LayoutSettings(Map.of(
                "table-name",
                tableName,
                "shard-count",
                "3",
                "partition-key-resolver-class-name",
                resolvers + "PartitionKeyResolver$SequenceNumberBased",
                "sort-key-resolver-class-name",
                resolvers + "SortKeyResolver$SeqNr")));
    }
}
