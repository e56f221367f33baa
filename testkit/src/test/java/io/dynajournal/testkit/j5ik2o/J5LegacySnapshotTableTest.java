package io.dynajournal.testkit.j5ik2o;

import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.j5ik2o.J5Snapshots;
import java.util.Map;

/** The format up to 1.8: persistence id and sequence number are the key. */
class J5LegacySnapshotTableTest extends J5SnapshotTableContract {

    @Override
    protected SnapshotLayout layout(String tableName) {
        return J5Snapshots.of(new LayoutSettings(Map.of("table-name", tableName, "legacy-table-format", "true")));
    }
}
