package io.dynajournal.testkit;

import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.layout.j5ik2o.J5Snapshots;
import java.util.Map;

/** The format up to 1.8: id and number are the key. */
class J5LegacySnapshotTableTest extends J5SnapshotTableContract {

    @Override
    protected SnapshotLayout layout(String tableName) {
        return J5Snapshots.of(new LayoutSettings(Map.of("table-name", tableName, "legacy-table-format", "true")));
    }
}
