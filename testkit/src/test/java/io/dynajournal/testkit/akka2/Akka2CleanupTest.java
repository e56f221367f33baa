package io.dynajournal.testkit.akka2;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.TimeToLive;
import io.dynajournal.internal.layout.TimeToLive.Rules;
import io.dynajournal.internal.layout.akka2.Akka2Journal;
import io.dynajournal.internal.layout.akka2.Akka2Snapshots;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.TestEvents;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What the clean-up tool of 2.x gets wrong, and expiry on its tables, by DynamoDB's clock, which the test moves. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class Akka2CleanupTest {

    private static final Duration HOUR = Duration.ofHours(1);

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final Akka2Journal layout = Akka2Journal.of(local.freshTable()).withoutIndex();
    private final Akka2Snapshots snapshots = Akka2Snapshots.of(local.freshTable());
    private FaultProxy proxy;
    private Dynamo dynamo;

    Akka2CleanupTest() {
        local.create(layout.table());
        local.create(snapshots.table());
    }

    @BeforeEach
    void connect() {
        proxy = local.proxy();
        dynamo = local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE);
    }

    /** The clock follows the server's from its next answer on. */
    private void moveTo(Duration ahead) {
        proxy.moveDate(ahead);
        Await.result(layout.open(dynamo).end("nobody"));
    }

    private List<Map<String, AttributeValue>> items(String table, String id) {
        return local.client()
                .query(query -> query.tableName(table)
                        .keyConditionExpression("pid = :pid")
                        .expressionAttributeValues(Map.of(":pid", AttributeValue.fromS(id))))
                .join()
                .items();
    }

    private static List<Long> numbers(EventLog log, String id) {
        return LogReading.numbers(LogReading.all(log, id));
    }

    /** Their delete to 5 after one to 10, or beyond the end, leaves an item without a time on which recovery fails. */
    @Test
    void noItemIsCreatedWhereNoneIs() {
        String id = TestEvents.freshId();
        EventLog log = layout.open(dynamo);
        long soon = System.currentTimeMillis() / 1000 + 60;
        LogWriter.recover(log, id).writeSingles(10);
        Await.result(log.removeTo(id, 10));
        Await.result(log.removeTo(id, 5));
        Await.result(log.expireTo(id, 5, soon, false));
        Await.result(log.removeTo(id, 1_000_000));
        Await.result(log.expireTo(id, 1_000_000, soon, false));
        assertThat(items(layout.tableName(), id))
                .allSatisfy(item -> assertThat(item).containsKey("ts"));
        assertThat(LogReading.highest(log, id)).isEqualTo(10);
        String unknown = TestEvents.freshId();
        Await.result(log.reset(unknown));
        Await.result(log.expireTo(unknown, Long.MAX_VALUE, soon, true));
        assertThat(items(layout.tableName(), unknown)).isEmpty();
        Await.result(snapshots.open(dynamo).expire(unknown, SnapshotCriteria.ALL, soon));
        assertThat(items(snapshots.tableName(), unknown)).isEmpty();
    }

    /** Their tombstone keeps the expiry of its event, so that DynamoDB removes it and the numbering starts again. */
    @Test
    void aTombstoneDoesNotExpire() {
        String id = TestEvents.freshId();
        EventLog log = layout.with(new TimeToLive(new Rules(true, null, HOUR, null), Map.of()))
                .open(dynamo);
        LogWriter.recover(log, id).writeSingles(3);
        Await.result(log.removeTo(id, 3));
        moveTo(HOUR.multipliedBy(2));
        assertThat(LogReading.highest(log, id)).isEqualTo(3);
        assertThat(items(layout.tableName(), id))
                .filteredOn(item -> AttributeValue.fromN("3").equals(item.get("seq_nr")))
                .singleElement()
                .satisfies(item -> assertThat(item).doesNotContainKeys("expiry", "event_payload"));
    }

    /** Their marker keeps the last payload for ever; a clean-up at once removes it. */
    @Test
    void eventsExpireByTimeAndTheLastPayloadCanBeErased() {
        String id = TestEvents.freshId();
        EventLog log = layout.open(dynamo);
        LogWriter.recover(log, id).writeSingles(4);
        long now = System.currentTimeMillis() / 1000;
        Await.result(log.expireTo(id, 3, now + 1800, false));
        Await.result(log.expireTo(id, 3, now + 3600, false));
        moveTo(HOUR.minusMinutes(5));
        assertThat(numbers(log, id)).containsExactly(1L, 2L, 3L, 4L);
        moveTo(HOUR.plusMinutes(5));
        assertThat(numbers(log, id)).containsExactly(4L);
        assertThat(LogReading.highest(log, id)).isEqualTo(4);
        Await.result(log.removeTo(id, 3));
        assertThat(items(layout.tableName(), id))
                .filteredOn(item -> item.containsKey("event_payload"))
                .hasSize(1);
        Await.result(log.expireTo(id, Long.MAX_VALUE, now + 7200, false));
        moveTo(HOUR.multipliedBy(3));
        assertThat(numbers(log, id)).isEmpty();
        assertThat(LogReading.highest(log, id)).isEqualTo(4);
        LogWriter.recover(log, id).write(1);
        assertThat(numbers(log, id)).containsExactly(5L);
    }

    @Test
    void aResetByExpiryStartsTheSequenceNumbersAgain() {
        String id = TestEvents.freshId();
        EventLog log = layout.open(dynamo);
        LogWriter.recover(log, id).writeSingles(3);
        Await.result(log.expireTo(id, Long.MAX_VALUE, System.currentTimeMillis() / 1000 + 3600, true));
        moveTo(HOUR.plusMinutes(5));
        assertThat(LogReading.highest(log, id)).isZero();
        LogWriter.recover(log, id).write(1);
        assertThat(numbers(log, id)).containsExactly(1L);
    }

    @Test
    void snapshotsExpireByTime() {
        String id = TestEvents.freshId();
        SnapshotTable table = snapshots.open(dynamo);
        Await.result(table.save(new StoredSnapshot(id, 5, 1000, new Payload(7, "s", new byte[] {1}), null)));
        Await.result(table.expire(id, SnapshotCriteria.ALL, System.currentTimeMillis() / 1000 + 3600));
        assertThat(Await.result(table.newestSeqNr(id))).contains(5L);
        moveTo(HOUR.plusMinutes(5));
        assertThat(Await.result(table.newestSeqNr(id))).isEmpty();
    }
}
