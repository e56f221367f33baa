package io.dynajournal.testkit.j5ik2o;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.layout.j5ik2o.J5States;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.store.StateTable;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.Cost;
import io.dynajournal.testkit.CostMeter;
import io.dynajournal.testkit.StateTableContract;
import io.dynajournal.testkit.TestEvents;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The contract for durable states of the layout j5ik2o, and their cost. */
class J5StateTableTest extends StateTableContract {

    @Override
    protected StateLayout layout(String tableName) {
        return J5States.of(new LayoutSettings(Map.of("table-name", tableName)));
    }

    /** A state is one row, and a row has up to 400 KB. */
    @Override
    protected int largeStateSize() {
        return 300_000;
    }

    @Test
    void writeAndReadAreOneRequestEach() {
        CostMeter meter = new CostMeter();
        StateTable table = layout(tableName).open(local.open(meter), TestEvents.freshWriter());
        String id = TestEvents.freshId();
        meter.take();
        assertThat(Await.result(table.get(id))).isEmpty();
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.BATCH_GET, 1));
        for (int revision = 1; revision <= 3; revision++) {
            Await.result(table.write(update(id, revision, 600)));
            Cost cost = meter.take();
            assertThat(cost.requests()).isEqualTo(Map.of(Operation.PUT, 1));
            assertThat(cost.writes()).isEqualTo(1);
        }
        Await.result(table.write(StateChange.delete(id, 4)));
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.PUT, 1));
    }

    @Test
    void aStateLargerThanARowIsRejected() {
        String id = TestEvents.freshId();
        assertThat(Await.failure(table().write(update(id, 1, 410_000)), StoreException.ItemTooLarge.class))
                .hasMessageContainingAll(tableName, id);
        assertThat(Await.result(table().get(id))).isEmpty();
    }

    @Test
    void thereIsNoIndexForChanges() {
        assertThat(layout(tableName).changes(local.open(RequestListener.NONE))).isEmpty();
    }
}
