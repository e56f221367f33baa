package io.dynajournal.testkit;

import io.dynajournal.layout.StateLayout;
import io.dynajournal.layout.commits.CommitsStates;

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
