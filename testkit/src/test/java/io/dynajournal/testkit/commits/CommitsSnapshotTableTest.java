package io.dynajournal.testkit.commits;

import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.commits.CommitsSnapshots;
import io.dynajournal.testkit.SnapshotTableContract;

/** The native layout with its defaults. */
class CommitsSnapshotTableTest extends SnapshotTableContract {

    @Override
    protected SnapshotLayout layout(String tableName) {
        return CommitsSnapshots.of(tableName);
    }
}
