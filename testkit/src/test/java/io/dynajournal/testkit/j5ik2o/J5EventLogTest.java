package io.dynajournal.testkit.j5ik2o;

import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.j5ik2o.J5Journal;
import java.util.Map;

/** The default resolvers: one partition per id. */
class J5EventLogTest extends J5EventLogContract {

    @Override
    protected J5Journal layout(String tableName) {
        // So many shards, because the contract's ids have no separator and would meet.
        return J5Journal.of(new LayoutSettings(
                Map.of("table-name", tableName, "shard-count", Integer.toString(Integer.MAX_VALUE))));
    }
}
