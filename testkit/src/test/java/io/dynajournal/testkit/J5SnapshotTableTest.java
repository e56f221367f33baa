package io.dynajournal.testkit;

import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.layout.j5ik2o.J5Snapshots;
import java.util.Map;

/** The default resolvers: one partition per id. */
class J5SnapshotTableTest extends J5SnapshotTableContract {

    @Override
    protected SnapshotLayout layout(String tableName) {
        // So many shards, because the contract's ids have no separator and would meet.
        return J5Snapshots.of(new LayoutSettings(
                Map.of("table-name", tableName, "shard-count", Integer.toString(Integer.MAX_VALUE))));
    }
}
