package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.dynamo.RequestListener;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.layout.akka1.Akka1Snapshots;
import io.dynajournal.model.Payload;
import io.dynajournal.model.SnapshotCriteria;
import io.dynajournal.model.StoredSnapshot;
import io.dynajournal.store.SnapshotTable;
import io.dynajournal.store.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The snapshot layout of 1.x under the contract. What its format cannot do comes first: each overridden test says which
 * capability is missing. In this package, because the contract's tests can be overridden here only.
 */
class Akka1SnapshotTableTest extends SnapshotTableContract {

    private static StoredSnapshot snapshot(String id, long seqNr, int size) {
        return new StoredSnapshot(id, seqNr, 7, new Payload(5, "state", TestEvents.randomBytes(size)), null);
    }

    private SnapshotTable open(String name) {
        local.create(layout(name).table());
        return layout(name).open(local.open(RequestListener.NONE));
    }

    // Capability missing: metadata.
    @Test
    @Override
    void everyFieldComesBack() {
        SnapshotTable table = open(local.freshTable());
        String id = TestEvents.freshId();
        Payload payload = new Payload(-3, "manifest-ü", TestEvents.randomBytes(300));
        StoredSnapshot replicated = new StoredSnapshot(id, 7, 5, payload, payload);
        assertThat(Await.failure(table.save(replicated), StoreException.Refused.class))
                .hasMessageContaining(id);
        assertThat(Await.result(table.load(id, SnapshotCriteria.ALL))).isEmpty();
        StoredSnapshot full = new StoredSnapshot(id, 7, 1_700_000_000_123L, payload, null);
        StoredSnapshot bare = new StoredSnapshot(TestEvents.freshId(), 1, 0, new Payload(0, "", new byte[0]), null);
        for (StoredSnapshot one : new StoredSnapshot[] {full, bare}) {
            Await.result(table.save(one));
            assertThat(Await.result(table.load(one.persistenceId(), SnapshotCriteria.ALL)))
                    .contains(one);
        }
    }

    // Capability missing: snapshots of more than half an item.
    @ParameterizedTest
    @ValueSource(ints = {1_000, 4_000, 4_096, 200_000, 204_500})
    @Override
    void snapshotsAroundTheLimitsOfItemsComeBack(int size) {
        SnapshotTable table = open(local.freshTable());
        StoredSnapshot one = snapshot("s", 1, size);
        Await.result(table.save(one));
        assertThat(Await.result(table.load("s", SnapshotCriteria.ALL))
                        .orElseThrow()
                        .equals(one))
                .isTrue();
    }

    // Capability missing: snapshots of more than half an item, because the index holds the other half.
    @Test
    @Override
    void theOnlyMatchMayBeOnTheLastPage() {
        SnapshotTable table = open(local.freshTable());
        for (int n = 1; n <= 12; n++) {
            Await.result(table.save(
                    new StoredSnapshot("s", n, n * 100L, new Payload(5, "", TestEvents.randomBytes(190_000)), null)));
        }
        assertThat(Await.result(table.load("s", new SnapshotCriteria(0, Long.MAX_VALUE, 0, 150)))
                        .map(StoredSnapshot::seqNr))
                .contains(1L);
        Await.result(table.delete("s", new SnapshotCriteria(0, Long.MAX_VALUE, 0, 150)));
        assertThat(Await.result(table.load("s", new SnapshotCriteria(0, Long.MAX_VALUE, 0, 250)))
                        .map(StoredSnapshot::seqNr))
                .contains(2L);
        Await.result(table.delete("s", new SnapshotCriteria(0, Long.MAX_VALUE, 1, Long.MAX_VALUE - 1)));
        assertThat(Await.result(table.load("s", SnapshotCriteria.ALL))).isEmpty();
    }

    // Capability missing: snapshots larger than an item.
    @Test
    @Override
    void aLargeSnapshotComesBack() {
        String name = local.freshTable();
        SnapshotTable table = open(name);
        String id = TestEvents.freshId();
        StoreException.ItemTooLarge refused =
                Await.failure(table.save(snapshot(id, 9, 1 << 20)), StoreException.ItemTooLarge.class);
        assertThat(refused.seqNr()).isEqualTo(9);
        assertThat(refused)
                .hasMessageContaining(id)
                .hasMessageContaining("400000")
                .hasMessageContaining(name);
        assertThat(Await.result(table.load(id, SnapshotCriteria.ALL))).isEmpty();
    }

    // Capability missing: snapshots larger than an item.
    @Test
    @Override
    void anOverwrittenSnapshotLeavesNothingBehind() {
        String name = local.freshTable();
        SnapshotTable table = open(name);
        for (int size : new int[] {20, 190_000, 30}) {
            StoredSnapshot one = snapshot("s", 4, size);
            Await.result(table.save(one));
            assertThat(Await.result(table.load("s", SnapshotCriteria.ALL))
                            .orElseThrow()
                            .equals(one))
                    .isTrue();
            assertThat(new RawTable(local.client(), name).items()).hasSize(1);
        }
    }

    // Capability missing: snapshots larger than an item.
    @Test
    @Override
    void aLostReplyIsRepeated() {
        String name = local.freshTable();
        SnapshotTable table = open(name);
        FaultProxy proxy = local.proxy();
        SnapshotTable through = layout(name).open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
        proxy.when(RequestMatch.writes()).loseReply();
        StoredSnapshot one = snapshot("s", 4, 20);
        Await.result(through.save(one));
        assertThat(Await.result(table.load("s", SnapshotCriteria.ALL))).contains(one);
        proxy.when(RequestMatch.operation("BatchWriteItem")).process(0);
        Await.result(through.delete("s", SnapshotCriteria.ALL));
        assertThat(new RawTable(local.client(), name).items()).isEmpty();
    }

    // Capability missing: snapshots larger than an item.
    @Test
    @Override
    void aFailedOverwriteLeavesTheOldSnapshot() {
        String name = local.freshTable();
        SnapshotTable table = open(name);
        StoredSnapshot old = snapshot("s", 1, 20);
        Await.result(table.save(old));
        FaultProxy proxy = local.proxy();
        SnapshotTable through = layout(name).open(local.open(proxy, LogFixture.IMPATIENT, RequestListener.NONE));
        proxy.when(RequestMatch.writes()).always().loseRequest();
        Await.failure(through.save(snapshot("s", 1, 30)), StoreException.Unavailable.class);
        assertThat(Await.result(table.load("s", SnapshotCriteria.ALL))).contains(old);
    }

    @Override
    protected SnapshotLayout layout(String tableName) {
        return Akka1Snapshots.of(tableName);
    }
}
