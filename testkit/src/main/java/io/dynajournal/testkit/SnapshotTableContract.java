package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.listener.Lane;
import io.dynajournal.listener.RequestListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of every layout for snapshots. A layout's test extends this class, returns the layout, and declares what its
 * format lacks, which is printed; the tests then check the alternative.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class SnapshotTableContract {

    private static final long MAX = Long.MAX_VALUE;

    @RegisterExtension
    protected final LocalDynamo local = new LocalDynamo();

    private final String tableName = local.freshTable();
    private @Nullable SnapshotTable table;

    /** The layout under test, for a table of this name. */
    protected abstract SnapshotLayout layout(String tableName);

    /** The capabilities of the layout. */
    protected Capabilities capabilities() {
        return Capabilities.ALL;
    }

    /** The size of the largest snapshot in bytes. */
    protected int largeSnapshotSize() {
        return 20 << 20;
    }

    @BeforeAll
    void createTable() {
        System.out.println(capabilities().describe(getClass().getSimpleName()));
        table = create(tableName);
    }

    private SnapshotTable create(String name) {
        local.create(layout(name).table());
        return layout(name).open(local.open(RequestListener.NONE));
    }

    private SnapshotTable table() {
        return Objects.requireNonNull(table);
    }

    private static StoredSnapshot snapshot(String id, long seqNr, long timestamp, int size) {
        return new StoredSnapshot(id, seqNr, timestamp, new Payload(5, "state", TestEvents.randomBytes(size)), null);
    }

    /** This size, or the maximum size of a snapshot if that is lower. */
    private int size(int wanted) {
        return capabilities().atMost(Capability.ANY_SIZE, wanted);
    }

    /** The snapshots that remain of these if the layout keeps only the one saved last. */
    private List<Long> kept(long lastSaved, Long... numbers) {
        return Stream.of(numbers)
                .filter(number -> number == lastSaved || capabilities().has(Capability.MANY_SNAPSHOTS))
                .toList();
    }

    private void assertTooLarge(int size) {
        FaultProxy proxy = local.proxy();
        SnapshotTable through = layout(tableName).open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
        StoredSnapshot old = snapshot(TestEvents.freshId(), 1, 1, 20);
        Await.result(through.save(old));
        StoreException.ItemTooLarge refusal = Await.failure(
                through.save(snapshot(old.persistenceId(), 9, 2, size)), StoreException.ItemTooLarge.class);
        assertThat(refusal.persistenceId()).isEqualTo(old.persistenceId());
        assertThat(refusal.seqNr()).isEqualTo(9);
        assertThat(refusal.size()).isGreaterThan(size).isGreaterThan(refusal.limit());
        assertThat(refusal)
                .hasMessageContaining(old.persistenceId())
                .hasMessageContaining(" 9 ")
                .hasMessageContaining(String.valueOf(refusal.size()))
                .hasMessageContaining(String.valueOf(refusal.limit()))
                .hasMessageContaining(tableName);
        assertThat(proxy.requests(RequestMatch.writes())).hasSize(1);
        assertThat(load(old.persistenceId(), SnapshotCriteria.ALL)).contains(old);
    }

    private Optional<StoredSnapshot> load(String id, SnapshotCriteria criteria) {
        return Await.result(table().load(id, criteria));
    }

    private long loadedNumber(String id, long minSeqNr, long maxSeqNr, long minTimestamp, long maxTimestamp) {
        return load(id, new SnapshotCriteria(minSeqNr, maxSeqNr, minTimestamp, maxTimestamp))
                .map(StoredSnapshot::seqNr)
                .orElse(-1L);
    }

    /** Checks a search in {@link #sample}, by what it finds if all ten snapshots are kept. */
    private void assertLoads(
            String id, long minSeqNr, long maxSeqNr, long minTimestamp, long maxTimestamp, long expected) {
        boolean findsLast = minSeqNr <= 100 && maxSeqNr >= 100 && minTimestamp <= 650 && maxTimestamp >= 650;
        assertThat(loadedNumber(id, minSeqNr, maxSeqNr, minTimestamp, maxTimestamp))
                .isEqualTo(capabilities().has(Capability.MANY_SNAPSHOTS) ? expected : findsLast ? 100 : -1);
    }

    private void assertLeft(String id, Long... expected) {
        assertThat(numbersIn(id)).isEqualTo(kept(100, expected));
    }

    /** Sequence numbers 10, 20, … 100; times rise with them up to 70, and are 650 for all after it. */
    private String sample() {
        String id = TestEvents.freshId();
        for (long n = 10; n <= 100; n += 10) {
            Await.result(table().save(snapshot(id, n, n <= 70 ? n * 10 : 650, 30)));
        }
        return id;
    }

    private List<Long> numbersIn(String id) {
        List<Long> numbers = new ArrayList<>();
        long max = MAX;
        Optional<StoredSnapshot> next = load(id, SnapshotCriteria.ALL);
        while (next.isPresent() && max > 0) {
            max = next.get().seqNr() - 1;
            numbers.add(0, next.get().seqNr());
            next = max < 0 ? Optional.empty() : load(id, new SnapshotCriteria(0, max, 0, MAX));
        }
        return numbers;
    }

    /** A save waits for nothing that goes after writes, and no write for a delete. */
    @Test
    void allRequestsOfAnOperationAreInItsLane() {
        SeenLanes lanes = new SeenLanes();
        SnapshotTable laned = layout(tableName).open(local.open(lanes));
        String id = TestEvents.freshId();
        // Large enough for parts, or for the question whether an index holds a copy; saved twice, so that one is
        // replaced.
        Await.result(laned.save(snapshot(id, 1, 1, size(250_000))));
        Await.result(laned.save(snapshot(id, 1, 2, size(1 << 20))));
        Await.result(laned.save(snapshot(id, 1, 3, size(1 << 20))));
        assertThat(lanes.take()).containsExactly(Lane.WRITE);
        Await.result(laned.load(id, SnapshotCriteria.ALL));
        assertThat(lanes.take()).containsExactly(Lane.RECOVERY);
        Await.result(laned.delete(id, SnapshotCriteria.ALL));
        assertThat(lanes.take()).containsExactly(Lane.MAINTENANCE);
    }

    @Test
    void anUnknownIdHasNoSnapshot() {
        assertThat(load(TestEvents.freshId(), SnapshotCriteria.ALL)).isEmpty();
        Await.result(table().delete(TestEvents.freshId(), SnapshotCriteria.ALL));
    }

    @Test
    void everyFieldIsStored() {
        StoredSnapshot full = new StoredSnapshot(
                TestEvents.freshId(),
                7,
                1_700_000_000_123L,
                new Payload(-3, "manifest-ü", TestEvents.randomBytes(300)),
                capabilities().has(Capability.METADATA)
                        ? new Payload(Integer.MIN_VALUE, "replicated", TestEvents.randomBytes(11))
                        : null);
        StoredSnapshot bare = new StoredSnapshot(TestEvents.freshId(), 1, 0, new Payload(0, "", new byte[0]), null);
        for (StoredSnapshot snapshot : List.of(full, bare)) {
            Await.result(table().save(snapshot));
            assertThat(load(snapshot.persistenceId(), SnapshotCriteria.ALL)).contains(snapshot);
        }
    }

    @Test
    void metadataIsStoredOrRejected() {
        Payload payload = new Payload(1, "", new byte[1]);
        StoredSnapshot replicated = new StoredSnapshot(TestEvents.freshId(), 7, 5, payload, payload);
        if (capabilities().has(Capability.METADATA)) {
            Await.result(table().save(replicated));
            assertThat(load(replicated.persistenceId(), SnapshotCriteria.ALL)).contains(replicated);
        } else {
            assertThat(Await.failure(table().save(replicated), StoreException.Refused.class))
                    .hasMessageContaining(replicated.persistenceId())
                    .hasMessageContaining(" 7 ")
                    .hasMessageContaining(tableName);
            assertThat(load(replicated.persistenceId(), SnapshotCriteria.ALL)).isEmpty();
        }
    }

    @Test
    void sequenceNumberZeroIsValid() {
        StoredSnapshot zero = snapshot(TestEvents.freshId(), 0, 5, 20);
        Await.result(table().save(zero));
        assertThat(load(zero.persistenceId(), SnapshotCriteria.ALL)).contains(zero);
        assertThat(load(zero.persistenceId(), SnapshotCriteria.exactly(0))).contains(zero);
        Await.result(table().delete(zero.persistenceId(), SnapshotCriteria.exactly(0)));
        assertThat(load(zero.persistenceId(), SnapshotCriteria.ALL)).isEmpty();
    }

    static Stream<String> oddIds() {
        return LogAppendTests.oddIds();
    }

    @ParameterizedTest
    @MethodSource("io.dynajournal.testkit.SnapshotTableContract#oddIds")
    void unusualPersistenceIdsAreStoredUnchanged(String id) {
        StoredSnapshot snapshot = snapshot(id, 3, 5, 5000);
        Await.result(table().save(snapshot));
        assertThat(load(id, SnapshotCriteria.ALL)).contains(snapshot);
        Await.result(table().delete(id, SnapshotCriteria.ALL));
        assertThat(load(id, SnapshotCriteria.ALL)).isEmpty();
    }

    @Test
    void theLatestHasTheHighestSequenceNumber() {
        assertLoads(sample(), 0, MAX, 0, MAX, 100);
        StoredSnapshot high = snapshot(TestEvents.freshId(), 9, 900, 30);
        StoredSnapshot later = snapshot(high.persistenceId(), 7, 950, 30);
        Await.result(table().save(high));
        Await.result(table().save(later));
        assertThat(load(high.persistenceId(), SnapshotCriteria.ALL)).contains(high);
    }

    @Test
    void sequenceNumbersBoundTheSearch() {
        String id = sample();
        assertLoads(id, 0, 55, 0, MAX, 50);
        assertLoads(id, 0, 50, 0, MAX, 50);
        assertLoads(id, 0, 9, 0, MAX, -1);
        assertLoads(id, 100, MAX, 0, MAX, 100);
        assertLoads(id, 101, MAX, 0, MAX, -1);
        assertLoads(id, 41, 49, 0, MAX, -1);
        assertLoads(id, 40, 49, 0, MAX, 40);
        assertLoads(id, 50, 40, 0, MAX, -1);
    }

    @Test
    void timesBoundTheSearch() {
        String id = sample();
        assertLoads(id, 0, MAX, 0, 649, 60);
        assertLoads(id, 0, MAX, 0, 650, 100);
        assertLoads(id, 0, MAX, 651, MAX, 70);
        assertLoads(id, 0, MAX, 701, MAX, -1);
        assertLoads(id, 0, MAX, 0, 99, -1);
        assertLoads(id, 0, MAX, 100, 100, 10);
        assertLoads(id, 0, MAX, 300, 200, -1);
    }

    @Test
    void sequenceNumbersAndTimesBoundTheSearchTogether() {
        String id = sample();
        assertLoads(id, 20, 80, 300, 640, 60);
        assertLoads(id, 20, 85, 300, 650, 80);
        assertLoads(id, 61, 100, 0, 649, -1);
        assertLoads(id, 71, 100, 651, MAX, -1);
        assertLoads(id, 90, 110, 600, 700, 100);
        assertLoads(id, 101, 110, 600, 700, -1);
        assertLoads(id, 90, 110, 651, 700, -1);
        assertLoads(id, 90, 110, 600, 649, -1);
    }

    @Test
    void sequenceNumbersBoundADelete() {
        String id = sample();
        Await.result(table().delete(id, SnapshotCriteria.exactly(50)));
        Await.result(table().delete(id, SnapshotCriteria.exactly(51)));
        assertLeft(id, 10L, 20L, 30L, 40L, 60L, 70L, 80L, 90L, 100L);
        Await.result(table().delete(id, new SnapshotCriteria(0, 30, 0, MAX)));
        assertLeft(id, 40L, 60L, 70L, 80L, 90L, 100L);
        Await.result(table().delete(id, new SnapshotCriteria(90, MAX, 0, MAX)));
        assertLeft(id, 40L, 60L, 70L, 80L);
        Await.result(table().delete(id, new SnapshotCriteria(55, 75, 0, MAX)));
        assertLeft(id, 40L, 80L);
        Await.result(table().delete(id, SnapshotCriteria.ALL));
        assertLeft(id);
    }

    @Test
    void timesBoundADelete() {
        String id = sample();
        Await.result(table().delete(id, new SnapshotCriteria(0, MAX, 0, 200)));
        assertLeft(id, 30L, 40L, 50L, 60L, 70L, 80L, 90L, 100L);
        Await.result(table().delete(id, new SnapshotCriteria(0, MAX, 660, MAX)));
        assertLeft(id, 30L, 40L, 50L, 60L, 80L, 90L, 100L);
        Await.result(table().delete(id, new SnapshotCriteria(40, 90, 400, 650)));
        assertLeft(id, 30L, 100L);
        Await.result(table().delete(id, new SnapshotCriteria(0, MAX, 500, 400)));
        assertLeft(id, 30L, 100L);
        Await.result(table().delete(id, new SnapshotCriteria(0, MAX, 650, 650)));
        assertLeft(id, 30L);
    }

    @Test
    void theOnlyMatchMayBeOnTheLastPage() {
        String id = TestEvents.freshId();
        for (int n = 1; n <= 10; n++) {
            Await.result(table().save(snapshot(id, n, n * 100L, size(300_000))));
        }
        assertThat(loadedNumber(id, 0, MAX, 0, 150)).isEqualTo(kept(10, 1L).isEmpty() ? -1 : 1);
        assertThat(loadedNumber(id, 0, MAX, 950, MAX)).isEqualTo(10);
        Await.result(table().delete(id, new SnapshotCriteria(0, MAX, 950, MAX)));
        Await.result(table().delete(id, new SnapshotCriteria(0, MAX, 0, 150)));
        assertThat(numbersIn(id)).isEqualTo(kept(10, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L));
        Await.result(table().delete(id, new SnapshotCriteria(0, MAX, 1, MAX - 1)));
        assertThat(numbersIn(id)).isEmpty();
    }

    @Test
    void manySnapshotsAreDeletedTogether() {
        String name = local.freshTable();
        SnapshotTable own = create(name);
        RawTable raw = new RawTable(local.client(), name);
        String id = TestEvents.freshId();
        for (int n = 1; n <= 60; n++) {
            Await.result(own.save(snapshot(id, n, n, 20)));
        }
        assertThat(raw.items()).hasSize(capabilities().has(Capability.MANY_SNAPSHOTS) ? 60 : 1);
        Await.result(own.delete(id, new SnapshotCriteria(0, 58, 0, MAX)));
        assertThat(raw.items()).hasSize(kept(60, 59L, 60L).size());
        Await.result(own.delete(id, SnapshotCriteria.ALL));
        assertThat(raw.items()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 4_000, 4_096, 200_000, 204_500, 204_800, 399_000, 400_000, 409_000, 409_600, 1_200_000})
    void snapshotsAroundTheItemSizeLimitAreStored(int size) {
        if (!capabilities().has(Capability.ANY_SIZE, size)) {
            assertTooLarge(size);
            return;
        }
        StoredSnapshot random = snapshot(TestEvents.freshId(), 1, 1, size);
        StoredSnapshot zeros = new StoredSnapshot(TestEvents.freshId(), 1, 1, new Payload(5, "", new byte[size]), null);
        for (StoredSnapshot snapshot : List.of(random, zeros)) {
            Await.result(table().save(snapshot));
            assertThat(load(snapshot.persistenceId(), SnapshotCriteria.ALL).equals(Optional.of(snapshot)))
                    .isTrue();
        }
    }

    @Test
    void aLargeSnapshotIsStored() {
        if (!capabilities().has(Capability.ANY_SIZE, largeSnapshotSize())) {
            assertTooLarge(largeSnapshotSize());
            return;
        }
        String name = local.freshTable();
        SnapshotTable own = create(name);
        StoredSnapshot large = snapshot(TestEvents.freshId(), 1, 1, largeSnapshotSize());
        Await.result(own.save(large));
        assertThat(Await.result(own.load(large.persistenceId(), SnapshotCriteria.ALL))
                        .equals(Optional.of(large)))
                .isTrue();
        Await.result(own.delete(large.persistenceId(), SnapshotCriteria.ALL));
        assertThat(new RawTable(local.client(), name).items()).isEmpty();
    }

    /** The items of a table in which only this snapshot was saved. */
    private int itemsFor(StoredSnapshot snapshot) {
        String name = local.freshTable();
        Await.result(create(name).save(snapshot));
        return new RawTable(local.client(), name).items().size();
    }

    @Test
    void anOverwrittenSnapshotLeavesNoItems() {
        String id = TestEvents.freshId();
        StoredSnapshot small = snapshot(id, 4, 1, 20);
        StoredSnapshot large = snapshot(id, 4, 2, size(1_500_000));
        StoredSnapshot larger = snapshot(id, 4, 3, size(1_900_000));
        String name = local.freshTable();
        SnapshotTable own = create(name);
        RawTable raw = new RawTable(local.client(), name);
        for (StoredSnapshot snapshot : List.of(small, large, larger, large, small, small)) {
            Await.result(own.save(snapshot));
            assertThat(Await.result(own.load(id, SnapshotCriteria.ALL)).equals(Optional.of(snapshot)))
                    .isTrue();
            assertThat(raw.items()).hasSize(itemsFor(snapshot));
        }
        Await.result(own.delete(id, SnapshotCriteria.ALL));
        assertThat(raw.items()).isEmpty();
    }

    @Test
    void aLostReplyIsRetried() {
        String name = local.freshTable();
        create(name);
        FaultProxy proxy = local.proxy();
        SnapshotTable through = layout(name).open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
        for (int size : new int[] {20, size(1_000_000)}) {
            StoredSnapshot snapshot = snapshot(TestEvents.freshId(), 1, 1, size);
            int before = proxy.requests(RequestMatch.writes()).size();
            Await.result(through.save(snapshot));
            int needed = proxy.requests(RequestMatch.writes()).size() - before;
            Await.result(through.delete(snapshot.persistenceId(), SnapshotCriteria.ALL));
            // Once more with the last reply lost, which is that of the request that makes the snapshot visible.
            proxy.when(RequestMatch.writes()).after(needed - 1).loseReply();
            Await.result(through.save(snapshot));
            assertThat(Await.result(through.load(snapshot.persistenceId(), SnapshotCriteria.ALL))
                            .equals(Optional.of(snapshot)))
                    .isTrue();
            proxy.when(RequestMatch.writes()).loseReply();
            Await.result(through.delete(snapshot.persistenceId(), SnapshotCriteria.ALL));
        }
        assertThat(new RawTable(local.client(), name).items()).isEmpty();
    }

    @Test
    void unprocessedDeletesAreRetried() {
        String name = local.freshTable();
        SnapshotTable own = create(name);
        FaultProxy proxy = local.proxy();
        SnapshotTable through = layout(name).open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
        String id = TestEvents.freshId();
        Await.result(own.save(snapshot(id, 1, 1, 20)));
        Await.result(through.delete(id, SnapshotCriteria.ALL));
        boolean inBatches =
                !proxy.requests(RequestMatch.operation("BatchWriteItem")).isEmpty();
        for (int n = 1; n <= 5; n++) {
            Await.result(own.save(snapshot(id, n, n, 20)));
        }
        if (inBatches) {
            proxy.when(RequestMatch.operation("BatchWriteItem")).process(0);
            proxy.when(RequestMatch.operation("BatchWriteItem")).process(2);
        } else {
            proxy.when(RequestMatch.writes()).loseRequest();
        }
        Await.result(through.delete(id, SnapshotCriteria.ALL));
        assertThat(new RawTable(local.client(), name).items()).isEmpty();
    }

    @Test
    void aFailedOverwriteLeavesTheOldSnapshot() {
        FaultProxy counting = local.proxy();
        StoredSnapshot large = snapshot(TestEvents.freshId(), 1, 2, size(2_000_000));
        Await.result(layout(tableName)
                .open(local.open(counting, LocalDynamo.PATIENT, RequestListener.NONE))
                .save(large));
        int needed = counting.requests(RequestMatch.writes()).size();

        String id = TestEvents.freshId();
        StoredSnapshot old = snapshot(id, 1, 1, size(900_000));
        Await.result(table().save(old));
        FaultProxy proxy = local.proxy();
        SnapshotTable through = layout(tableName).open(local.open(proxy, LogFixture.IMPATIENT, RequestListener.NONE));
        // The last request makes it visible.
        proxy.when(RequestMatch.writes()).after(needed - 1).always().loseRequest();
        Await.failure(through.save(snapshot(id, 1, 2, size(2_000_000))), StoreException.Unavailable.class);
        assertThat(load(id, SnapshotCriteria.ALL).equals(Optional.of(old))).isTrue();
    }

    /** The toolkit would report a failure, although the snapshot is stored. */
    @Test
    void aSaveWithoutAReplyIsReadBack() {
        FaultProxy proxy = local.proxy();
        SnapshotTable through = layout(tableName).open(local.open(proxy, LogFixture.IMPATIENT, RequestListener.NONE));
        StoredSnapshot saved = snapshot(TestEvents.freshId(), 5, 50, 100);
        proxy.when(RequestMatch.writes()).always().loseReply();
        Await.result(through.save(saved));
        assertThat(load(saved.persistenceId(), SnapshotCriteria.ALL)).contains(saved);
    }

    @Test
    void aSaveThatDidNotArriveFails() {
        FaultProxy proxy = local.proxy();
        SnapshotTable through = layout(tableName).open(local.open(proxy, LogFixture.IMPATIENT, RequestListener.NONE));
        StoredSnapshot before = snapshot(TestEvents.freshId(), 5, 50, 100);
        Await.result(through.save(before));
        proxy.when(RequestMatch.writes()).always().loseRequest();
        Await.failure(through.save(snapshot(before.persistenceId(), 5, 51, 100)), StoreException.Unavailable.class);
        Await.failure(through.save(snapshot(before.persistenceId(), 6, 52, 100)), StoreException.Unavailable.class);
        assertThat(load(before.persistenceId(), SnapshotCriteria.ALL)).contains(before);
    }

    @Test
    void aLateSaveHidesNoNewerSnapshot() {
        FaultProxy proxy = local.proxy();
        SnapshotTable through = layout(tableName).open(local.open(proxy, LogFixture.IMPATIENT, RequestListener.NONE));
        String id = TestEvents.freshId();
        HeldRequest late = proxy.when(RequestMatch.writes()).deliverLate();
        proxy.when(RequestMatch.writes()).always().loseRequest();
        Await.failure(through.save(snapshot(id, 5, 50, 100)), StoreException.Unavailable.class);
        StoredSnapshot newer = snapshot(id, 12, 120, 100);
        Await.result(table().save(newer));
        Await.result(table().delete(id, new SnapshotCriteria(0, 11, 0, MAX)));
        late.release();
        late.awaitDelivery();
        assertThat(load(id, SnapshotCriteria.ALL)).contains(newer);
    }
}
