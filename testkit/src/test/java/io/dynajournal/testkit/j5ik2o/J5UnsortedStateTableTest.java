package io.dynajournal.testkit.j5ik2o;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.layout.j5ik2o.J5States;
import io.dynajournal.testkit.StateTableContract;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tables from before 1.14, which have no sort key. */
class J5UnsortedStateTableTest extends StateTableContract {

    @Override
    protected StateLayout layout(String tableName) {
        // Without a sort key, the contract's persistence ids would share a key with few shards.
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
