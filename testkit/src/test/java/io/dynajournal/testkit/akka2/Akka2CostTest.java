package io.dynajournal.testkit.akka2;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemSize;
import io.dynajournal.internal.layout.akka2.Akka2Journal;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.listener.Operation;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.Cost;
import io.dynajournal.testkit.CostMeter;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.TestEvents;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Each operation costs what it cost with akka-persistence-dynamodb 2.x. DynamoDB Local does not bill transactions by the
 * published rule, two units for each KB of each item (it reports 4 for ten small events): their units are counted here from
 * the items that they stored, and compared with those of the same items without our marks.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Akka2CostTest {

    @RegisterExtension
    private final LocalDynamo local = new LocalDynamo();

    private final Akka2Journal journal = Akka2Journal.of(local.freshTable()).withoutIndex();
    private final CostMeter meter = new CostMeter();

    @BeforeAll
    void create() {
        local.create(journal.table());
    }

    private EventLog log() {
        return journal.open(local.open(meter));
    }

    private LogWriter recovered(String id) {
        LogWriter writer = LogWriter.recover(log(), id);
        meter.take();
        return writer;
    }

    private static int transactionUnits(Map<String, AttributeValue> item) {
        return 2 * ItemSize.writeUnits(Item.of(item).size());
    }

    private List<Map<String, AttributeValue>> items(String id) {
        return RawItems.all(local.client(), journal.tableName()).stream()
                .filter(item -> AttributeValue.fromS(id).equals(item.get("pid")))
                .toList();
    }

    private static Map<String, AttributeValue> withoutOurAttributes(Map<String, AttributeValue> item) {
        Map<String, AttributeValue> theirs = new HashMap<>(item);
        theirs.keySet().removeIf(name -> name.startsWith("dj_"));
        return theirs;
    }

    @Test
    void anEventIsOnePutOfOneUnit() {
        LogWriter writer = recovered(TestEvents.freshId());
        for (int i = 0; i < 2; i++) {
            writer.write(1);
            Cost cost = meter.take();
            assertThat(cost.requests()).isEqualTo(Map.of(Operation.PUT, 1));
            assertThat(cost.tableWrites()).isEqualTo(1);
            assertThat(cost.reads()).isZero();
        }
    }

    @Test
    void tenEventsAreOneTransactionOfTwoUnitsEach() {
        String id = TestEvents.freshId();
        recovered(id).write(10);
        Cost cost = meter.take();
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.TRANSACT, 1));
        assertThat(cost.writes()).isEqualTo(20);
        List<Map<String, AttributeValue>> items = items(id);
        assertThat(items).hasSize(10);
        assertThat(items.stream()
                        .mapToInt(item -> transactionUnits(withoutOurAttributes(item)))
                        .sum())
                .isEqualTo(20);
        // Our attribute has less than 18 bytes, so it rarely costs a unit.
        assertThat(items)
                .allSatisfy(item -> assertThat(Item.of(item).size()
                                - Item.of(withoutOurAttributes(item)).size())
                        .isLessThan(18));
    }

    @Test
    void aWriteOfMoreThanATransactionTakesOneUpdateMore() {
        String id = TestEvents.freshId();
        recovered(id).write(201);
        Cost cost = meter.take();
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.PUT, 1, Operation.TRANSACT, 2, Operation.UPDATE, 1));
        assertThat(cost.writes()).isEqualTo(1 + 2 * 200 + 1);
        assertThat(items(id)).hasSize(201);
    }

    @Test
    void aRejectedEventTakesATombstoneInATransaction() {
        String id = TestEvents.freshId();
        recovered(id).writeAt(3, TestEvents.events(1, 20));
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.TRANSACT, 1));
        assertThat(items(id)).hasSize(2);
    }

    @Test
    void aRecoveryIsOneQueryAndAfterASnapshotTwoConcurrentOnes() {
        String id = TestEvents.freshId();
        recovered(id).write(10);
        meter.take();
        EventLog log = log();
        assertThat(LogReading.read(
                        log,
                        id,
                        LogReading.everythingFrom(1),
                        Await.result(log.head(id, 1)).firstPage()))
                .hasSize(10);
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.QUERY, 1));
        Await.result(log.head(id, 11));
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.QUERY, 2));
    }

    @Test
    void aDeleteIsTwoQueriesAndATransactionForEachHundred() {
        String id = TestEvents.freshId();
        recovered(id).write(90).write(90);
        meter.take();
        Await.result(log().deleteTo(id, 150));
        Cost cost = meter.take();
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.QUERY, 2, Operation.TRANSACT, 2));
    }
}
