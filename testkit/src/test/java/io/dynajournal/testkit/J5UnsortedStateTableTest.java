package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.StateLayout;
import io.dynajournal.layout.j5ik2o.J5States;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** j5ik2o's table as it was before 1.14: without a sort key. */
class J5UnsortedStateTableTest extends StateTableContract {

    @Override
    protected StateLayout layout(String tableName) {
        // So many shards, because without a sort key the contract's ids would meet.
        StateLayout sorted = J5States.of(new LayoutSettings(
                Map.of("table-name", tableName, "shard-count", Integer.toString(Integer.MAX_VALUE))));
        return sorted.variants().get(1);
    }

    @Override
    protected int largeStateSize() {
        return 300_000;
    }

    @Test
    void tableHasNoSortKey() {
        assertThat(layout(tableName).table().range()).isNull();
    }
}
