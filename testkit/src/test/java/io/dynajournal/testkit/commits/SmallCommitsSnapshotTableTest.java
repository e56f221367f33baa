package io.dynajournal.testkit.commits;

import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.commits.CommitsSnapshots;
import io.dynajournal.testkit.SnapshotTableContract;

/** The native layout with items so small that nearly every snapshot has parts. */
class SmallCommitsSnapshotTableTest extends SnapshotTableContract {

    @Override
    protected SnapshotLayout layout(String tableName) {
        return new CommitsSnapshots(tableName, true, false, 16_384);
    }

    @Override
    protected int largeSnapshotSize() {
        return 3 << 20;
    }
}
