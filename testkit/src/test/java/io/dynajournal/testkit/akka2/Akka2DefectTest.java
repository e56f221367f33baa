package io.dynajournal.testkit.akka2;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.TimeToLive;
import io.dynajournal.internal.layout.TimeToLive.Rules;
import io.dynajournal.internal.layout.akka2.Akka2Journal;
import io.dynajournal.internal.layout.akka2.Akka2Snapshots;
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
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.HeldRequest;
import io.dynajournal.testkit.LargestEvent;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogFixture;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Defects of akka-persistence-dynamodb 2.x, and how the layout akka2 behaves instead. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Akka2DefectTest {

    private static final long FAR = 4_000_000_000L;
    private static final long PAST = 1_700_000_000L;

    @RegisterExtension
    private final LocalDynamo local = new LocalDynamo();

    private final Akka2Journal journal = Akka2Journal.of(local.freshTable()).withoutIndex();
    private final Akka2Snapshots snapshots = Akka2Snapshots.of(local.freshTable());

    @BeforeAll
    void create() {
        // Without DynamoDB's own expiry, which would remove the items of these tests.
        local.create(new TableSpec(
                journal.tableName(), journal.table().hash(), journal.table().range(), List.of(), null));
        local.create(new TableSpec(snapshots.tableName(), snapshots.table().hash(), null, List.of(), null));
    }

    private EventLog log() {
        return journal.open(local.open(RequestListener.NONE));
    }

    private EventLog log(Rules rules) {
        return journal.with(new TimeToLive(rules, Map.of())).open(local.open(RequestListener.NONE));
    }

    private SnapshotTable snapshotTable(Rules rules) {
        return snapshots.with(new TimeToLive(rules, Map.of())).open(local.open(RequestListener.NONE));
    }

    private Map<String, AttributeValue> item(String id, long seqNr) {
        return RawItems.get(local.client(), journal.tableName(), id, seqNr);
    }

    private void put(Map<String, AttributeValue> item) {
        RawItems.put(local.client(), journal.tableName(), item);
    }

    private void set(String id, long seqNr, String name, AttributeValue value) {
        RawItems.change(local.client(), journal.tableName(), id, seqNr, item -> item.put(name, value));
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    private static List<Long> numbers(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    private static List<Long> read(EventLog log, String id) {
        return LogReading.numbers(LogReading.all(log, id));
    }

    @Test
    void aSecondLowerDeleteCreatesNoItem() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).writeSingles(10);
        Await.result(log().deleteTo(id, 10));
        Await.result(log().deleteTo(id, 5));
        assertThat(item(id, 5)).isEmpty();
        assertThat(item(id, 10).keySet())
                .containsExactlyInAnyOrder("pid", "seq_nr", "entity_type_slice", "ts", "writer", "del");
        assertThat(LogReading.highest(log(), id)).isEqualTo(10);
        LogWriter.recover(log(), id).write(1);
        assertThat(read(log(), id)).containsExactly(11L);
    }

    @Test
    void emptyItemsOfTheirDeletesAreTolerated() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).writeSingles(12);
        Await.result(log().deleteTo(id, 10));
        for (long stub : new long[] {3, 5, 20}) {
            put(Map.of("pid", AttributeValue.fromS(id), "seq_nr", number(stub), "del", AttributeValue.fromBool(true)));
        }
        put(Map.of("pid", AttributeValue.fromS(id), "seq_nr", number(4), "expiry", number(FAR)));
        put(Map.of("pid", AttributeValue.fromS(id), "seq_nr", number(6), "expiry_marker", number(FAR)));
        assertThat(read(log(), id)).containsExactly(11L, 12L);
        // The highest such item counts, as with the predecessor.
        assertThat(LogReading.highest(log(), id)).isEqualTo(20);
        LogWriter.recover(log(), id).write(1);
        assertThat(read(log(), id)).containsExactly(11L, 12L, 21L);
        Await.result(log().deleteTo(id, Long.MAX_VALUE));
        assertThat(read(log(), id)).isEmpty();
        assertThat(LogReading.highest(log(), id)).isEqualTo(21);
    }

    @Test
    void aDeleteBeyondTheEndKeepsTheHighestSeqNr() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).writeSingles(3);
        Await.result(log().deleteTo(id, 1_000));
        assertThat(item(id, 1_000)).isEmpty();
        assertThat(LogReading.highest(log(), id)).isEqualTo(3);
    }

    @Test
    void theHighestSequenceNumberIsFoundBelowExpiredItems() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).writeSingles(6);
        for (long expired = 4; expired <= 6; expired++) {
            set(id, expired, "expiry", number(PAST));
        }
        assertThat(LogReading.highest(log(), id)).isEqualTo(3);
        assertThat(Await.result(log().head(id, 3)).end().seqNr()).isEqualTo(3);
        assertThat(read(log(), id)).containsExactly(1L, 2L, 3L);
        Rules unchecked = new Rules(false, null, null, null);
        assertThat(LogReading.highest(log(unchecked), id)).isEqualTo(6);
        assertThat(read(log(unchecked), id)).isEqualTo(numbers(1, 6));
    }

    @Test
    void onlyAnExpiredItemIsReplaced() {
        String id = TestEvents.freshId();
        LogWriter before = LogWriter.recover(log(), id).writeSingles(3);
        for (long expired = 1; expired <= 3; expired++) {
            set(id, expired, "expiry", number(PAST));
        }
        LogWriter anew = LogWriter.recover(log(), id);
        LogWriter second = LogWriter.recover(log(), id);
        assertThat(anew.seen().seqNr()).isZero();
        anew.write(1).write(2);
        assertThat(LogReading.contents(LogReading.all(log(), id))).isEqualTo(anew.written());
        Await.failure(second.send(second.next(TestEvents.events(1, 20))), StoreException.WriteConflict.class);
        assertThat(before.written()).hasSize(3);
        // Without check-expiry an expired item counts like any other.
        set(id, 3, "expiry", number(PAST));
        LogWriter unchecked = LogWriter.recover(log(), id);
        Await.failure(
                log(new Rules(false, null, null, null))
                        .append(unchecked.next(TestEvents.events(1, 20)), unchecked.seen()),
                StoreException.WriteConflict.class);
    }

    @Test
    void aTombstoneDoesNotExpire() {
        Rules rules = new Rules(true, null, Duration.ofHours(1), null);
        String id = TestEvents.freshId();
        LogWriter.recover(log(rules), id).writeSingles(3);
        assertThat(item(id, 3)).containsKey("expiry");
        Await.result(log(rules).deleteTo(id, Long.MAX_VALUE));
        assertThat(item(id, 3)).containsKey("del").doesNotContainKey("expiry");
        // A tombstone of the predecessor kept its expiry; as long as it exists its sequence number counts.
        set(id, 3, "expiry", number(PAST));
        assertThat(LogReading.highest(log(rules), id)).isEqualTo(3);
        LogWriter.recover(log(rules), id).write(1);
        assertThat(read(log(rules), id)).containsExactly(4L);
    }

    @Test
    void eventsGetTheirExpiry() {
        Rules rules = new Rules(true, null, Duration.ofDays(10), null);
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(log(rules), id).write(2);
        long seconds = writer.seen().timestampMicros() / 1_000_000
                + Duration.ofDays(10).toSeconds();
        assertThat(item(id, 2).get("expiry")).isEqualTo(number(seconds));
        assertThat(item(id, 2)).doesNotContainKey("expiry_marker");
        assertThat(read(log(rules), id)).containsExactly(1L, 2L);
    }

    @Test
    void deletesByTimeToLiveKeepTheHighestSequenceNumber() {
        Rules now = new Rules(true, Duration.ZERO, null, null);
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(log(now), id).writeSingles(2).write(3);
        Await.result(log(now).deleteTo(id, 3));
        assertThat(item(id, 1)).containsKeys("expiry", "event_payload").doesNotContainKey("expiry_marker");
        assertThat(item(id, 2)).containsKey("expiry").doesNotContainKey("expiry_marker");
        assertThat(item(id, 3)).containsKeys("expiry_marker", "event_payload").doesNotContainKey("expiry");
        assertThat(item(id, 4)).doesNotContainKeys("expiry", "expiry_marker");
        assertThat(read(log(now), id)).containsExactly(4L, 5L);
        assertThat(LogReading.highest(log(now), id)).isEqualTo(5);
        Await.result(log(now).deleteTo(id, 2));
        assertThat(item(id, 2)).doesNotContainKey("expiry_marker");
        Await.result(log(now).deleteTo(id, Long.MAX_VALUE));
        assertThat(item(id, 3)).containsKey("expiry").doesNotContainKey("expiry_marker");
        assertThat(item(id, 5)).containsKey("expiry_marker").doesNotContainKey("expiry");
        assertThat(read(log(now), id)).isEmpty();
        assertThat(LogReading.highest(log(now), id)).isEqualTo(5);
        writer.write(1);
        assertThat(read(log(now), id)).containsExactly(6L);
    }

    /** The expiry, and the marker after it, are added to items that have no room left. */
    @Test
    void deletesByTimeToLiveReachItemsOfTheMaximumSize() {
        Rules later = new Rules(true, Duration.ofDays(7), null, null);
        int size = LargestEvent.size(
                LogFixture.create(local, Akka2Journal.of(local.freshTable()).withoutIndex()));
        for (int bytes = size - 1; bytes <= size; bytes++) {
            String id = TestEvents.freshId();
            LogWriter.recover(log(later), id).write(List.of(TestEvents.event(bytes), TestEvents.compressible(1)));
            Await.result(log(later).deleteTo(id, 1));
            assertThat(item(id, 1)).containsKey("expiry_marker");
            Await.result(log(later).deleteTo(id, 2));
            assertThat(item(id, 1)).containsKey("expiry").doesNotContainKey("expiry_marker");
        }
    }

    /**
     * The declared limit: deletes of the predecessor leave nothing that stops a stale writer whose view is recent. It is rejected at the
     * first event that is left, and changes none.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 6, 11})
    void aStaleWriterIsRejectedAtTheFirstEventThatTheirDeletesLeft(int size) {
        EventLog log = log();
        String id = TestEvents.freshId();
        LogWriter stale = LogWriter.recover(log, id).write(3);
        LogWriter other = LogWriter.recover(log, id).writeSingles(5).write(6);
        for (long seqNr = 1; seqNr <= 8; seqNr++) {
            RawItems.remove(local.client(), journal.tableName(), id, seqNr);
        }
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

    @Test
    void eventsThatExpireLaterAreRead() {
        Rules later = new Rules(true, Duration.ofDays(7), null, null);
        String id = TestEvents.freshId();
        LogWriter.recover(log(later), id).writeSingles(3);
        Await.result(log(later).deleteTo(id, 2));
        assertThat(read(log(later), id)).containsExactly(1L, 2L, 3L);
        Map<String, AttributeValue> first = item(id, 1);
        // A second delete does not postpone the expiry.
        set(id, 1, "expiry", number(Long.parseLong(value(first, "expiry").n()) - 1000));
        Map<String, AttributeValue> earlier = item(id, 1);
        Await.result(log(later).deleteTo(id, 2));
        assertThat(item(id, 1)).isEqualTo(earlier);
    }

    private static AttributeValue value(Map<String, AttributeValue> item, String name) {
        return Objects.requireNonNull(item.get(name));
    }

    @Test
    void breadcrumbsNameTheirStore() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).writeSingles(3);
        RawItems.change(local.client(), journal.tableName(), id, 2, item -> {
            item.keySet().removeAll(Set.of("event_payload", "event_ser_id", "event_ser_manifest"));
            item.put("breadcrumb_payload", AttributeValue.fromB(SdkBytes.fromUtf8String("my-events-bucket")));
            item.put("breadcrumb_ser_id", number(20));
            item.put("breadcrumb_ser_manifest", AttributeValue.fromS(""));
        });
        StoreException.Refused refused = Await.failure(
                LogReading.reading(log(), id, LogReading.everythingFrom(1)), StoreException.Refused.class);
        assertThat(refused)
                .hasMessageContaining("my-events-bucket")
                .hasMessageContaining("Event 2")
                .hasMessageContaining(id)
                .hasMessageContaining("fallback-store");
        assertThat(LogReading.highest(log(), id)).isEqualTo(3);
        Await.result(log().deleteTo(id, 2));
        assertThat(read(log(), id)).containsExactly(3L);

        put(
                snapshots.tableName(),
                Map.of(
                        "pid", AttributeValue.fromS(id),
                        "seq_nr", number(3),
                        "breadcrumb_payload", AttributeValue.fromB(SdkBytes.fromUtf8String("my-snapshots")),
                        "breadcrumb_ser_id", number(20),
                        "breadcrumb_ser_manifest", AttributeValue.fromS("")));
        assertThat(Await.failure(
                        snapshotTable(Rules.NONE).load(id, SnapshotCriteria.ALL), StoreException.Refused.class))
                .hasMessageContaining("my-snapshots")
                .hasMessageContaining(id);
    }

    private void put(String table, Map<String, AttributeValue> item) {
        RawItems.put(local.client(), table, item);
    }

    @Test
    void anExpiryWithoutASnapshotIsNoSnapshot() {
        String id = TestEvents.freshId();
        put(snapshots.tableName(), Map.of("pid", AttributeValue.fromS(id), "expiry", number(FAR)));
        assertThat(Await.result(snapshotTable(Rules.NONE).load(id, SnapshotCriteria.ALL)))
                .isEmpty();
        Rules later = new Rules(true, Duration.ofDays(1), null, null);
        String other = TestEvents.freshId();
        Await.result(snapshotTable(later).delete(other, SnapshotCriteria.ALL));
        assertThat(RawItems.all(local.client(), snapshots.tableName()).stream()
                        .map(item -> value(item, "pid").s()))
                .doesNotContain(other);
    }

    @Test
    void snapshotsExpire() {
        String id = TestEvents.freshId();
        StoredSnapshot old = new StoredSnapshot(
                id, 3, 1_700_000_000_000L, TestEvents.event(20).payload(), null);
        Rules rules = new Rules(true, null, null, Duration.ofDays(1));
        Await.result(snapshotTable(rules).save(old));
        assertThat(Await.result(snapshotTable(rules).load(id, SnapshotCriteria.ALL)))
                .isEmpty();
        Rules unchecked = new Rules(false, Duration.ZERO, null, null);
        assertThat(Await.result(snapshotTable(unchecked).load(id, SnapshotCriteria.ALL)))
                .contains(old);
        Await.result(snapshotTable(Rules.NONE).save(old));
        assertThat(Await.result(snapshotTable(Rules.NONE).load(id, SnapshotCriteria.ALL)))
                .contains(old);
        Await.result(snapshotTable(unchecked).delete(id, SnapshotCriteria.exactly(3)));
        assertThat(Await.result(snapshotTable(Rules.NONE).load(id, SnapshotCriteria.ALL)))
                .isEmpty();
    }

    @Test
    void aSnapshotTakesTheTimeAndTagsOfItsEvent() {
        String id = TestEvents.freshId();
        Event tagged = new Event(TestEvents.event(20).payload(), "", Set.of("red", "blue"), null);
        LogWriter writer = LogWriter.recover(log(), id).write(List.of(tagged));
        Akka2Snapshots starting =
                new Akka2Snapshots(snapshots.tableName(), "", TimeToLive.none(), "", journal.tableName());
        Await.result(starting.open(local.open(RequestListener.NONE))
                .save(new StoredSnapshot(id, 1, 5, tagged.payload(), null)));
        Map<String, AttributeValue> item = RawItems.all(local.client(), snapshots.tableName()).stream()
                .filter(there -> value(there, "pid").s().equals(id))
                .findFirst()
                .orElseThrow();
        assertThat(item.get("event_timestamp")).isEqualTo(number(writer.seen().timestampMicros()));
        assertThat(value(item, "tags").ss()).containsExactlyInAnyOrder("red", "blue");
    }

    /** A write of 250 events that fails after this many requests: one for the first event, three for the others. */
    private LogWriter crashed(String id, int requests) {
        FaultProxy proxy = local.proxy();
        EventLog log = journal.open(local.open(proxy, LogFixture.IMPATIENT, RequestListener.NONE));
        LogWriter writer = LogWriter.recover(log, id);
        proxy.when(RequestMatch.writes())
                .after(requests)
                .always()
                .answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        Await.failure(writer.send(writer.next(TestEvents.events(250, 20))), StoreException.Refused.class);
        return writer;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void anIncompleteLargeWriteIsNotVisible(int requests) {
        String id = TestEvents.freshId();
        LogWriter before = LogWriter.recover(log(), id).write(2);
        crashed(id, requests);
        assertThat(LogReading.contents(LogReading.all(log(), id))).isEqualTo(before.written());
        for (long from : new long[] {1, 3, 4, 60, 300}) {
            assertThat(LogReading.read(log(), id, LogReading.everythingFrom(Math.max(3, from))))
                    .isEmpty();
            assertThat(Await.result(log().head(id, from)).end().seqNr()).isEqualTo(2);
        }
        // The next writes replace it: one event, a few, and more than a transaction stores.
        LogWriter next =
                LogWriter.recover(log(), id).write(1).write(5).write(150).write(1);
        List<Event> all = new ArrayList<>(before.written());
        all.addAll(next.written());
        assertThat(LogReading.contents(LogReading.all(log(), id))).isEqualTo(all);
        assertThat(LogReading.highest(log(), id)).isEqualTo(159);
        assertThat(read(log(), id)).isEqualTo(numbers(1, 159));
        Await.result(log().deleteTo(id, 100));
        assertThat(read(log(), id)).isEqualTo(numbers(101, 159));
    }

    @Test
    void aReplacedLargeWriteIsRejected() {
        String id = TestEvents.freshId();
        FaultProxy proxy = local.proxy();
        LogWriter slow =
                LogWriter.recover(journal.open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE)), id);
        HeldRequest held = proxy.when(RequestMatch.operation("UpdateItem")).hold();
        CompletionStage<?> write = slow.send(slow.next(TestEvents.events(150, 20)));
        held.awaitArrival();
        LogWriter quick = LogWriter.recover(log(), id).write(2);
        held.release();
        StoreException.WriteConflict conflict = Await.failure(write, StoreException.WriteConflict.class);
        assertThat(conflict.otherWriter()).isEqualTo(quick.uuid());
        assertThat(LogReading.contents(LogReading.all(log(), id))).isEqualTo(quick.written());
        assertThat(LogReading.highest(log(), id)).isEqualTo(2);
    }

    @Test
    void aLargeWriteIsNeverCut() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).write(1).write(250).write(1);
        for (long to : new long[] {2, 100, 250}) {
            assertThat(LogReading.numbers(LogReading.read(log(), id, SeqRange.wholeWrites(1, to, Long.MAX_VALUE))))
                    .containsExactly(1L);
            assertThat(LogReading.numbers(LogReading.read(log(), id, SeqRange.wholeWrites(1, Long.MAX_VALUE, to))))
                    .containsExactly(1L);
        }
        assertThat(LogReading.read(log(), id, SeqRange.wholeWrites(1, 251, Long.MAX_VALUE)))
                .hasSize(251);
        assertThat(LogReading.numbers(LogReading.read(log(), id, LogReading.everythingFrom(200))))
                .isEqualTo(numbers(200, 252));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDeleteInsideALargeWriteLosesNothing(boolean byTimeToLive) {
        EventLog log = log(byTimeToLive ? new Rules(true, Duration.ZERO, null, null) : Rules.NONE);
        String id = TestEvents.freshId();
        LogWriter.recover(log, id).write(1).write(250).write(1);
        for (long to : new long[] {2, 2, 77, 50, 250}) {
            Await.result(log.deleteTo(id, to));
        }
        for (long from : new long[] {1, 3, 100, 251}) {
            assertThat(LogReading.numbers(LogReading.read(log, id, LogReading.everythingFrom(from))))
                    .containsExactly(251L, 252L);
        }
        Await.result(log.deleteTo(id, 251));
        assertThat(read(log, id)).containsExactly(252L);
        assertThat(LogReading.highest(log, id)).isEqualTo(252);
    }

    @Test
    void theirDeleteInsideALargeWriteLosesNothing() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).write(150);
        for (long gone = 1; gone < 40; gone++) {
            RawItems.remove(local.client(), journal.tableName(), id, gone);
        }
        RawItems.change(local.client(), journal.tableName(), id, 40, item -> {
            item.keySet().removeAll(Set.of("event_payload", "event_ser_id", "event_ser_manifest", "writer"));
            item.put("del", AttributeValue.fromBool(true));
        });
        for (long from : new long[] {1, 41, 60}) {
            assertThat(LogReading.numbers(LogReading.read(log(), id, LogReading.everythingFrom(from))))
                    .isEqualTo(numbers(Math.max(41, from), 150));
        }
        assertThat(LogReading.highest(log(), id)).isEqualTo(150);
    }

    @Test
    void theirEventsAfterAnOpenWriteAreRead() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).write(1);
        crashed(id, 2);
        // The predecessor counts these events as stored and continues after them.
        Map<String, AttributeValue> theirs = new HashMap<>(item(id, 1));
        theirs.put("seq_nr", number(60));
        put(theirs);
        assertThat(read(log(), id)).containsExactly(1L, 60L);
        LogWriter.recover(log(), id).write(120);
        assertThat(LogReading.numbers(LogReading.read(log(), id, LogReading.everythingFrom(2))))
                .isEqualTo(numbers(60, 180));
    }

    @Test
    void digitsAreAsciiInEveryLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            String id = "Käse-" + TestEvents.freshId();
            LogWriter.recover(log(), id).write(3);
            Await.result(log().deleteTo(id, 1));
            assertThat(read(log(), id)).containsExactly(2L, 3L);
            assertThat(value(item(id, 2), "entity_type_slice").s()).matches("Käse-cart-[0-9]+");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void aSerializerIdBeyond32BitsIsACorruptItem() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).write(2);
        set(id, 2, "event_ser_id", number(1L << 40));
        assertThat(Await.failure(
                        LogReading.reading(log(), id, LogReading.everythingFrom(1)), StoreException.CorruptItem.class))
                .hasMessageContainingAll("event_ser_id", "pid=" + id, "seq_nr=2", "32 bits");
    }

    @Test
    void aPayloadOfAnotherTypeIsACorruptItem() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).write(2);
        set(id, 2, "event_payload", AttributeValue.fromL(List.of()));
        assertThat(Await.failure(
                        LogReading.reading(log(), id, LogReading.everythingFrom(1)), StoreException.CorruptItem.class))
                .hasMessageContainingAll("event_payload", "pid=" + id, "seq_nr=2");
    }

    private EventLog log(FaultProxy proxy) {
        return journal.open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
    }

    /** A recovery after a snapshot reads the events and the end before them concurrently. */
    @Test
    void anEventStoredBetweenTheReadsOfARecoveryDoesNotMoveTheEnd() {
        String id = TestEvents.freshId();
        LogWriter other = LogWriter.recover(log(), id).writeSingles(3);
        FaultProxy proxy = local.proxy();
        HeldRequest end = proxy.when(RequestMatch.operation("Query").containing("\"ScanIndexForward\":false"))
                .hold();
        HeldRequest events = proxy.when(RequestMatch.operation("Query")).holdReply();
        CompletableFuture<LogHead> head = log(proxy).head(id, 4).toCompletableFuture();
        end.awaitArrival();
        events.awaitDelivery();
        other.write(1);
        end.release();
        events.release();
        assertThat(Await.result(head).end().seqNr()).isEqualTo(3);
        Await.failure(
                log().append(
                                EventBatch.of(id, TestEvents.freshWriter(), 4, TestEvents.events(1, 20)),
                                Await.result(head).end()),
                StoreException.WriteConflict.class);
    }

    /** It was open when its events were read, so they are not replayed. */
    @Test
    void aLargeWriteThatIsCompletedDuringARecoveryDoesNotMoveTheEnd() {
        String id = TestEvents.freshId();
        FaultProxy writing = local.proxy();
        LogWriter writer = LogWriter.recover(log(writing), id).write(1);
        HeldRequest commit = writing.when(RequestMatch.operation("UpdateItem")).hold();
        CompletableFuture<LogEnd> write =
                writer.send(writer.next(TestEvents.events(150, 20))).toCompletableFuture();
        commit.awaitArrival();
        FaultProxy proxy = local.proxy();
        HeldRequest events = proxy.when(RequestMatch.operation("Query")).holdReply();
        CompletableFuture<LogHead> head = log(proxy).head(id, 1).toCompletableFuture();
        events.awaitDelivery();
        commit.release();
        Await.result(write);
        events.release();
        long end = Await.result(head).end().seqNr();
        assertThat(end).isEqualTo(1);
        assertThat(LogReading.numbers(LogReading.read(
                        log(),
                        id,
                        SeqRange.wholeWrites(1, end, Long.MAX_VALUE),
                        Await.result(head).firstPage())))
                .containsExactly(1L);
        assertThat(read(log(), id)).isEqualTo(numbers(1, 151));
    }

    /** A delete adds an expiry to the item; DynamoDB limits an update like a put, or a few bytes below it. */
    @Test
    void theLargestEventHasRoomForAnExpiry() {
        String id = TestEvents.freshId();
        Rules expiring = new Rules(true, Duration.ofDays(1), null, null);
        LogWriter writer = LogWriter.recover(log(expiring), id);
        StoreException.ItemTooLarge tooLarge = Await.failure(
                writer.send(writer.next(List.of(TestEvents.event(409_600)))), StoreException.ItemTooLarge.class);
        assertThat(tooLarge.limit()).isEqualTo(409_600 - 32);
        int overhead = tooLarge.size() - 409_600;
        writer.write(List.of(TestEvents.event(409_600 - 32 - overhead))).write(1);
        Await.result(log(expiring).deleteTo(id, 2));
        assertThat(item(id, 1)).containsKey("expiry");
        assertThat(Item.of(item(id, 1)).size()).isBetween(409_600 - 31, 409_600);
    }

    private static StoredSnapshot state(String id, long seqNr) {
        return new StoredSnapshot(id, seqNr, seqNr * 10, new Payload(5, "", TestEvents.randomBytes(30)), null);
    }

    /** The save of a stale writer: the events between the two may be deleted. */
    @Test
    void aSnapshotReplacesOnlyAnOlderOne() {
        String id = TestEvents.freshId();
        SnapshotTable table = snapshotTable(Rules.NONE);
        StoredSnapshot newer = state(id, 12);
        Await.result(table.save(newer));
        Await.result(table.save(state(id, 3)));
        assertThat(Await.result(table.load(id, SnapshotCriteria.ALL))).contains(newer);
        StoredSnapshot again = state(id, 12);
        Await.result(table.save(again));
        assertThat(Await.result(table.load(id, SnapshotCriteria.ALL))).contains(again);
        StoredSnapshot next = state(id, 13);
        Await.result(table.save(next));
        assertThat(Await.result(table.load(id, SnapshotCriteria.ALL))).contains(next);
    }

    @Test
    void anExpiredSnapshotIsReplacedByAnOlderOne() {
        String id = TestEvents.freshId();
        SnapshotTable table = snapshotTable(Rules.NONE);
        Await.result(table.save(state(id, 12)));
        Map<String, AttributeValue> expired = new HashMap<>(Await.result(local.client()
                        .getItem(get ->
                                get.tableName(snapshots.tableName()).key(Map.of("pid", AttributeValue.fromS(id)))))
                .item());
        expired.put("expiry", number(PAST));
        Await.result(local.client()
                .putItem(put -> put.tableName(snapshots.tableName()).item(expired)));
        StoredSnapshot older = state(id, 3);
        Await.result(table.save(older));
        assertThat(Await.result(table.load(id, SnapshotCriteria.ALL))).contains(older);
    }
}
