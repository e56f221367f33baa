package io.dynajournal.testkit.j5ik2o;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.j5ik2o.J5Journal;
import io.dynajournal.internal.layout.j5ik2o.J5Snapshots;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogHead;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.listener.Operation;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.Cost;
import io.dynajournal.testkit.CostMeter;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.TestEvents;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What a recovery costs on j5ik2o's tables, for events of 100 bytes. Its own plugin asks for the snapshot, the highest number
 * and, if there is one, the events: two or three requests, eventually consistent.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class J5CostTest {

    private static final Map<String, String> OURS_ONLY = Map.of("look-for-other-keys", "off");
    private static final Map<String, String> SPREAD = Map.of(
            "partition-key-resolver-class-name",
            "com.github.j5ik2o.akka.persistence.dynamodb.journal.PartitionKeyResolver$SequenceNumberBased");
    private static final SnapshotCriteria LATEST = SnapshotCriteria.ALL;

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final CostMeter meter = new CostMeter();
    private final String journal = local.freshTable();
    private final String snapshots = local.freshTable();
    private int ids;

    J5CostTest() {
        local.create(journal(Map.of()).table());
        local.create(J5Snapshots.of(settings(snapshots, Map.of())).table());
    }

    private static LayoutSettings settings(String table, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("table-name", table);
        return new LayoutSettings(settings);
    }

    private J5Journal journal(Map<String, String> more) {
        return J5Journal.of(settings(journal, more));
    }

    private EventLog log(Map<String, String> more) {
        return journal(more).open(local.open(meter));
    }

    private SnapshotTable snapshots(Map<String, String> more) {
        return J5Snapshots.of(settings(snapshots, more)).open(local.open(meter));
    }

    private String freshId() {
        return "cost-" + ids++;
    }

    private String written(int events, Map<String, String> more) {
        return LogWriter.recover(log(more), freshId())
                .write(TestEvents.events(events, 100))
                .persistenceId();
    }

    /** The cost of a recovery from a sequence number on. */
    private Cost recovery(String id, long from, Map<String, String> more) {
        meter.take();
        EventLog log = log(more);
        LogHead head = Await.result(log.head(id, from));
        if (head.end().seqNr() >= from) {
            SeqRange range = SeqRange.wholeWrites(from, head.end().seqNr(), Long.MAX_VALUE);
            assertThat(LogReading.read(log, id, range, head.firstPage()))
                    .hasSize((int) (head.end().seqNr() - from + 1));
        }
        return meter.take();
    }

    private Cost search(String id, Map<String, String> more) {
        meter.take();
        assertThat(Await.result(snapshots(more).load(id, LATEST))).isEmpty();
        return meter.take();
    }

    private static void assertQueries(Cost cost, int queries, double reads) {
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.QUERY, queries));
        assertThat(cost.reads()).isEqualTo(reads);
    }

    @Test
    void aNewIdIsOneRequestForTheLogAndOneForTheSnapshot() {
        assertQueries(recovery(freshId(), 1, OURS_ONLY), 1, 1);
        assertQueries(search(freshId(), OURS_ONLY), 1, 1);
    }

    /** One more query of the index each, at half a unit, concurrently with the one for the log. */
    @Test
    void rowsOfOtherResolversAreSearched() {
        assertQueries(recovery(freshId(), 1, Map.of()), 2, 1.5);
        assertQueries(search(freshId(), Map.of()), 2, 1.5);
    }

    @Test
    void aShortLogIsOneRequestAndOneForOtherKeys() {
        String id = written(50, Map.of());
        assertQueries(recovery(id, 1, Map.of()), 2, 4.5);
        assertQueries(recovery(id, 1, OURS_ONLY), 1, 4);
    }

    @Test
    void aLogAfterASnapshotIsOneRequestWithOrWithoutEvents() {
        String id = written(50, Map.of());
        assertQueries(recovery(id, 41, OURS_ONLY), 1, 1);
        assertQueries(recovery(id, 51, OURS_ONLY), 1, 1);
        assertQueries(recovery(id, 41, Map.of()), 2, 1.5);
        StoredSnapshot snapshot = new StoredSnapshot(id, 40, 1, new Payload(1, "", new byte[9]), null);
        Await.result(snapshots(Map.of()).save(snapshot));
        meter.take();
        assertThat(Await.result(snapshots(OURS_ONLY).load(id, LATEST))).contains(snapshot);
        assertQueries(meter.take(), 1, 1);
        assertThat(Await.result(snapshots(Map.of()).load(id, LATEST))).contains(snapshot);
        assertQueries(meter.take(), 2, 1.5);
    }

    /** A snapshot that is ahead of its log: the end takes a request of its own. */
    @Test
    void theEndOfALogFarBeforeItsSnapshotIsASecondRequest() {
        assertQueries(recovery(written(5, Map.of()), 41, OURS_ONLY), 2, 2);
    }

    /** The index shows roughly where the log ends; then all rows are read with one request, by their keys. */
    @Test
    void scatteredRowsAreTwoRequests() {
        assertThat(recovery(freshId(), 1, SPREAD).requests())
                .isEqualTo(Map.of(Operation.QUERY, 1, Operation.BATCH_GET, 1));
        String id = written(50, SPREAD);
        Cost cost = recovery(id, 1, SPREAD);
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.QUERY, 1, Operation.BATCH_GET, 1));
        // Ten of them for the keys after the end.
        assertThat(cost.tableReads()).isEqualTo(60);
        assertThat(cost.indexReads()).isEqualTo(0.5);
        assertThat(recovery(id, 41, SPREAD).requests()).isEqualTo(Map.of(Operation.QUERY, 1, Operation.BATCH_GET, 1));
    }

    /** Without the search of the index such rows are not found, so it is on by default. */
    @Test
    void withoutTheSearchRowsOfOtherResolversAreNotFound() {
        String id = written(3, SPREAD);
        assertThat(Await.result(log(OURS_ONLY).head(id, 1)).end().seqNr()).isZero();
    }
}
