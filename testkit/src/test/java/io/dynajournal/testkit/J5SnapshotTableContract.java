package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.dynamo.RequestListener;
import io.dynajournal.model.Payload;
import io.dynajournal.model.SnapshotCriteria;
import io.dynajournal.model.StoredSnapshot;
import io.dynajournal.store.SnapshotTable;
import io.dynajournal.store.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract on j5ik2o's tables. What the format cannot do is here: snapshots of more than 400 KB. In this package, because
 * the contract's methods are visible here only.
 */
abstract class J5SnapshotTableContract extends SnapshotTableContract {

    @Override
    protected int largeSnapshotSize() {
        return 409_000;
    }

    private SnapshotTable fresh(String name) {
        local.create(layout(name).table());
        return layout(name).open(local.open(RequestListener.NONE));
    }

    private static StoredSnapshot snapshot(String id, long timestamp, int size) {
        return new StoredSnapshot(id, 4, timestamp, new Payload(5, "", TestEvents.randomBytes(size)), null);
    }

    /** An item has 400 KB. */
    @ParameterizedTest
    @ValueSource(ints = {1_000, 4_000, 4_096, 399_000, 400_000, 409_600, 1_200_000})
    @Override
    void snapshotsAroundTheLimitsOfItemsComeBack(int size) {
        SnapshotTable table = fresh(local.freshTable());
        StoredSnapshot snapshot = snapshot(TestEvents.freshId(), 1, size);
        if (size > 409_000) {
            assertThat(Await.failure(table.save(snapshot), StoreException.Refused.class))
                    .hasMessageContaining(snapshot.persistenceId())
                    .hasMessageContaining("at 4 ")
                    .hasMessageContaining("409600");
            return;
        }
        Await.result(table.save(snapshot));
        assertThat(Await.result(table.load(snapshot.persistenceId(), SnapshotCriteria.ALL))
                        .orElseThrow()
                        .equals(snapshot))
                .isTrue();
    }

    /** An item has 400 KB. */
    @Test
    @Override
    void anOverwrittenSnapshotLeavesNothingBehind() {
        String name = local.freshTable();
        SnapshotTable table = fresh(name);
        String id = TestEvents.freshId();
        for (int size : new int[] {20, 300_000, 400_000, 20}) {
            StoredSnapshot snapshot = snapshot(id, size, size);
            Await.result(table.save(snapshot));
            assertThat(Await.result(table.load(id, SnapshotCriteria.ALL))
                            .orElseThrow()
                            .equals(snapshot))
                    .isTrue();
            assertThat(new RawTable(local.client(), name).items()).hasSize(1);
        }
        Await.result(table.delete(id, SnapshotCriteria.ALL));
        assertThat(new RawTable(local.client(), name).items()).isEmpty();
    }

    /** An item has 400 KB. */
    @Test
    @Override
    void aLostReplyIsRepeated() {
        String name = local.freshTable();
        fresh(name);
        FaultProxy proxy = local.proxy();
        SnapshotTable through = layout(name).open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
        StoredSnapshot snapshot = snapshot(TestEvents.freshId(), 1, 20);
        proxy.when(RequestMatch.writes()).loseReply();
        Await.result(through.save(snapshot));
        assertThat(Await.result(through.load(snapshot.persistenceId(), SnapshotCriteria.ALL)))
                .contains(snapshot);
        proxy.when(RequestMatch.operation("BatchWriteItem")).process(0);
        Await.result(through.delete(snapshot.persistenceId(), SnapshotCriteria.ALL));
        assertThat(new RawTable(local.client(), name).items()).isEmpty();
    }

    /** An item has 400 KB. */
    @Test
    @Override
    void aFailedOverwriteLeavesTheOldSnapshot() {
        String name = local.freshTable();
        SnapshotTable table = fresh(name);
        String id = TestEvents.freshId();
        StoredSnapshot old = snapshot(id, 1, 3000);
        Await.result(table.save(old));
        FaultProxy proxy = local.proxy();
        SnapshotTable through = layout(name).open(local.open(proxy, LogFixture.IMPATIENT, RequestListener.NONE));
        proxy.when(RequestMatch.writes()).always().loseRequest();
        Await.failure(through.save(snapshot(id, 2, 2000)), StoreException.Unavailable.class);
        assertThat(Await.result(table.load(id, SnapshotCriteria.ALL))).contains(old);
    }
}
