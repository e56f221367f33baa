package io.dynajournal.testkit;

import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.layout.commits.CommitsSnapshots;

/** The native layout with its defaults. */
class CommitsSnapshotTableTest extends SnapshotTableContract {

    @Override
    protected SnapshotLayout layout(String tableName) {
        return CommitsSnapshots.of(tableName);
    }
}
