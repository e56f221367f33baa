package io.dynajournal.testkit.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.layout.commits.CommitsSnapshots;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SnapshotIndex;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.Cost;
import io.dynajournal.testkit.CostMeter;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.TestEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the slice index of the native snapshot table shows, and what that costs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommitsSnapshotIndexTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final CostMeter meter = new CostMeter();
    private CommitsSnapshots layout = CommitsSnapshots.of("unset");

    @BeforeAll
    void table() {
        layout = new CommitsSnapshots(local.freshTable(), true, true, 8_192);
        local.create(layout.table());
    }

    private SnapshotTable snapshots() {
        return layout.open(local.open(meter));
    }

    private SnapshotIndex index(RequestListener listener) {
        return layout.slices(local.open(listener)).orElseThrow();
    }

    private static StoredSnapshot snapshot(String id, long seqNr, int size) {
        return new StoredSnapshot(id, seqNr, 1, new Payload(1, "", TestEvents.randomBytes(size)), null);
    }

    private List<SnapshotIndex.Key> keys(String entityType, SliceRange slices, long fromMicros) {
        SnapshotIndex index = index(RequestListener.NONE);
        List<SnapshotIndex.Key> keys = new ArrayList<>();
        for (SlicePartition partition : index.partitions(entityType, slices)) {
            Await.result(Pages.<PageToken>drain(
                    null,
                    start -> index.read(partition, fromMicros, start).thenApply(page -> {
                        keys.addAll(page.keys());
                        return page.next();
                    })));
        }
        return keys;
    }

    private List<SnapshotIndex.Key> keysOf(String id) {
        int slice = Slices.of(id);
        return keys(Slices.entityType(id), new SliceRange(slice, slice), 0).stream()
                .filter(key -> key.persistenceId().equals(id))
                .toList();
    }

    @Test
    void everySnapshotIsARowAndADeletedOneIsNot() {
        String id = TestEvents.freshId();
        SnapshotTable table = snapshots();
        for (long seqNr : new long[] {10, 20, 30}) {
            Await.result(table.save(snapshot(id, seqNr, 100)));
        }
        assertThat(keysOf(id)).extracting(SnapshotIndex.Key::seqNr).containsExactly(10L, 20L, 30L);
        Await.result(table.delete(id, SnapshotCriteria.exactly(30)));
        assertThat(keysOf(id)).extracting(SnapshotIndex.Key::seqNr).containsExactly(10L, 20L);
        Await.result(table.delete(id, SnapshotCriteria.ALL));
        assertThat(keysOf(id)).isEmpty();
    }

    @Test
    void byTypeBySliceAndByTime() {
        String type = "type" + TestEvents.freshId().hashCode();
        SnapshotTable table = snapshots();
        List<SnapshotIndex.Key> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            StoredSnapshot snapshot = snapshot(type + "|" + i, i + 1L, 10);
            Await.result(table.save(snapshot));
            all.add(new SnapshotIndex.Key(snapshot.persistenceId(), snapshot.seqNr()));
        }
        assertThat(keys(type, SliceRange.ALL, 0)).containsExactlyInAnyOrderElementsOf(all);
        assertThat(keys(type + "2", SliceRange.ALL, 0)).isEmpty();
        // Partitions are wider than slices, so others of the same partition may come along.
        SliceRange low = new SliceRange(0, 511);
        assertThat(keys(type, low, 0))
                .containsExactlyInAnyOrderElementsOf(all.stream()
                        .filter(key -> low.contains(key.persistenceId()))
                        .toList());
        long now = local.open(RequestListener.NONE).nowMicros();
        assertThat(keys(type, SliceRange.ALL, now + 1_000_000)).isEmpty();
        assertThat(keys(type, SliceRange.ALL, now - 60_000_000)).hasSize(40);
    }

    @Test
    void inPlaceOfOneThatIsGoneComesTheNewest() {
        String kept = TestEvents.freshId();
        String replaced = TestEvents.freshId();
        String large = TestEvents.freshId();
        String gone = TestEvents.freshId();
        SnapshotTable table = snapshots();
        List<StoredSnapshot> expected =
                List.of(snapshot(kept, 10, 10), snapshot(replaced, 30, 10), snapshot(large, 10, 20_000));
        expected.forEach(snapshot -> Await.result(table.save(snapshot)));
        Await.result(table.save(snapshot(kept, 20, 10)));
        Await.result(table.save(snapshot(replaced, 20, 10)));
        assertThat(Await.result(index(RequestListener.NONE)
                        .load(List.of(
                                new SnapshotIndex.Key(kept, 10),
                                new SnapshotIndex.Key(replaced, 10),
                                new SnapshotIndex.Key(large, 10),
                                new SnapshotIndex.Key(gone, 10)))))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void savingIsOneRequestAndOneUnitForTheIndex() {
        String id = TestEvents.freshId();
        SnapshotTable table = snapshots();
        meter.take();
        for (long seqNr = 1; seqNr <= 3; seqNr++) {
            Await.result(table.save(snapshot(id, seqNr, 3_500)));
            Cost cost = meter.take();
            assertThat(cost.requests()).isEqualTo(Map.of(Operation.PUT, 1));
            assertThat(cost.tableWrites()).isEqualTo(4);
            assertThat(cost.indexWrites()).isEqualTo(1);
        }
        Await.result(table.delete(id, new SnapshotCriteria(0, 2, 0, Long.MAX_VALUE)));
        Cost cost = meter.take();
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.QUERY, 1, Operation.BATCH_WRITE, 1));
        assertThat(cost.tableWrites()).isEqualTo(8);
        assertThat(cost.indexWrites()).isEqualTo(2);
    }

    @Test
    void readingIsHalfAUnitForEach4KbOfKeysAndOneRequestForAllSnapshots() {
        String type = "type" + TestEvents.freshId().hashCode();
        SnapshotTable table = snapshots();
        List<SnapshotIndex.Key> keys = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Await.result(table.save(snapshot(type + "|" + i, 7, 5_000)));
            keys.add(new SnapshotIndex.Key(type + "|" + i, 7));
        }
        CostMeter eventual = new CostMeter();
        SnapshotIndex index = layout.slices(local.open(eventual)).orElseThrow();
        eventual.take();
        for (SlicePartition partition : index.partitions(type, SliceRange.ALL)) {
            Await.result(index.read(partition, 0, null));
        }
        Cost read = eventual.take();
        assertThat(read.requests()).isEqualTo(Map.of(Operation.QUERY, 16));
        assertThat(read.reads()).isEqualTo(8);
        assertThat(Await.result(index.load(keys))).hasSize(4);
        Cost load = eventual.take();
        assertThat(load.requests()).isEqualTo(Map.of(Operation.BATCH_GET, 1));
        assertThat(load.reads()).isEqualTo(8);
    }
}
