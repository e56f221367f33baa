package io.dynajournal.testkit.akka2;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.akka2.Akka2Journal;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.Cost;
import io.dynajournal.testkit.CostMeter;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The slice index of 2.x and its cost. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Akka2SliceIndexTest {

    private static final long EVER = Long.MAX_VALUE;
    private static final long PAST = 1_700_000_000L;

    @RegisterExtension
    private final LocalDynamo local = new LocalDynamo();

    private final Akka2Journal journal = Akka2Journal.of(local.freshTable());

    @BeforeAll
    void create() {
        // Without DynamoDB's own expiry, which would remove the items of these tests.
        local.create(withoutExpiry(journal.table()));
    }

    private static TableSpec withoutExpiry(TableSpec table) {
        return new TableSpec(table.name(), table.hash(), table.range(), table.indexes(), null);
    }

    private EventLog log() {
        return journal.open(local.open(RequestListener.NONE));
    }

    private SliceIndex index() {
        return journal.slices(local.open(RequestListener.NONE)).orElseThrow();
    }

    private static SlicePartition partition(SliceIndex index, String id) {
        int slice = Slices.of(id);
        List<SlicePartition> one = Await.result(index.partitions(Slices.entityType(id), new SliceRange(slice, slice)));
        assertThat(one).hasSize(1);
        assertThat(one.get(0).name()).isEqualTo(Slices.entityType(id) + "-" + slice);
        return one.get(0);
    }

    /** The slice of a persistence id; ids are random, so others are rarely in it. */
    private static List<SliceRow> rows(SliceIndex index, String id) {
        return Await.result(index.read(partition(index, id), 0, EVER, null, 1_000)).rows().stream()
                .filter(row -> row.persistenceId().equals(id))
                .toList();
    }

    private static List<Long> numbers(List<SliceRow> rows) {
        return rows.stream().map(SliceRow::seqNr).toList();
    }

    private static List<Event> contents(List<List<StoredEvent>> events) {
        return events.stream().flatMap(List::stream).map(StoredEvent::event).toList();
    }

    private void set(String id, long seqNr, String name, AttributeValue value) {
        RawItems.change(local.client(), journal.tableName(), id, seqNr, item -> item.put(name, value));
    }

    @Test
    void everyEventHasARowWithItsPayload() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(log(), id).write(1).write(3);
        Event tagged = new Event(TestEvents.event(20).payload(), "", Set.of("red", "blue"), null);
        writer.write(List.of(tagged));

        List<SliceRow> rows = rows(index(), id);
        assertThat(numbers(rows)).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(rows).extracting(SliceRow::endSeqNr).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(rows.get(0).previousMicros()).isZero();
        assertThat(rows.get(1).previousMicros()).isEqualTo(SliceRow.UNKNOWN);
        assertThat(rows.get(4).tags()).containsExactlyInAnyOrder("red", "blue");
        assertThat(contents(Await.result(index().events(rows)))).isEqualTo(writer.written());
    }

    @Test
    void deletedAndExpiredEventsAreNotReturned() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).writeSingles(6);
        List<SliceRow> before = rows(index(), id);
        Await.result(log().deleteTo(id, 2));
        set(id, 3, "expiry", AttributeValue.fromN(Long.toString(PAST)));
        set(id, 4, "expiry_marker", AttributeValue.fromN(Long.toString(PAST)));

        assertThat(numbers(rows(index(), id))).containsExactly(5L, 6L);
        assertThat(numbers(Await.result(index().between(id, 0, 6, 0, 100)))).containsExactly(5L);
        // A slow consumer still holds the row from before: its event is complete.
        assertThat(Await.result(index().events(before))).hasSize(6);
    }

    @Test
    void anIncompleteLargeWriteIsNotReturned() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).write(2);
        FaultProxy proxy = local.proxy();
        EventLog crashing = journal.open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
        LogWriter writer = LogWriter.recover(crashing, id);
        proxy.when(RequestMatch.writes()).after(2).always().answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        Await.failure(writer.send(writer.next(TestEvents.events(250, 20))), StoreException.Refused.class);
        assertThat(numbers(rows(index(), id))).containsExactly(1L, 2L);
        assertThat(numbers(Await.result(index().between(id, 0, 300, 0, 1_000)))).containsExactly(1L, 2L);

        LogWriter.recover(log(), id).write(150);
        assertThat(numbers(rows(index(), id))).hasSize(152).startsWith(1L).endsWith(152L);
    }

    @Test
    void missedEventsAreReadFromTheTable() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(log(), id).writeSingles(30);
        SliceIndex index = index();
        List<SliceRow> all = Await.result(index.between(id, 0, 31, 0, 100));
        assertThat(all).hasSize(30);
        assertThat(contents(Await.result(index.events(all)))).isEqualTo(writer.written());

        assertThat(numbers(Await.result(index.between(id, 5, 9, 0, 100)))).containsExactly(6L, 7L, 8L);
        assertThat(numbers(Await.result(index.between(id, 5, 30, 0, 2)))).containsExactly(6L, 7L);
        assertThat(numbers(Await.result(index.between(id, 0, 30, all.get(11).timestampMicros(), 100))))
                .hasSize(18)
                .startsWith(12L);
        assertThat(Await.result(index.between(id, 0, 30, EVER, 100))).isEmpty();
        assertThat(Await.result(index.between(id, 29, 30, 0, 100))).isEmpty();
    }

    @Test
    void anIndexWithoutPayloadsIsCompletedFromTheTable() {
        Akka2Journal thin = Akka2Journal.of(local.freshTable());
        TableSpec table = thin.table();
        TableSpec.Index index = table.indexes().get(0);
        local.create(new TableSpec(
                table.name(),
                table.hash(),
                table.range(),
                List.of(new TableSpec.Index(index.name(), index.hash(), index.range(), List.of())),
                null));
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(thin.open(local.open(RequestListener.NONE)), id)
                .writeSingles(3);
        SliceIndex slices = thin.slices(local.open(RequestListener.NONE)).orElseThrow();
        List<SliceRow> rows = rows(slices, id);
        assertThat(contents(Await.result(slices.events(rows)))).isEqualTo(writer.written());
        Await.result(thin.open(local.open(RequestListener.NONE)).deleteTo(id, 2));
        assertThat(Await.result(slices.events(rows))).extracting(List::size).containsExactly(0, 0, 1);
    }

    @Test
    void costs() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).writeSingles(5);
        CostMeter meter = new CostMeter();
        SliceIndex index = journal.slices(local.open(meter)).orElseThrow();
        List<SlicePartition> all = Await.result(index.partitions("cart", SliceRange.ALL));
        assertThat(all).hasSize(Slices.COUNT);
        assertThat(meter.take().requests()).as("partitions").isEmpty();

        SlicePartition partition = partition(index, id);
        List<SliceRow> rows =
                Await.result(index.read(partition, 0, EVER, null, 10)).rows();
        Cost page = meter.take();
        assertThat(page.requests()).isEqualTo(Map.of(Operation.QUERY, 1));
        assertThat(page.reads()).isEqualTo(0.5);
        assertThat(Await.result(index.events(rows))).hasSize(rows.size());
        assertThat(meter.take().requests()).as("events").isEmpty();
        assertThat(Await.result(index.read(partition, 0, 1, null, 10)).rows()).isEmpty();
        assertThat(meter.take().reads()).as("an idle partition").isEqualTo(0.5);

        CostMeter consistent = new CostMeter();
        SliceIndex behind = journal.slices(local.open(consistent)).orElseThrow();
        long last = rows.get(rows.size() - 1).timestampMicros();
        assertThat(Await.result(behind.between(id, 0, 5, last, 100))).isEmpty();
        Cost first = consistent.take();
        assertThat(first.requests())
                .as("a persistence id that is new to the reader")
                .isEqualTo(Map.of(Operation.QUERY, 1));
        assertThat(first.reads()).isEqualTo(1);
    }
}
