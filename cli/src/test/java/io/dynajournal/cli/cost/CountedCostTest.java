package io.dynajournal.cli.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogHead;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.Cost;
import io.dynajournal.testkit.CostMeter;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.TestEvents;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The estimate against what DynamoDB Local counts for the same work, by AWS's rules where it does not follow them. Units are equal.
 * Only those of a page that is read may differ by one, because stored times differ in their digits.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CountedCostTest {

    /** In the layout akka1 each hundredth event has a mark. */
    private static final int WRITES = 100;

    /** Half of the sample. */
    private static final int DELETED = 51;

    private static final int ENTITIES = 36;
    private static final Offset<Double> EQUAL = within(1e-9);

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final CostMeter meter = new CostMeter();

    static Stream<Arguments> workloads() {
        return LayoutChoice.all().stream()
                .map(LayoutChoice::name)
                .flatMap(name -> Stream.of(Arguments.of(name, 200, 1), Arguments.of(name, 1500, 4)));
    }

    /** An event per second, of which an entity has 100. */
    private static Workload workload(int size, int batch, String... more) {
        Map<String, String> options = new HashMap<>(Map.of(
                "events-per-second",
                "1",
                "event-size",
                Integer.toString(size),
                "manifest-size",
                "0",
                "batch",
                Integer.toString(batch),
                "id-size",
                Integer.toString(TestEvents.freshId().length()),
                "entities",
                Integer.toString(ENTITIES),
                "retention",
                "1h",
                "removal",
                "delete"));
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return Workload.of(Map.of(), null, options);
    }

    private static Activity estimated(String layout, Workload workload, String activity) {
        Estimate estimate =
                Estimator.estimate(workload, LayoutChoice.named(List.of(layout)).get(0));
        return estimate.activities().stream()
                .filter(each -> each.name().equals(activity))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + activity + " in " + estimate));
    }

    /** The layout with tables of its own. */
    private LayoutChoice created(String name) {
        LayoutChoice choice = LayoutChoice.named(List.of(name), local.freshTable(), local.freshTable())
                .get(0);
        local.create(choice.journal().table());
        choice.snapshots().ifPresent(snapshots -> local.create(snapshots.table()));
        return choice;
    }

    private EventLog log(LayoutChoice choice) {
        return choice.journal().open(local.open(meter));
    }

    private static LogWriter written(EventLog log, int size, int batch, int writes) {
        LogWriter writer = LogWriter.recover(log, TestEvents.freshId());
        for (int i = 0; i < writes; i++) {
            writer.write(TestEvents.events(batch, size));
        }
        return writer;
    }

    @ParameterizedTest(name = "{0}, {1} bytes, batches of {2}")
    @MethodSource("workloads")
    void writes(String name, int size, int batch) {
        Activity events = estimated(name, workload(size, batch), "events");
        LogWriter writer = written(log(created(name)), size, batch, 2);
        meter.take();
        for (int i = 0; i < WRITES; i++) {
            writer.write(TestEvents.events(batch, size));
        }
        Cost cost = meter.take();
        assertThat(events.tableWrites() * batch * WRITES).isEqualTo(cost.tableWrites(), EQUAL);
        assertThat(events.indexWrites() * batch * WRITES).isEqualTo(cost.indexWrites(), EQUAL);
        assertThat(events.reads() * batch * WRITES).isEqualTo(cost.reads(), EQUAL);
    }

    /** An event in three items. */
    @ParameterizedTest
    @ValueSource(strings = {"commits", "commits-no-index"})
    void eventsThatAreLargerThanAnItem(String name) {
        int size = 900_000;
        Activity events = estimated(name, workload(size, 1), "events");
        LogWriter writer = written(log(created(name)), size, 1, 1);
        meter.take();
        writer.write(TestEvents.events(1, size));
        Cost cost = meter.take();
        assertThat(events.tableWrites()).isEqualTo(cost.tableWrites(), EQUAL).isGreaterThan(850);
        assertThat(events.indexWrites()).isEqualTo(cost.indexWrites(), EQUAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"commits", "commits-no-index", "akka2", "akka1", "j5ik2o", "sclasen"})
    void recoveries(String name) {
        Activity recoveries = estimated(name, workload(500, 1), "recoveries");
        LayoutChoice choice = created(name);
        String id = written(log(choice), 500, 1, WRITES).persistenceId();
        EventLog process = log(choice);
        written(process, 500, 1, 1);
        meter.take();
        choice.snapshots()
                .ifPresent(snapshots ->
                        Await.result(snapshots.open(local.open(meter)).load(id, SnapshotCriteria.ALL)));
        LogHead head = Await.result(process.head(id, 1));
        SeqRange range = SeqRange.wholeWrites(1, head.end().seqNr(), Long.MAX_VALUE);
        assertThat(LogReading.read(process, id, range, head.firstPage())).hasSize(WRITES);
        Await.result(process.append(
                EventBatch.of(id, TestEvents.freshWriter(), WRITES + 1, TestEvents.events(1, 500)), head.end()));
        assertThat(recoveries.reads() * 86_400 / ENTITIES)
                .isEqualTo(meter.take().reads(), within(1.0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"commits", "akka2", "akka1", "j5ik2o"})
    void snapshots(String name) {
        int every = 10;
        Activity saved =
                estimated(name, workload(100, 1, "snapshot-every", "10", "snapshot-size", "2500"), "snapshots");
        SnapshotLayout snapshots = created(name).snapshots().orElseThrow();
        SnapshotTable table = snapshots.open(local.open(meter));
        String id = TestEvents.freshId();
        save(table, id, 10);
        save(table, id, 20);
        meter.take();
        save(table, id, 30);
        if (!snapshots.keepsNewestOnly()) {
            Await.result(table.delete(id, new SnapshotCriteria(0, 10, 0, Long.MAX_VALUE)));
        }
        Cost cost = meter.take();
        assertThat(saved.tableWrites() * every).isEqualTo(cost.tableWrites(), EQUAL);
        assertThat(saved.indexWrites() * every).isEqualTo(cost.indexWrites(), EQUAL);
        assertThat(saved.reads() * every).isEqualTo(cost.reads(), EQUAL);
    }

    private static void save(SnapshotTable table, String id, long seqNr) {
        Await.result(table.save(new StoredSnapshot(
                id, seqNr, Clock.systemUTC().millis(), new Payload(20, "", TestEvents.randomBytes(2500)), null)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"commits", "akka2", "akka1", "j5ik2o", "sclasen"})
    void deletes(String name) {
        Activity deletes = estimated(name, workload(300, 1), "deletes");
        EventLog log = log(created(name));
        LogWriter writer = written(log, 300, 1, WRITES + 2);
        meter.take();
        Await.result(log.deleteTo(writer.persistenceId(), DELETED));
        Cost cost = meter.take();
        assertThat(deletes.tableWrites() * DELETED).isEqualTo(cost.tableWrites(), EQUAL);
        // The meter leaves out the index rows of what a transaction deletes.
        double rows = name.equals("akka2") ? DELETED : cost.indexWrites();
        assertThat(deletes.indexWrites() * DELETED).isEqualTo(rows, EQUAL);
        assertThat(deletes.reads() * DELETED).isEqualTo(cost.reads(), within(1.0));
    }

    /** A page of rows, and the events that are not in them. */
    @ParameterizedTest
    @ValueSource(strings = {"commits", "akka2"})
    void indexPages(String name) {
        LayoutUnits.IndexShape shape;
        try (LayoutUnits units =
                new LayoutUnits(LayoutChoice.named(List.of(name)).get(0), workload(1500, 1))) {
            units.write();
            shape = units.index().orElseThrow();
        }
        LayoutChoice choice = created(name);
        String id = written(log(choice), 1500, 1, WRITES).persistenceId();
        SliceIndex index = choice.journal().slices(local.open(meter)).orElseThrow();
        List<SlicePartition> partitions = Await.result(index.partitions("cart", SliceRange.ALL));
        assertThat(shape.partitions()).isEqualTo(partitions.size());
        SlicePartition own = partitions.stream()
                .filter(partition -> partition.mayHold(id))
                .findFirst()
                .orElseThrow();
        meter.take();
        List<SliceRow> rows = Await.result(index.read(own, 0, index.nowMicros(), null, WRITES))
                .rows();
        assertThat(rows).hasSize(WRITES);
        assertThat(Math.ceil(WRITES * shape.rowBytes() / 4096) / 2)
                .isEqualTo(meter.take().reads(), within(0.5));
        Await.result(index.events(rows));
        assertThat(shape.contentReads() * WRITES).isEqualTo(meter.take().reads(), EQUAL);
    }
}
