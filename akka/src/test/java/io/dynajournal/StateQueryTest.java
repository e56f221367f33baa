package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.ActorSystem;
import akka.japi.Pair;
import akka.persistence.query.DurableStateChange;
import akka.persistence.query.NoOffset;
import akka.persistence.query.Offset;
import akka.persistence.query.TimestampOffset;
import akka.persistence.query.UpdatedDurableState;
import akka.persistence.query.javadsl.DurableStateStorePagedPersistenceIdsQuery;
import akka.persistence.query.javadsl.DurableStateStoreQuery;
import akka.persistence.query.typed.javadsl.DurableStateStoreBySliceQuery;
import akka.stream.javadsl.Source;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.state.javadsl.DynajournalDurableStateStore;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import scala.Option;

/** Every query of durable states, on a running system. */
final class StateQueryTest {

    private static final RequestMatch INDEX = RequestMatch.operation("Query").containing("\"IndexName\":\"slices\"");
    private static final int PARTITIONS = 16;

    @RegisterExtension
    final Systems systems = new Systems();

    private ActorSystem system;
    private Reads reads;
    private DynajournalDurableStateStore<String> store;

    @BeforeEach
    void start() {
        start("");
    }

    private void start(String overrides) {
        system = systems.start(StateReads.freshTable() + overrides);
        reads = new Reads(system);
        store = StateReads.store(system, StateReads.STORE);
    }

    private void upsert(String id, long revision, String value, String tag) {
        Reads.result(store.upsertObject(id, revision, value, tag));
    }

    private void upsert(String id, long revision, String value) {
        upsert(id, revision, value, "");
    }

    private void delete(String id, long revision) {
        Reads.result(store.deleteObject(id, revision));
    }

    private List<String> current(Source<DurableStateChange<String>, ?> source) {
        return StateReads.texts(reads.all(source));
    }

    private Source<DurableStateChange<String>, ?> current(Offset offset) {
        return store.currentChangesBySlices("T", 0, 1023, offset);
    }

    @Test
    void currentChangesAreTheNewestStateOfEachIdDeletedOnesIncluded() {
        upsert("T|a", 1, "one");
        upsert("T|b", 1, "two");
        upsert("T|a", 2, "three");
        upsert("T|c", 1, "four");
        delete("T|c", 2);
        upsert("U|x", 1, "other");
        upsert("plain", 1, "without type");

        assertThat(current(current(NoOffset.getInstance())))
                .containsExactlyInAnyOrder("T|b 1 two", "T|a 2 three", "T|c 2 -");
        assertThat(current(store.currentChangesBySlices("", 0, 1023, NoOffset.getInstance())))
                .containsExactly("plain 1 without type");
        assertThat(current(store.currentChangesBySlices("V", 0, 1023, NoOffset.getInstance())))
                .isEmpty();
    }

    @Test
    void eachIdIsInOneRangeOfSlices() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            upsert("T|" + i, 1, "s");
            ids.add("T|" + i);
        }
        Set<String> found = new HashSet<>();
        for (Pair<Integer, Integer> range : store.sliceRanges(4)) {
            for (DurableStateChange<String> change : reads.all(
                    store.currentChangesBySlices("T", range.first(), range.second(), NoOffset.getInstance()))) {
                assertThat(Slices.of(change.persistenceId())).isBetween(range.first(), range.second());
                assertThat(found.add(change.persistenceId())).isTrue();
            }
        }
        assertThat(found).isEqualTo(ids);
        assertThat(store.sliceForPersistenceId("T|1")).isEqualTo(Slices.of("T|1"));
    }

    @Test
    void liveChangesFollowEachWriteAndAnOffsetResumesAfterIt() {
        upsert("T|a", 1, "one");
        Reads.Consumer<DurableStateChange<String>> live =
                reads.consumer(store.changesBySlices("T", 0, 1023, NoOffset.getInstance()));
        DurableStateChange<String> first = live.next();
        assertThat(StateReads.text(first)).isEqualTo("T|a 1 one");
        upsert("T|a", 2, "two");
        DurableStateChange<String> second = live.next();
        assertThat(StateReads.text(second)).isEqualTo("T|a 2 two");
        delete("T|a", 3);
        assertThat(StateReads.text(live.next())).isEqualTo("T|a 3 -");
        upsert("T|a", 4, "again");
        DurableStateChange<String> last = live.next();
        assertThat(StateReads.text(last)).isEqualTo("T|a 4 again");
        live.stop();

        TimestampOffset offset = (TimestampOffset) last.offset();
        assertThat(offset.getSeen()).isEqualTo(Map.of("T|a", 4L));
        assertThat(((UpdatedDurableState<String>) last).timestamp())
                .isEqualTo(offset.timestamp().toEpochMilli());
        assertThat(current(current(last.offset()))).isEmpty();
        assertThat(current(current(second.offset()))).containsExactly("T|a 4 again");
        upsert("T|b", 1, "new");
        assertThat(current(current(last.offset()))).containsExactly("T|b 1 new");
    }

    @Test
    void tagsAreFollowedOverAllEntityTypesAndThroughDeletes() {
        Reads.Consumer<DurableStateChange<String>> live = reads.consumer(store.changes("red", NoOffset.getInstance()));
        upsert("T|a", 1, "one", "red");
        assertThat(StateReads.text(live.next())).isEqualTo("T|a 1 one");
        upsert("T|b", 1, "two", "blue");
        upsert("U|c", 1, "three", "red");
        assertThat(StateReads.text(live.next())).isEqualTo("U|c 1 three");
        delete("T|a", 2);
        assertThat(StateReads.text(live.next())).isEqualTo("T|a 2 -");
        upsert("U|c", 2, "four", "blue");
        live.stop();

        assertThat(current(store.currentChanges("red", NoOffset.getInstance()))).containsExactly("T|a 2 -");
        assertThat(current(store.currentChanges("blue", NoOffset.getInstance())))
                .containsExactlyInAnyOrder("T|b 1 two", "U|c 2 four");
    }

    @Test
    void idsComeInPagesOnceEachAlsoWhileTheyAreWritten() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 25; i++) {
            String id = (i % 2 == 0 ? "T|" : "U|") + i;
            upsert(id, 1, "s");
            ids.add(id);
        }
        upsert("T|gone", 1, "s");
        delete("T|gone", 2);

        List<String> found = new ArrayList<>();
        Optional<String> after = Optional.empty();
        long revision = 2;
        do {
            List<String> page = reads.all(store.currentPersistenceIds(after, 10));
            assertThat(page).hasSizeLessThanOrEqualTo(10);
            found.addAll(page);
            after = page.isEmpty() ? Optional.empty() : Optional.of(page.get(page.size() - 1));
            for (String id : ids) {
                upsert(id, revision, "s");
            }
            revision++;
        } while (after.isPresent());
        assertThat(found).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(ids);
        assertThat(reads.all(store.currentPersistenceIds("U", Optional.empty(), 100)))
                .hasSize(12)
                .allMatch(id -> id.startsWith("U|"));
        assertThat(reads.all(store.currentPersistenceIds(Optional.of("T|never there"), 100)))
                .hasSizeLessThanOrEqualTo(25);
    }

    @Test
    void theScalaStoreHasTheSame() {
        upsert("T|a", 1, "one", "red");
        io.dynajournal.state.scaladsl.DynajournalDurableStateStore<String> scala = StateReads.scalaStore(system);
        Offset start = NoOffset.getInstance();
        assertThat(current(scala.currentChangesBySlices("T", 0, 1023, start).asJava()))
                .containsExactly("T|a 1 one");
        assertThat(current(scala.changesBySlices("T", 0, 1023, start).asJava().take(1)))
                .containsExactly("T|a 1 one");
        assertThat(current(scala.currentChanges("red", start).asJava())).containsExactly("T|a 1 one");
        assertThat(current(scala.changes("red", start).asJava().take(1))).containsExactly("T|a 1 one");
        assertThat(reads.all(scala.currentPersistenceIds(Option.empty(), 9).asJava()))
                .containsExactly("T|a");
        assertThat(scala.sliceRanges(4).size()).isEqualTo(4);
        assertThat(scala.sliceForPersistenceId("T|a")).isEqualTo(Slices.of("T|a"));
    }

    @Test
    void theStoreImplementsTheToolkitsInterfaces() {
        assertThat(store)
                .isInstanceOf(DurableStateStoreBySliceQuery.class)
                .isInstanceOf(DurableStateStoreQuery.class)
                .isInstanceOf(DurableStateStorePagedPersistenceIdsQuery.class);
    }

    @Test
    void withoutTheIndexChangesFailAtOnceAndIdsDoNot() {
        DynajournalDurableStateStore<String> other = StateReads.store(system, "other-state");
        Reads.result(other.upsertObject(Systems.freshId(), 1, "s", ""));
        for (Source<DurableStateChange<String>, ?> source : List.<Source<DurableStateChange<String>, ?>>of(
                other.changesBySlices("T", 0, 1023, NoOffset.getInstance()),
                other.currentChanges("red", NoOffset.getInstance()))) {
            assertThatThrownBy(() -> reads.all(source))
                    .hasCauseInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("other_states")
                    .hasMessageContaining("layout commits")
                    .hasMessageContaining("index.slices = on");
        }
        assertThat(reads.all(other.currentPersistenceIds(Optional.empty(), 1))).hasSize(1);
    }

    /** Without a wake-up each of these ids would wait for the next poll of its partition. */
    @Test
    void aWriteOfTheSameSystemWakesTheQuery() {
        start("dynajournal.state.query { refresh-interval = 60 s, idle-refresh-interval = 60 s }");
        // One id per partition, and none in the partition of the first id.
        Map<Integer, String> byPartition = new TreeMap<>();
        IntStream.range(0, 100).mapToObj(i -> "T|" + i).forEach(id -> byPartition.put(Slices.of(id) / 64, id));
        byPartition.remove(Slices.of("T|first") / 64);
        List<String> ids = byPartition.values().stream().limit(3).toList();
        upsert("T|first", 1, "s");
        Reads.Consumer<DurableStateChange<String>> live =
                reads.consumer(store.changesBySlices("T", 0, 1023, NoOffset.getInstance()));
        live.next();
        long start = System.nanoTime();
        for (String id : ids) {
            upsert(id, 1, "s");
            assertThat(live.next().persistenceId()).isEqualTo(id);
        }
        delete(ids.get(0), 2);
        assertThat(StateReads.text(live.next())).isEqualTo(ids.get(0) + " 2 -");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(60));
        live.stop();
    }

    @Test
    void idleQueriesOfTheSameRangePollEachPartitionOncePerRefreshInterval() {
        try (FaultProxy proxy = Systems.proxy()) {
            start(Systems.through(proxy) + """

                    dynajournal.state.create-tables = on
                    dynajournal.state.query { refresh-interval = 500 ms, idle-refresh-interval = 500 ms }
                    """);
            upsert("T|a", 1, "s");
            List<Reads.Consumer<DurableStateChange<String>>> all = IntStream.range(0, 5)
                    .mapToObj(i -> reads.consumer(store.changesBySlices("T", 0, 1023, NoOffset.getInstance())))
                    .toList();
            all.forEach(Reads.Consumer::next);
            // Past the polls that follow a write.
            proxy.awaitRequests(INDEX, proxy.requests(INDEX).size() + 3 * PARTITIONS);
            int before = proxy.requests(INDEX).size();
            long start = System.nanoTime();
            proxy.awaitRequests(INDEX, before + 6 * PARTITIONS);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(1500));
            all.forEach(Reads.Consumer::stop);
        }
    }
}
