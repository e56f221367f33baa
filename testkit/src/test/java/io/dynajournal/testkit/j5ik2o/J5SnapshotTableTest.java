package io.dynajournal.testkit.j5ik2o;

import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.j5ik2o.J5Snapshots;
import java.util.Map;

/** The default resolvers: one partition per persistence id. */
class J5SnapshotTableTest extends J5SnapshotTableContract {

    @Override
    protected SnapshotLayout layout(String tableName) {
        // The contract's persistence ids have no separator, so with few shards they would share a key.
        return J5Snapshots.of(new LayoutSettings(
                Map.of("table-name", tableName, "shard-count", Integer.toString(Integer.MAX_VALUE))));
    }
}
