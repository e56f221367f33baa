package io.dynajournal.testkit.j5ik2o;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.j5ik2o.J5Journal;
import io.dynajournal.internal.layout.j5ik2o.J5Snapshots;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.LogHead;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.j5ik2o.KeyResolver;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.Cost;
import io.dynajournal.testkit.CostMeter;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.HeldRequest;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Defects of the predecessor, how the layout j5ik2o behaves instead, and the cost of writes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class J5DefectTest {

    private static final String RESOLVERS = "com.github.j5ik2o.akka.persistence.dynamodb.journal.";
    private static final Map<String, String> SPREAD =
            Map.of("partition-key-resolver-class-name", RESOLVERS + "PartitionKeyResolver$SequenceNumberBased");

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final Dynamo dynamo = local.open(RequestListener.NONE);

    private static J5Journal journal(String table, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("table-name", table);
        return J5Journal.of(new LayoutSettings(settings));
    }

    private J5Journal created(Map<String, String> settings) {
        J5Journal journal = journal(local.freshTable(), settings);
        local.create(journal.table());
        return journal;
    }

    private List<Map<String, AttributeValue>> rows(String table) {
        return Await.result(local.client().scan(scan -> scan.tableName(table).consistentRead(true)))
                .items();
    }

    private static List<Long> numbers(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    private static CompletionStage<LogEnd> first(EventLog log, String id, int count) {
        return log.append(
                EventBatch.of(id, TestEvents.freshWriter(), 1, TestEvents.events(count, 20)), LogEnd.empty(0));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void collidingPersistenceIdsAreRejectedAndNeverOverwritten(int count) {
        J5Journal journal = created(Map.of());
        EventLog log = journal.open(dynamo);
        List<String> stored = new ArrayList<>();
        int refused = 0;
        for (int i = 0; i < 100; i++) {
            String id = "Counter|" + i;
            try {
                Await.result(first(log, id, count));
                stored.add(id);
            } catch (StoreException.Refused e) {
                refused++;
                assertThat(e)
                        .hasMessageContaining(id)
                        .hasMessageContaining(journal.tableName())
                        .hasMessageContaining("SequenceNumberBased")
                        .hasMessageContaining("layout commits");
            }
        }
        // The predecessor acknowledges all hundred persistence ids and recovers fifty.
        assertThat(stored).hasSizeBetween(30, 60);
        assertThat(refused).isEqualTo(100 - stored.size());
        stored.forEach(
                id -> assertThat(LogReading.numbers(LogReading.all(log, id))).isEqualTo(numbers(1, count)));
    }

    @Test
    void persistenceIdsDoNotCollideWithSequenceNumberBased() {
        EventLog log = created(SPREAD).open(dynamo);
        for (int i = 0; i < 30; i++) {
            Await.result(first(log, "Counter|" + i, 2));
        }
        for (int i = 0; i < 30; i++) {
            assertThat(LogReading.all(log, "Counter|" + i)).hasSize(2);
        }
    }

    @Test
    void snapshotsOfCollidingPersistenceIdsAreRejected() {
        J5Snapshots snapshots = J5Snapshots.of(new LayoutSettings(Map.of("table-name", local.freshTable())));
        local.create(snapshots.table());
        SnapshotTable table = snapshots.open(dynamo);
        StoredSnapshot one = new StoredSnapshot("a-b-c", 1, 5, new Payload(1, "", new byte[3]), null);
        // With the same prefix and the same second part, one in 64 is in the same shard.
        int refused = 0;
        Await.result(table.save(one));
        for (int i = 0; i < 300; i++) {
            StoredSnapshot other = new StoredSnapshot("a-b-" + i, 1, 6, new Payload(1, "", new byte[4]), null);
            try {
                Await.result(table.save(other));
                Await.result(table.delete(other.persistenceId(), SnapshotCriteria.ALL));
            } catch (StoreException.Refused e) {
                refused++;
                assertThat(e).hasMessageContaining("a-b-c").hasMessageContaining("a-b-" + i);
            }
        }
        assertThat(refused).isPositive();
        assertThat(Await.result(table.load("a-b-c", SnapshotCriteria.ALL))).contains(one);
    }

    /** Two persistence ids in one partition: DynamoDB applies a limit of 1 before the filter. */
    @Test
    void theEndIsFoundAfterRowsOfAnotherPersistenceId() {
        EventLog log = created(Map.of("shard-count", "2")).open(dynamo);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            String id = "Counter|" + i;
            LogEnd before = new LogEnd(10L * i, 0, "", 0);
            Await.result(log.append(
                    EventBatch.of(id, TestEvents.freshWriter(), 10L * i + 1, TestEvents.events(3, 20)), before));
            ids.add(id);
        }
        for (int i = 0; i < ids.size(); i++) {
            assertThat(LogReading.highest(log, ids.get(i))).isEqualTo(10L * i + 3);
            // After a snapshot the end takes a request of its own.
            assertThat(Await.result(log.head(ids.get(i), 10L * i + 4)).end().seqNr())
                    .isEqualTo(10L * i + 3);
            assertThat(LogReading.numbers(LogReading.all(log, ids.get(i))))
                    .isEqualTo(numbers(10L * i + 1, 10L * i + 3));
            assertThat(LogReading.numbers(
                            LogReading.read(log, ids.get(i), SeqRange.wholeWrites(1, 10L * i + 3, Long.MAX_VALUE))))
                    .hasSize(3);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void hardDeletesOfNoneOneAndAllRowsKeepTheHighestSequenceNumber(boolean together) {
        Map<String, String> settings = new HashMap<>(together ? Map.of() : SPREAD);
        settings.put("soft-delete", "false");
        J5Journal journal = created(settings);
        EventLog log = journal.open(dynamo);
        String id = "cart-one";
        Await.result(log.deleteTo(id, 5));
        LogWriter writer = LogWriter.recover(log, id).writeSingles(2).write(3);
        Await.result(log.deleteTo(id, 1));
        assertThat(LogReading.numbers(LogReading.all(log, id))).isEqualTo(numbers(2, 5));
        Await.result(log.deleteTo(id, 1));
        // The first row stays marked: its writer took over there.
        assertThat(rows(journal.tableName())).hasSize(5);
        Await.result(log.deleteTo(id, Long.MAX_VALUE));
        assertThat(rows(journal.tableName())).hasSize(2);
        assertThat(LogReading.all(log, id)).isEmpty();
        assertThat(LogReading.highest(log, id)).isEqualTo(5);
        LogWriter stale = LogWriter.recover(log, id);
        writer.write(1);
        assertThat(LogReading.numbers(LogReading.all(log, id))).containsExactly(6L);
        Await.failure(stale.send(stale.next(TestEvents.events(1, 20))), StoreException.WriteConflict.class);
        Await.result(log.deleteTo(id, 5));
        assertThat(rows(journal.tableName())).hasSize(2);
    }

    /** The row that stops a stale writer after hard deletes stays for a while only, so an old view is checked. */
    @Test
    void anOldViewIsCheckedIfDeletesRemoveRows() {
        EventLog log = created(Map.of("soft-delete", "false")).open(dynamo);
        String id = "cart-two";
        LogWriter.recover(log, id).write(2);
        LogEnd old = new LogEnd(2, 0, "", 0);
        LogWriter other = LogWriter.recover(log, id).writeSingles(4);
        Await.result(log.deleteTo(id, 5));
        StoreException.WriteConflict conflict = Await.failure(
                log.append(EventBatch.of(id, TestEvents.freshWriter(), 3, TestEvents.events(1, 20)), old),
                StoreException.WriteConflict.class);
        assertThat(conflict.otherWriter()).isEqualTo(other.uuid());
    }

    /**
     * The declared limit: hard deletes of the predecessor leave nothing that stops a stale writer whose view is recent. It is rejected at
     * the first row that is left, and changes none.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 6, 11})
    void aStaleWriterIsRejectedAtTheFirstRowThatTheirHardDeletesLeft(int size) {
        J5Journal journal = created(Map.of("soft-delete", "false"));
        EventLog log = journal.open(dynamo);
        String id = "cart-stale";
        LogWriter stale = LogWriter.recover(log, id).write(3);
        LogWriter other = LogWriter.recover(log, id).writeSingles(5).write(6);
        removeTo(journal, 8);
        List<StoredEvent> left = LogReading.read(log, id, LogReading.everythingFrom(9));
        assertThat(LogReading.numbers(left)).isEqualTo(numbers(9, 14));
        EventBatch batch = stale.next(TestEvents.events(size, 20));
        if (size < 6) {
            stale.write(batch);
            batch = stale.next(TestEvents.events(6 - size, 20));
        }
        StoreException.WriteConflict conflict = Await.failure(stale.send(batch), StoreException.WriteConflict.class);
        assertThat(conflict.otherWriter()).isEqualTo(other.uuid());
        assertThat(LogReading.read(log, id, LogReading.everythingFrom(9))).isEqualTo(left);
        assertThat(LogReading.highest(log, id)).isEqualTo(14);
        other.write(1);
    }

    private void removeTo(J5Journal journal, long last) {
        for (Map<String, AttributeValue> row : rows(journal.tableName())) {
            AttributeValue seqNr = row.getOrDefault("sequence-nr", AttributeValue.fromN("0"));
            if (Long.parseLong(seqNr.n()) <= last) {
                Map<String, AttributeValue> key = new HashMap<>(row);
                key.keySet().retainAll(Set.of("pkey", "skey"));
                Await.result(local.client()
                        .deleteItem(
                                delete -> delete.tableName(journal.tableName()).key(key)));
            }
        }
    }

    @Test
    void unprocessedDeletesAreSentAgain() {
        J5Journal journal = created(Map.of());
        String id = "cart-three";
        LogWriter.recover(journal.open(dynamo), id).write(40);
        FaultProxy proxy = local.proxy();
        proxy.when(RequestMatch.operation("BatchWriteItem")).times(3).process(2);
        Await.result(journal.open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE))
                .deleteTo(id, 30));
        assertThat(LogReading.numbers(LogReading.all(journal.open(dynamo), id))).isEqualTo(numbers(31, 40));
    }

    /** A delete that failed inside a batch: higher rows are marked, a lower one is not. */
    @Test
    void rowsBelowADeletedRowAreDeleted() {
        J5Journal journal = created(Map.of());
        String id = "cart-four";
        EventLog log = journal.open(dynamo);
        LogWriter.recover(log, id).write(6);
        Await.result(log.deleteTo(id, 3));
        Map<String, AttributeValue> second = new HashMap<>(rows(journal.tableName()).stream()
                .filter(row -> AttributeValue.fromN("2").equals(row.get("sequence-nr")))
                .findFirst()
                .orElseThrow());
        second.put("deleted", AttributeValue.fromBool(false));
        Await.result(
                local.client().putItem(put -> put.tableName(journal.tableName()).item(second)));
        assertThat(LogReading.numbers(LogReading.all(log, id))).containsExactly(4L, 5L, 6L);
    }

    /** The predecessor reads an index that may lag, even to find the next sequence number. Here it is asked for its last row only. */
    @Test
    void aRecoveryWithTheDefaultResolversDoesNotDependOnTheIndex() {
        J5Journal journal = created(Map.of());
        String id = "cart-five";
        LogWriter.recover(journal.open(dynamo), id).writeSingles(3);
        FaultProxy proxy = local.proxy();
        EventLog log = journal.open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
        proxy.when(RequestMatch.operation("Query").containing("GetJournalRowsIndex"))
                .always()
                .show(row -> false);
        assertThat(LogReading.highest(log, id)).isEqualTo(3);
        assertThat(LogReading.all(log, id)).hasSize(3);
        assertThat(Await.result(log.head(id, 4)).end().seqNr()).isEqualTo(3);
        Await.result(log.deleteTo(id, 2));
        assertThat(LogReading.numbers(LogReading.all(log, id))).containsExactly(3L);
    }

    /** The index responds, rows are added, and then its response arrives. */
    @Test
    void aLaggingIndexNeverDecidesTheNextSequenceNumber() {
        J5Journal journal = created(SPREAD);
        String id = "cart-six";
        LogWriter writer = LogWriter.recover(journal.open(dynamo), id).writeSingles(5);
        FaultProxy proxy = local.proxy();
        EventLog log = journal.open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
        HeldRequest held = proxy.when(RequestMatch.operation("Query").containing("GetJournalRowsIndex"))
                .holdReply();
        CompletionStage<LogHead> head = log.head(id, 1);
        held.awaitArrival();
        writer.writeSingles(30);
        held.release();
        assertThat(Await.result(head).end().seqNr()).isEqualTo(35);
        assertThat(LogReading.numbers(LogReading.all(log, id))).isEqualTo(numbers(1, 35));
    }

    @Test
    void tagsThatContainTheSeparatorAreRejected() {
        EventLog log = created(Map.of()).open(dynamo);
        Event event = new Event(new Payload(1, "", new byte[2]), "", Set.of("a,b"), null);
        LogWriter writer = LogWriter.recover(log, "cart-ten");
        assertThat(Await.failure(writer.send(writer.next(List.of(event))), StoreException.Refused.class))
                .hasMessageContaining("cart-ten")
                .hasMessageContaining("tag-separator");
    }

    @Test
    void columnsMayHaveOtherNames() {
        Map<String, String> columns = new HashMap<>();
        for (String column : new String[] {
            "partition-key", "sort-key", "persistence-id", "sequence-nr", "deleted", "message", "ordering", "tags"
        }) {
            columns.put("columns-def." + column + "-column-name", "my " + column);
        }
        checkReadWriteDelete(created(columns));
    }

    /** In the oldest tables the sequence number is the sort key. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theSequenceNumberMayBeTheSortKey(boolean together) {
        Map<String, String> settings = new HashMap<>(together ? Map.of() : SPREAD);
        settings.put("columns-def.sort-key-column-name", "sequence-nr");
        checkReadWriteDelete(created(settings));
    }

    /** A user's own resolver. */
    public static final class ByHundred implements KeyResolver {
        @Override
        public String key(String persistenceId, long seqNr) {
            return persistenceId + "@" + seqNr / 100;
        }
    }

    @Test
    void aUsersOwnResolverIsUsed() {
        J5Journal journal = created(Map.of("partition-key-resolver-class-name", ByHundred.class.getName()));
        checkReadWriteDelete(journal);
        assertThat(rows(journal.tableName()))
                .anySatisfy(row -> assertThat(row).containsEntry("pkey", AttributeValue.fromS("cart-1@0")));
    }

    private void checkReadWriteDelete(J5Journal journal) {
        EventLog log = journal.open(dynamo);
        for (String id : List.of("cart-1", "cart-2")) {
            LogWriter writer = LogWriter.recover(log, id).writeSingles(11).write(4);
            assertThat(LogReading.contents(LogReading.all(log, id))).isEqualTo(writer.written());
            assertThat(LogReading.numbers(LogReading.read(log, id, SeqRange.wholeWrites(3, 14, 100))))
                    .isEqualTo(numbers(3, 11));
            Await.result(log.deleteTo(id, 13));
            assertThat(LogReading.numbers(LogReading.all(log, id))).isEqualTo(numbers(14, 15));
            assertThat(LogReading.highest(log, id)).isEqualTo(15);
        }
    }

    @Test
    void oneEventCostsOnePut() {
        J5Journal journal = created(Map.of());
        CostMeter meter = new CostMeter();
        EventLog log = journal.open(local.open(meter));
        LogWriter writer = LogWriter.recover(log, "cart-cost");
        meter.take();
        writer.write(1);
        Cost cost = meter.take();
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.PUT, 1));
        assertThat(cost.tableWrites()).isEqualTo(1);
        assertThat(cost.indexWrites()).isEqualTo(1);
    }

    /**
     * One request, and two units for each row of up to a kilobyte: twice the predecessor's batch, which is not atomic.
     */
    @Test
    void tenEventsCostOneTransaction() {
        J5Journal journal = created(Map.of());
        Cost cost = costOfTen(journal);
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.TRANSACT, 1));
        assertThat(cost.tableWrites()).isEqualTo(20);
        assertThat(cost.indexWrites()).isEqualTo(10);
        assertThat(rows(journal.tableName()))
                .hasSize(10)
                .allSatisfy(row -> assertThat(Item.of(row).size()).isBetween(900, 1024));
    }

    @Test
    void withoutATransactionTenEventsCostAsMuchAsThePredecessors() {
        Cost cost = costOfTen(created(Map.of("atomic-writes", "off")));
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.PUT, 10));
        assertThat(cost.tableWrites()).isEqualTo(10);
        assertThat(cost.indexWrites()).isEqualTo(10);
    }

    private Cost costOfTen(J5Journal journal) {
        CostMeter meter = new CostMeter();
        EventLog log = journal.open(local.open(meter));
        LogWriter writer = LogWriter.recover(log, "cart-cost");
        meter.take();
        writer.write(TestEvents.events(10, 740));
        return meter.take();
    }

    @Test
    void withoutTransactionsAnyNumberOfEventsIsStoredInOrder() {
        J5Journal journal = created(Map.of("atomic-writes", "off"));
        String id = "cart-many";
        FaultProxy proxy = local.proxy();
        EventLog log = journal.open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
        proxy.when(RequestMatch.writes()).after(60).loseReply();
        LogWriter writer = LogWriter.recover(log, id).write(120);
        assertThat(LogReading.contents(LogReading.all(log, id))).isEqualTo(writer.written());
        LogWriter late = LogWriter.recover(log, id);
        writer.write(1);
        Await.failure(late.send(late.next(TestEvents.events(3, 20))), StoreException.WriteConflict.class);
        assertThat(LogReading.highest(log, id)).isEqualTo(121);
    }
}
