package io.dynajournal.testkit.commits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.layout.commits.CommitsStates;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.store.StateTable;
import io.dynajournal.listener.Operation;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.Cost;
import io.dynajournal.testkit.CostMeter;
import io.dynajournal.testkit.StateTableContract;
import io.dynajournal.testkit.TestEvents;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The native layout with its defaults, and what it costs. */
class CommitsStateTableTest extends StateTableContract {

    private final CostMeter meter = new CostMeter();

    @Override
    protected StateLayout layout(String tableName) {
        return CommitsStates.of(tableName);
    }

    /** The first write of a process reads the registry, and registers its entity type. */
    private StateTable warm(StateLayout layout) {
        StateTable table = layout.open(local.open(meter), TestEvents.freshWriter());
        meter.take();
        Await.result(table.write(update(TestEvents.freshId(), 1, 10)));
        assertThat(meter.take().requests().keySet()).contains(Operation.BATCH_GET, Operation.PUT);
        return table;
    }

    private void costs(StateLayout layout, double first, double update) {
        StateTable table = warm(layout);
        String id = TestEvents.freshId();
        assertThat(Await.result(table.get(id))).isEmpty();
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.BATCH_GET, 1));
        for (int revision = 1; revision <= 3; revision++) {
            Await.result(table.write(update(id, revision, 700)));
            Cost cost = meter.take();
            assertThat(cost.requests()).isEqualTo(Map.of(Operation.PUT, 1));
            assertThat(cost.writes()).isEqualTo(revision == 1 ? first : update);
        }
        assertThat(Await.result(table.get(id))).isPresent();
        Cost read = meter.take();
        assertThat(read.requests()).isEqualTo(Map.of(Operation.BATCH_GET, 1));
        assertThat(read.reads()).isEqualTo(1);
        Await.result(table.write(StateChange.delete(id, 4)));
        assertThat(meter.take().writes()).isEqualTo(update);
    }

    @Test
    void writeIsOneRequestAndOneUnitPerKilobyte() {
        CommitsStates plain = CommitsStates.of(local.freshTable()).withoutIndex();
        local.create(plain.table());
        costs(plain, 1, 1);
    }

    @Test
    void indexCostsOneUnitForTheFirstWriteAndTwoForOthers() {
        CommitsStates indexed = CommitsStates.of(local.freshTable());
        local.create(indexed.table());
        costs(indexed, 2, 3);
    }

    @Test
    void writerThatHasNotReadTheStateReadsItFirst() {
        String id = TestEvents.freshId();
        Await.result(table().write(update(id, 1, 10)));
        StateTable fresh = warm(layout(tableName));
        Await.result(fresh.write(update(id, 2, 10)));
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.BATCH_GET, 1, Operation.PUT, 1));
    }

    @Test
    void revisionOfADeletedStateMayExpire() {
        CommitsStates expiring = new CommitsStates(tableName, true, 16, true, 399_360, Duration.ofDays(2));
        StateTable table = expiring.open(local.open(meter), TestEvents.freshWriter());
        String id = TestEvents.freshId();
        Await.result(table.write(update(id, 1, 10)));
        Await.result(table.write(StateChange.delete(id, 2)));
        Item item = itemsOf(id).get(0);
        long seconds = item.number("exp") - item.number("ts") / 1_000_000;
        assertThat(seconds).isBetween(2 * 86_400L - 60, 2 * 86_400L + 60);
        assertThatThrownBy(() -> new CommitsStates("t", true, 16, true, 399_360, Duration.ofHours(1)))
                .hasMessageContaining("tombstone-retention");
    }

    @Test
    void columnMayNotHaveAnAttributesName() {
        Payload payload = new Payload(1, "", new byte[0]);
        StateChange change = new StateChange(TestEvents.freshId(), 1, payload, "", Map.of("rev", 3));
        assertThat(Await.failure(table().write(change), IllegalArgumentException.class))
                .hasMessageContaining("must not be called rev");
        StateChange odd = new StateChange(TestEvents.freshId(), 1, payload, "", Map.of("x", new Object()));
        assertThat(Await.failure(table().write(odd), IllegalArgumentException.class))
                .hasMessageContaining("Column x");
    }
}
