package io.dynajournal.testkit.j5ik2o;

import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.j5ik2o.J5Snapshots;
import java.util.Map;

/** The other two resolvers: snapshots of a persistence id in several partitions, not sorted by sequence number. */
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
