package io.dynajournal.testkit.commits;

import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.layout.commits.CommitsStates;
import io.dynajournal.testkit.StateTableContract;

/** The native layout with items so small that most states have parts. */
class SmallCommitsStateTableTest extends StateTableContract {

    @Override
    protected StateLayout layout(String tableName) {
        return new CommitsStates(tableName, false, 1, false, 4_096, null);
    }

    @Override
    protected int largeStateSize() {
        return 300_000;
    }
}
