package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.dynamo.RequestListener;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.model.Payload;
import io.dynajournal.model.SnapshotCriteria;
import io.dynajournal.model.StoredSnapshot;
import io.dynajournal.store.SnapshotTable;
import io.dynajournal.store.StoreException;
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

/** What every layout for snapshots must do. A layout's test extends this class and names the layout. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class SnapshotTableContract {

    private static final long MAX = Long.MAX_VALUE;

    @RegisterExtension
    protected final LocalDynamo local = new LocalDynamo();

    private final String tableName = local.freshTable();
    private @Nullable SnapshotTable table;

    /** The layout under test on a table of this name. */
    protected abstract SnapshotLayout layout(String tableName);

    /** How large the largest snapshot is. */
    protected int largeSnapshotSize() {
        return 20 << 20;
    }

    @BeforeAll
    void createTable() {
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

    private Optional<StoredSnapshot> load(String id, SnapshotCriteria criteria) {
        return Await.result(table().load(id, criteria));
    }

    private long loadedNumber(String id, long minSeqNr, long maxSeqNr, long minTimestamp, long maxTimestamp) {
        return load(id, new SnapshotCriteria(minSeqNr, maxSeqNr, minTimestamp, maxTimestamp))
                .map(StoredSnapshot::seqNr)
                .orElse(-1L);
    }

    /** Numbers 10, 20, … 100; times go up with them to number 70 and are all 650 behind it. */
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

    @Test
    void anUnknownIdHasNoSnapshot() {
        assertThat(load(TestEvents.freshId(), SnapshotCriteria.ALL)).isEmpty();
        Await.result(table().delete(TestEvents.freshId(), SnapshotCriteria.ALL));
    }

    @Test
    void everyFieldComesBack() {
        StoredSnapshot full = new StoredSnapshot(
                TestEvents.freshId(),
                7,
                1_700_000_000_123L,
                new Payload(-3, "manifest-ü", TestEvents.randomBytes(300)),
                new Payload(Integer.MIN_VALUE, "replicated", TestEvents.randomBytes(11)));
        StoredSnapshot bare = new StoredSnapshot(TestEvents.freshId(), 1, 0, new Payload(0, "", new byte[0]), null);
        for (StoredSnapshot snapshot : List.of(full, bare)) {
            Await.result(table().save(snapshot));
            assertThat(load(snapshot.persistenceId(), SnapshotCriteria.ALL)).contains(snapshot);
        }
    }

    @Test
    void numberZeroIsANumber() {
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
    void oddIdsAreKeptAsTheyAre(String id) {
        StoredSnapshot snapshot = snapshot(id, 3, 5, 5000);
        Await.result(table().save(snapshot));
        assertThat(load(id, SnapshotCriteria.ALL)).contains(snapshot);
        Await.result(table().delete(id, SnapshotCriteria.ALL));
        assertThat(load(id, SnapshotCriteria.ALL)).isEmpty();
    }

    @Test
    void theNewestIsTheOneWithTheHighestNumber() {
        assertThat(loadedNumber(sample(), 0, MAX, 0, MAX)).isEqualTo(100);
    }

    @Test
    void numbersBoundTheSearch() {
        String id = sample();
        assertThat(loadedNumber(id, 0, 55, 0, MAX)).isEqualTo(50);
        assertThat(loadedNumber(id, 0, 50, 0, MAX)).isEqualTo(50);
        assertThat(loadedNumber(id, 0, 9, 0, MAX)).isEqualTo(-1);
        assertThat(loadedNumber(id, 100, MAX, 0, MAX)).isEqualTo(100);
        assertThat(loadedNumber(id, 101, MAX, 0, MAX)).isEqualTo(-1);
        assertThat(loadedNumber(id, 41, 49, 0, MAX)).isEqualTo(-1);
        assertThat(loadedNumber(id, 40, 49, 0, MAX)).isEqualTo(40);
        assertThat(loadedNumber(id, 50, 40, 0, MAX)).isEqualTo(-1);
    }

    @Test
    void timesBoundTheSearch() {
        String id = sample();
        assertThat(loadedNumber(id, 0, MAX, 0, 649)).isEqualTo(60);
        assertThat(loadedNumber(id, 0, MAX, 0, 650)).isEqualTo(100);
        assertThat(loadedNumber(id, 0, MAX, 651, MAX)).isEqualTo(70);
        assertThat(loadedNumber(id, 0, MAX, 701, MAX)).isEqualTo(-1);
        assertThat(loadedNumber(id, 0, MAX, 0, 99)).isEqualTo(-1);
        assertThat(loadedNumber(id, 0, MAX, 100, 100)).isEqualTo(10);
        assertThat(loadedNumber(id, 0, MAX, 300, 200)).isEqualTo(-1);
    }

    @Test
    void numbersAndTimesBoundTheSearchTogether() {
        String id = sample();
        assertThat(loadedNumber(id, 20, 80, 300, 640)).isEqualTo(60);
        assertThat(loadedNumber(id, 20, 85, 300, 650)).isEqualTo(80);
        assertThat(loadedNumber(id, 61, 100, 0, 649)).isEqualTo(-1);
        assertThat(loadedNumber(id, 71, 100, 651, MAX)).isEqualTo(-1);
    }

    @Test
    void numbersBoundADelete() {
        String id = sample();
        Await.result(table().delete(id, SnapshotCriteria.exactly(50)));
        Await.result(table().delete(id, SnapshotCriteria.exactly(51)));
        assertThat(numbersIn(id)).containsExactly(10L, 20L, 30L, 40L, 60L, 70L, 80L, 90L, 100L);
        Await.result(table().delete(id, new SnapshotCriteria(0, 30, 0, MAX)));
        assertThat(numbersIn(id)).containsExactly(40L, 60L, 70L, 80L, 90L, 100L);
        Await.result(table().delete(id, new SnapshotCriteria(90, MAX, 0, MAX)));
        assertThat(numbersIn(id)).containsExactly(40L, 60L, 70L, 80L);
        Await.result(table().delete(id, new SnapshotCriteria(55, 75, 0, MAX)));
        assertThat(numbersIn(id)).containsExactly(40L, 80L);
        Await.result(table().delete(id, SnapshotCriteria.ALL));
        assertThat(numbersIn(id)).isEmpty();
    }

    @Test
    void timesBoundADelete() {
        String id = sample();
        Await.result(table().delete(id, new SnapshotCriteria(0, MAX, 0, 200)));
        assertThat(numbersIn(id)).containsExactly(30L, 40L, 50L, 60L, 70L, 80L, 90L, 100L);
        Await.result(table().delete(id, new SnapshotCriteria(0, MAX, 660, MAX)));
        assertThat(numbersIn(id)).containsExactly(30L, 40L, 50L, 60L, 80L, 90L, 100L);
        Await.result(table().delete(id, new SnapshotCriteria(40, 90, 400, 650)));
        assertThat(numbersIn(id)).containsExactly(30L, 100L);
        Await.result(table().delete(id, new SnapshotCriteria(0, MAX, 500, 400)));
        assertThat(numbersIn(id)).containsExactly(30L, 100L);
    }

    @Test
    void theOnlyMatchMayBeOnTheLastPage() {
        String id = TestEvents.freshId();
        for (int n = 1; n <= 10; n++) {
            Await.result(table().save(snapshot(id, n, n * 100L, 300_000)));
        }
        assertThat(loadedNumber(id, 0, MAX, 0, 150)).isEqualTo(1);
        assertThat(loadedNumber(id, 0, MAX, 950, MAX)).isEqualTo(10);
        Await.result(table().delete(id, new SnapshotCriteria(0, MAX, 950, MAX)));
        Await.result(table().delete(id, new SnapshotCriteria(0, MAX, 0, 150)));
        assertThat(numbersIn(id)).containsExactly(2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        Await.result(table().delete(id, new SnapshotCriteria(0, MAX, 1, MAX - 1)));
        assertThat(numbersIn(id)).isEmpty();
    }

    @Test
    void manySnapshotsAreDeletedAtOnce() {
        String id = TestEvents.freshId();
        for (int n = 1; n <= 60; n++) {
            Await.result(table().save(snapshot(id, n, n, 20)));
        }
        Await.result(table().delete(id, new SnapshotCriteria(0, 58, 0, MAX)));
        assertThat(numbersIn(id)).containsExactly(59L, 60L);
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 4_000, 4_096, 399_000, 400_000, 409_600, 1_200_000})
    void snapshotsAroundTheLimitsOfItemsComeBack(int size) {
        StoredSnapshot random = snapshot(TestEvents.freshId(), 1, 1, size);
        StoredSnapshot zeros = new StoredSnapshot(TestEvents.freshId(), 1, 1, new Payload(5, "", new byte[size]), null);
        for (StoredSnapshot snapshot : List.of(random, zeros)) {
            Await.result(table().save(snapshot));
            assertThat(load(snapshot.persistenceId(), SnapshotCriteria.ALL).equals(Optional.of(snapshot)))
                    .isTrue();
        }
    }

    @Test
    void aLargeSnapshotComesBack() {
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

    /** What a table holds that has seen only this. */
    private int itemsFor(StoredSnapshot snapshot) {
        String name = local.freshTable();
        Await.result(create(name).save(snapshot));
        return new RawTable(local.client(), name).items().size();
    }

    @Test
    void anOverwrittenSnapshotLeavesNothingBehind() {
        String id = TestEvents.freshId();
        StoredSnapshot small = snapshot(id, 4, 1, 20);
        StoredSnapshot large = snapshot(id, 4, 2, 1_500_000);
        StoredSnapshot larger = snapshot(id, 4, 3, 1_900_000);
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
    void aLostReplyIsRepeated() {
        String name = local.freshTable();
        create(name);
        FaultProxy proxy = local.proxy();
        SnapshotTable through = layout(name).open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
        for (int size : new int[] {20, 1_000_000}) {
            StoredSnapshot snapshot = snapshot(TestEvents.freshId(), 1, 1, size);
            int before = proxy.requests(RequestMatch.writes()).size();
            Await.result(through.save(snapshot));
            int needed = proxy.requests(RequestMatch.writes()).size() - before;
            Await.result(through.delete(snapshot.persistenceId(), SnapshotCriteria.ALL));
            // Once more, and the last reply is lost, which is the one that makes the snapshot visible.
            proxy.when(RequestMatch.writes()).after(needed - 1).loseReply();
            Await.result(through.save(snapshot));
            assertThat(Await.result(through.load(snapshot.persistenceId(), SnapshotCriteria.ALL))
                            .equals(Optional.of(snapshot)))
                    .isTrue();
            proxy.when(RequestMatch.operation("BatchWriteItem")).process(0);
            Await.result(through.delete(snapshot.persistenceId(), SnapshotCriteria.ALL));
        }
        assertThat(new RawTable(local.client(), name).items()).isEmpty();
    }

    @Test
    void aFailedOverwriteLeavesTheOldSnapshot() {
        String id = TestEvents.freshId();
        StoredSnapshot old = snapshot(id, 1, 1, 900_000);
        Await.result(table().save(old));
        FaultProxy proxy = local.proxy();
        SnapshotTable through = layout(tableName).open(local.open(proxy, LogFixture.IMPATIENT, RequestListener.NONE));
        proxy.when(RequestMatch.writes()).after(2).always().loseRequest();
        Await.failure(through.save(snapshot(id, 1, 2, 2_000_000)), StoreException.Unavailable.class);
        assertThat(load(id, SnapshotCriteria.ALL).equals(Optional.of(old))).isTrue();
    }
}
