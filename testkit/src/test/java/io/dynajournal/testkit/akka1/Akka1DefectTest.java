package io.dynajournal.testkit.akka1;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.envelope.PersistentMessage;
import io.dynajournal.internal.envelope.SnapshotEnvelope;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.akka1.Akka1Journal;
import io.dynajournal.internal.layout.akka1.Akka1Snapshots;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.LogHead;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.HeldRequest;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogFixture;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Defects of the predecessor, and how the layout akka1 behaves instead. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Akka1DefectTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final LogFixture fixture = LogFixture.create(local, Akka1Journal.of(local.freshTable()));
    private final Akka1Table table = new Akka1Table(local.client(), fixture.tableName());
    private final Dynamo dynamo = local.open(RequestListener.NONE);

    private static List<Long> numbers(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    private List<Long> read(String id) {
        return LogReading.numbers(LogReading.all(fixture.log(), id));
    }

    private long highest(String id) {
        return LogReading.highest(fixture.log(), id);
    }

    private LogWriter recover(String id) {
        return LogWriter.recover(fixture.log(), id);
    }

    /** Events of an atomic write as the predecessor leaves them when some of its requests fail. */
    private void theirs(String id, long first, long last, String writer, long... present) {
        for (long seqNr : present) {
            table.put(table.eventItem(id, seqNr, writer)
                    .number("idx", seqNr - first)
                    .number("cnt", last - first)
                    .attributes());
        }
    }

    /** A query that took a write in flight for an abandoned one would skip it for good. */
    @Test
    void aQueryDoesNotCountAWriteInFlight() {
        String id = TestEvents.freshId();
        recover(id).write(2);
        SeqRange all = SeqRange.singleEvents(1, Long.MAX_VALUE, Long.MAX_VALUE);
        theirs(id, 3, 5, "w", 3, 4);
        EventPage before = Await.result(fixture.log().read(id, all, null));
        assertThat(before.events()).extracting(StoredEvent::seqNr).containsExactly(1L, 2L);
        assertThat(before.coveredTo()).isEqualTo(2);

        theirs(id, 3, 5, "w", 5);
        EventPage after =
                Await.result(fixture.log().read(id, SeqRange.singleEvents(3, Long.MAX_VALUE, Long.MAX_VALUE), null));
        assertThat(after.events()).extracting(StoredEvent::seqNr).containsExactly(3L, 4L, 5L);
        assertThat(after.coveredTo()).isEqualTo(5);
    }

    @Test
    void aSnapshotInsideABatchLosesNothing() {
        String id = TestEvents.freshId();
        recover(id).write(3).write(150);
        assertThat(LogReading.numbers(LogReading.read(fixture.log(), id, LogReading.everythingFrom(3))))
                .isEqualTo(numbers(3, 153));
        assertThat(LogReading.numbers(LogReading.read(fixture.log(), id, LogReading.everythingFrom(120))))
                .isEqualTo(numbers(120, 153));
    }

    @Test
    void aDeleteInsideABatchLosesNothing() {
        String id = TestEvents.freshId();
        recover(id).write(3).write(150);
        Await.result(fixture.log().deleteTo(id, 2));
        assertThat(read(id)).isEqualTo(numbers(3, 153));
        Await.result(fixture.log().deleteTo(id, 119));
        assertThat(read(id)).isEqualTo(numbers(120, 153));
    }

    @Test
    void unprocessedItemsAreSentAgain() {
        String id = TestEvents.freshId();
        recover(id).write(99).write(1).write(30);
        assertThat(table.mark("SH", id, 1)).isEqualTo(100);
        FaultProxy proxy = fixture.proxy();
        proxy.when(RequestMatch.operation("BatchWriteItem")).after(1).process(3);
        proxy.when(RequestMatch.operation("BatchWriteItem")).after(1).process(0);
        Await.result(fixture.log(proxy).deleteTo(id, 120));
        proxy.assertScriptUsed();
        for (long seqNr = 2; seqNr <= 120; seqNr++) {
            assertThat(table.event(id, seqNr)).isEmpty();
        }
        assertThat(read(id)).isEqualTo(numbers(121, 130));
    }

    /** The predecessor's delete leaves nothing that stops a stale writer. Its items still replace none of another writer. */
    @ParameterizedTest
    @ValueSource(ints = {2, 6, 7, 11, 20, 130})
    void aStaleBatchNeverReplacesStoredEvents(int size) {
        String id = TestEvents.freshId();
        LogWriter stale = recover(id).write(3);
        LogWriter other = recover(id).writeSingles(5).write(6);
        theirDelete(id, 8);
        List<StoredEvent> before = LogReading.all(fixture.log(), id);
        assertThat(LogReading.numbers(before)).isEqualTo(numbers(9, 14));
        CompletableFuture<LogEnd> write =
                stale.send(stale.next(TestEvents.events(size, 20))).toCompletableFuture();
        if (size >= 6) {
            StoreException.WriteConflict conflict = Await.failure(write, StoreException.WriteConflict.class);
            assertThat(conflict.otherWriter()).isEqualTo(other.uuid());
        } else {
            // The limit of the format: nothing is left where this writer was overtaken, and its view is recent.
            Await.result(write);
        }
        assertThat(LogReading.all(fixture.log(), id)).isEqualTo(before);
        LogWriter next = recover(id).write(2);
        List<StoredEvent> after = LogReading.all(fixture.log(), id);
        assertThat(after).startsWith(before.toArray(StoredEvent[]::new)).hasSize(8);
        assertThat(LogReading.contents(after).subList(6, 8)).isEqualTo(next.written());
    }

    private void theirDelete(String id, long to) {
        table.put(Item.create()
                .text("par", "journal-SL-" + id + "-0")
                .number("num", 0)
                .number("seq", to + 1)
                .attributes());
        for (long seqNr = 1; seqNr <= to; seqNr++) {
            table.removeEvent(id, seqNr);
        }
    }

    /** The write in flight moved the end without a change of the writer, and a delete has removed what moved it. */
    @Test
    void aWriterThatRecoveredDuringAWriteIsRejectedAlsoAfterItsDelete() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture.proxy();
        LogWriter slow = LogWriter.recover(fixture.log(proxy), id);
        HeldRequest held = proxy.when(RequestMatch.writes()).after(2).hold();
        CompletableFuture<LogEnd> write =
                slow.send(slow.next(TestEvents.events(4, 20))).toCompletableFuture();
        held.awaitArrival();
        FaultProxy late = fixture.proxy();
        LogWriter next = LogWriter.recover(fixture.log(late), id);
        assertThat(next.seen().seqNr()).isEqualTo(3);
        HeldRequest put = late.when(RequestMatch.writes()).hold();
        CompletableFuture<LogEnd> overtaken =
                next.send(next.next(TestEvents.events(1, 20))).toCompletableFuture();
        put.awaitArrival();
        held.release();
        LogEnd end = Await.result(write);
        EventBatch more = EventBatch.of(id, slow.uuid(), 5, TestEvents.events(3, 20));
        Await.result(fixture.log().append(more, end));
        Await.result(fixture.log().deleteTo(id, 5));
        assertThat(table.event(id, 4)).isEmpty();
        put.release();
        Await.failure(overtaken, StoreException.WriteConflict.class);
        assertThat(read(id)).containsExactly(6L, 7L);
    }

    @Test
    void aTombstoneOfATakeoverIsRemovedByALaterDelete() {
        String id = TestEvents.freshId();
        recover(id).writeSingles(3);
        recover(id).writeSingles(3);
        Await.result(fixture.log().deleteTo(id, 5));
        assertThat(table.event(id, 1)).isPresent();
        Item kept = table.event(id, 4).orElseThrow();
        assertThat(kept.has("event")).isFalse();
        long now = System.currentTimeMillis() / 1000;
        assertThat(kept.number("dj_keep")).isBetween(now + 3600, now + 3 * 3600);
        for (long seqNr : new long[] {1, 4}) {
            table.put(table.event(id, seqNr)
                    .orElseThrow()
                    .copy()
                    .number("dj_keep", now - 1)
                    .attributes());
        }
        recover(id).write(1);
        Await.result(fixture.log().deleteTo(id, 6));
        assertThat(table.event(id, 1)).isEmpty();
        assertThat(table.event(id, 4)).isEmpty();
        assertThat(read(id)).containsExactly(7L);
    }

    @Test
    void aLostHighMarkIsFoundAndRepaired() {
        String id = TestEvents.freshId();
        recover(id).write(99).write(1).write(50);
        table.remove("journal-SH-" + id + "-1", 0);
        assertThat(highest(id)).isEqualTo(150);
        recover(id).write(1);
        assertThat(read(id)).isEqualTo(numbers(1, 151));
        assertThat(table.mark("SH", id, 1)).isEqualTo(100);
    }

    @Test
    void severalLostHighMarksAreFound() {
        String id = TestEvents.freshId();
        recover(id).write(450);
        for (int shard = 0; shard < 10; shard++) {
            table.remove("journal-SH-" + id + "-" + shard, 0);
        }
        assertThat(highest(id)).isEqualTo(450);
    }

    @Test
    void aRejectedHundredthEventStillGetsItsMark() {
        String id = TestEvents.freshId();
        recover(id).write(98).writeAt(101, TestEvents.events(1, 20));
        assertThat(table.mark("SH", id, 1)).isEqualTo(100);
        assertThat(highest(id)).isEqualTo(101);
    }

    /** The first read may be older than the end: events that it lacks before the end are read again. */
    @Test
    void eventsStoredBetweenTheFirstReadAndTheEndAreReplayed() {
        String id = TestEvents.freshId();
        LogWriter writer = recover(id).write(98);
        FaultProxy proxy = fixture.proxy();
        HeldRequest items = proxy.when(RequestMatch.operation("Query")).holdReply();
        HeldRequest marks = proxy.when(RequestMatch.operation("BatchGetItem")).hold();
        CompletableFuture<LogHead> head = fixture.log(proxy).head(id, 1).toCompletableFuture();
        items.awaitDelivery();
        marks.awaitArrival();
        writer.writeSingles(3);
        items.release();
        marks.release();
        assertThat(Await.result(head).end().seqNr()).isEqualTo(101);
        SeqRange range = SeqRange.wholeWrites(1, 101, Long.MAX_VALUE);
        assertThat(LogReading.numbers(LogReading.read(
                        fixture.log(), id, range, Await.result(head).firstPage())))
                .isEqualTo(numbers(1, 101));
    }

    @ParameterizedTest
    @ValueSource(ints = {99, 42})
    void aMarkWithoutItsEventIsIgnored(int events) {
        String id = TestEvents.freshId();
        recover(id).write(events);
        table.put(Item.create()
                .text("par", "journal-SH-" + id + "-3")
                .number("num", 0)
                .number("seq", 300)
                .attributes());
        assertThat(highest(id)).isEqualTo(events);
        LogWriter.recover(fixture.log(), id).write(1);
        assertThat(read(id)).isEqualTo(numbers(1, events + 1L));
    }

    @ParameterizedTest
    @CsvSource({
        // the stored events of the write 4..8, and the highest sequence number
        "4, 7",
        "6, 7",
        "8, 8",
        "45, 7",
        "4567, 7",
        "5678, 8",
        "4678, 8",
        "4568, 8"
    })
    void incompleteBatchesAreNeverVisibleAndBlockNoWriter(String present, long highest) {
        String id = TestEvents.freshId();
        recover(id).write(3);
        theirs(id, 4, 8, "crashed", present.chars().mapToLong(c -> c - '0').toArray());
        assertThat(read(id)).containsExactly(1L, 2L, 3L);
        for (long from = 3; from <= 9; from++) {
            assertThat(LogReading.numbers(LogReading.read(fixture.log(), id, LogReading.everythingFrom(from))))
                    .isEqualTo(from == 3 ? List.of(3L) : List.of());
        }
        assertThat(highest(id)).isEqualTo(highest);
        recover(id).write(2).write(1);
        assertThat(read(id)).containsExactly(1L, 2L, 3L, highest + 1, highest + 2, highest + 3);
        assertThat(LogReading.numbers(
                        LogReading.read(fixture.log(), id, SeqRange.singleEvents(1, Long.MAX_VALUE, Long.MAX_VALUE))))
                .containsExactly(1L, 2L, 3L, highest + 1, highest + 2, highest + 3);
    }

    /** As the predecessor documents it: the maximum is applied first, and incomplete batches are left out afterwards. */
    @ParameterizedTest
    @CsvSource({"2, ''", "3, 123", "4, 123", "5, 123", "6, 1238", "7, 12389", "8, 12389"})
    void aMaximumCountsTheEventsOfIncompleteBatches(long max, String expected) {
        String id = TestEvents.freshId();
        recover(id).write(3);
        theirs(id, 4, 8, "crashed", 4, 6);
        recover(id).writeSingles(2);
        List<StoredEvent> events = LogReading.read(fixture.log(), id, SeqRange.wholeWrites(1, Long.MAX_VALUE, max));
        assertThat(LogReading.numbers(events))
                .isEqualTo(expected.chars().mapToObj(c -> (long) (c - '0')).toList());
        // A query counts what it delivers.
        assertThat(LogReading.numbers(LogReading.read(fixture.log(), id, SeqRange.singleEvents(1, Long.MAX_VALUE, 4))))
                .containsExactly(1L, 2L, 3L, 8L);
    }

    @Test
    void aPartlyOverwrittenBatchIsIncomplete() {
        String id = TestEvents.freshId();
        theirs(id, 1, 4, "first", 1, 2, 3, 4);
        theirs(id, 2, 3, "second", 2, 3);
        assertThat(read(id)).containsExactly(2L, 3L);
        String mixed = TestEvents.freshId();
        theirs(mixed, 1, 3, "first", 1, 2);
        theirs(mixed, 1, 3, "second", 3);
        assertThat(read(mixed)).isEmpty();
    }

    @Test
    void theirCompleteBatchesAreVisible() {
        String id = TestEvents.freshId();
        theirs(id, 1, 3, "first", 1, 2, 3);
        theirs(id, 4, 5, "first", 4, 5);
        assertThat(read(id)).isEqualTo(numbers(1, 5));
    }

    /** A write of 60 events is held before each of its requests in turn and overtaken; none of its events is ever visible. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void aSlowWriterIsRejectedWhenAnotherHasContinued(int requestsBefore) {
        String id = TestEvents.freshId();
        recover(id).write(70);
        FaultProxy proxy = fixture.proxy();
        LogWriter slow = LogWriter.recover(fixture.log(proxy), id);
        HeldRequest held =
                proxy.when(RequestMatch.writes()).after(requestsBefore).hold();
        CompletableFuture<LogEnd> write =
                slow.send(slow.next(TestEvents.events(60, 20))).toCompletableFuture();
        held.awaitArrival();
        assertThat(read(id)).isEqualTo(numbers(1, 70));
        LogWriter next = recover(id).write(2);
        List<StoredEvent> before = LogReading.all(fixture.log(), id);
        assertThat(before).hasSize(72);
        held.release();
        StoreException.WriteConflict conflict = Await.failure(write, StoreException.WriteConflict.class);
        assertThat(conflict.otherWriter()).isEqualTo(next.uuid());
        assertThat(LogReading.all(fixture.log(), id)).isEqualTo(before);
        next.write(1);
        assertThat(LogReading.all(fixture.log(), id)).hasSize(73);
    }

    @Test
    void aWriterThatRecoveredDuringAWriteIsRejectedOnceItIsComplete() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture.proxy();
        LogWriter slow = LogWriter.recover(fixture.log(proxy), id);
        HeldRequest held = proxy.when(RequestMatch.writes()).after(2).hold();
        CompletableFuture<LogEnd> write =
                slow.send(slow.next(TestEvents.events(4, 20))).toCompletableFuture();
        held.awaitArrival();
        LogWriter next = recover(id);
        held.release();
        Await.result(write);
        StoreException.WriteConflict conflict =
                Await.failure(next.send(next.next(TestEvents.events(1, 20))), StoreException.WriteConflict.class);
        assertThat(conflict.otherWriter()).isEqualTo(slow.uuid());
        assertThat(read(id)).isEqualTo(numbers(1, 4));
    }

    @Test
    void theHighestSequenceNumberSurvivesTheirDeleteOfAllEvents() {
        String id = TestEvents.freshId();
        recover(id).write(120);
        Await.result(fixture.log().deleteTo(id, Long.MAX_VALUE));
        assertThat(highest(id)).isEqualTo(120);
        // The predecessor leaves no item.
        table.removeEvent(id, 120);
        assertThat(highest(id)).isEqualTo(120);
        assertThat(read(id)).isEmpty();
        recover(id).write(1);
        assertThat(read(id)).containsExactly(121L);
        Await.result(fixture.log().deleteTo(id, 121));
        assertThat(table.event(id, 121).orElseThrow().has("event")).isFalse();
        assertThat(highest(id)).isEqualTo(121);
    }

    @Test
    void theTombstoneOfAnEmptyLogStopsAStaleWriterAfterEveryDelete() {
        String id = TestEvents.freshId();
        LogWriter stale = recover(id).write(99);
        LogWriter other = recover(id).write(1);
        for (int i = 0; i < 3; i++) {
            Await.result(fixture.log().deleteTo(id, Long.MAX_VALUE));
        }
        StoreException.WriteConflict conflict =
                Await.failure(stale.send(stale.next(TestEvents.events(1, 20))), StoreException.WriteConflict.class);
        assertThat(conflict.otherWriter()).isEqualTo(other.uuid());
        // One where each of the two writers began.
        assertThat(table.items().stream().map(Item::of).filter(item -> id.equals(item.textOr("persistence_id", null))))
                .hasSize(2);
        other.write(1).write(1);
        Await.result(fixture.log().deleteTo(id, Long.MAX_VALUE));
        assertThat(table.event(id, 101)).isEmpty();
        assertThat(highest(id)).isEqualTo(102);
        Await.failure(stale.send(stale.next(TestEvents.events(1, 20))), StoreException.WriteConflict.class);
    }

    @Test
    void aLateLowerDeleteDoesNotLowerTheMark() {
        String id = TestEvents.freshId();
        recover(id).write(20);
        FaultProxy proxy = fixture.proxy();
        HeldRequest held = proxy.when(RequestMatch.writes()).hold();
        CompletableFuture<Void> late = fixture.log(proxy).deleteTo(id, 5).toCompletableFuture();
        held.awaitArrival();
        Await.result(fixture.log().deleteTo(id, 20));
        held.release();
        Await.result(late);
        assertThat(table.mark("SL", id, 0)).isEqualTo(21);
        assertThat(highest(id)).isEqualTo(20);
    }

    @Test
    void aDeleteDuringAReadIsDetected() {
        String id = TestEvents.freshId();
        recover(id).write(250);
        LogHead head = Await.result(fixture.log().head(id, 1));
        Await.result(fixture.log().deleteTo(id, 150));
        Await.failure(
                CompletableFuture.supplyAsync(() -> LogReading.read(
                        fixture.log(), id, SeqRange.wholeWrites(1, 250, Long.MAX_VALUE), head.firstPage())),
                StoreException.LogMoved.class);
        assertThat(read(id)).isEqualTo(numbers(151, 250));
    }

    @Test
    void gapsAreReportedOnce() {
        String id = TestEvents.freshId();
        recover(id).writeSingles(10);
        table.removeEvent(id, 3);
        table.removeEvent(id, 5);
        table.removeEvent(id, 6);
        Logger logger = (Logger) LoggerFactory.getLogger("io.dynajournal.internal.layout");
        ListAppender<ILoggingEvent> seen = new ListAppender<>();
        seen.start();
        logger.addAppender(seen);
        try {
            EventLog log = fixture.log();
            for (int times = 0; times < 2; times++) {
                assertThat(LogReading.numbers(LogReading.all(log, id))).containsExactly(1L, 2L, 4L, 7L, 8L, 9L, 10L);
            }
        } finally {
            logger.detachAppender(seen);
        }
        assertThat(seen.list.stream().filter(line -> line.getFormattedMessage().contains(id)))
                .hasSize(1)
                .allSatisfy(
                        line -> assertThat(line.getFormattedMessage()).contains("sequence number 2 is followed by 4"));
    }

    @Test
    void aShardThatCannotBeReadFailsTheRecovery() {
        Akka1Journal many = new Akka1Journal(fixture.tableName(), "journal", 150, 400_000);
        String id = TestEvents.freshId();
        FaultProxy proxy = local.proxy();
        EventLog log = many.open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
        LogWriter.recover(log, id).write(2);
        // Three for the recovery, and three after the first write.
        assertThat(proxy.requests(RequestMatch.operation("BatchGetItem"))).hasSize(6);
        proxy.when(RequestMatch.operation("BatchGetItem"))
                .after(1)
                .answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        Await.failure(log.head(id, 1), StoreException.Refused.class);
    }

    @Test
    void keysHaveAsciiDigitsInEveryLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-SA-u-nu-arab"));
        try {
            String id = TestEvents.freshId();
            recover(id).write(120);
            Await.result(fixture.log().deleteTo(id, 105));
            assertThat(table.event(id, 119)).isPresent();
            assertThat(table.mark("SH", id, 1)).isEqualTo(100);
            assertThat(table.mark("SL", id, 1)).isEqualTo(106);
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void oldEventsAreReadAndContinued() {
        String id = "old-1-" + TestEvents.freshId();
        for (int seqNr = 1; seqNr <= 3; seqNr++) {
            byte[] text = ("a-" + seqNr).getBytes(StandardCharsets.UTF_8);
            Item old = Item.create()
                    .text("par", "journal-P-" + id + "-0")
                    .number("num", seqNr)
                    .bytes(
                            "pay",
                            new PersistentMessage(
                                            new Payload(1, "", text), seqNr, id, false, "adapted", "w-uuid", 0, null)
                                    .encode());
            table.put((seqNr == 1 ? old : old.number("idx", seqNr - 2).number("cnt", 1)).attributes());
        }
        LogEnd end = Await.result(fixture.log().head(id, 1)).end();
        assertThat(end.seqNr()).isEqualTo(3);
        assertThat(end.writer()).isEqualTo("w-uuid");
        recover(id).write(1);
        List<StoredEvent> events = LogReading.all(fixture.log(), id);
        assertThat(LogReading.numbers(events)).isEqualTo(numbers(1, 4));
        StoredEvent second = events.get(1);
        assertThat(second.writer()).isEqualTo("w-uuid");
        assertThat(second.event().adapterManifest()).isEqualTo("adapted");
        assertThat(second.event().payload()).isEqualTo(new Payload(1, "", "a-2".getBytes(StandardCharsets.UTF_8)));
        assertThat(LogReading.numbers(LogReading.read(fixture.log(), id, LogReading.everythingFrom(3))))
                .containsExactly(3L, 4L);
    }

    @Test
    void anUnreadableOldEventIsACorruptItem() {
        String id = TestEvents.freshId();
        table.put(Item.create()
                .text("par", "journal-P-" + id + "-0")
                .number("num", 1)
                .bytes("pay", new byte[] {(byte) 0xff, 1})
                .attributes());
        assertThat(Await.failure(fixture.log().head(id, 1), StoreException.CorruptItem.class))
                .hasMessageContaining(id);
    }

    private List<String> ids(Akka1Journal journal) {
        List<String> ids = new ArrayList<>();
        PersistenceIds all = journal.ids(dynamo);
        PersistenceIds.IdPage page = Await.result(all.read(null));
        ids.addAll(page.ids());
        while (page.next() != null) {
            page = Await.result(all.read(page.next()));
            ids.addAll(page.ids());
        }
        return ids;
    }

    @Test
    void journalsMayShareATableAndDeletedLogsAreListed() {
        String name = local.freshTable();
        Akka1Journal one = Akka1Journal.of(name);
        Akka1Journal two = Akka1Journal.of(
                new LayoutSettings(Map.of("journal-table", name, "journal-name", "second", "sequence-shards", "7")));
        local.create(one.table());
        for (String id : List.of("a-1", "a-1-0", "-", "ünï|x", "a-P-b")) {
            LogWriter.recover(one.open(dynamo), id)
                    .write(List.of(TestEvents.event(100_000)))
                    .write(130);
            LogWriter.recover(two.open(dynamo), id + "2").write(2);
            LogWriter.recover(two.open(dynamo), id).write(3);
        }
        Await.result(one.open(dynamo).deleteTo("a-1", 5));
        Await.result(one.open(dynamo).deleteTo("ünï|x", Long.MAX_VALUE));
        assertThat(ids(one)).containsExactlyInAnyOrder("a-1", "a-1-0", "-", "ünï|x", "a-P-b");
        assertThat(ids(two)).hasSize(10).doesNotHaveDuplicates();
        assertThat(LogReading.highest(one.open(dynamo), "a-1")).isEqualTo(131);
        assertThat(LogReading.all(two.open(dynamo), "a-1")).hasSize(3);
        assertThat(LogReading.all(two.open(dynamo), "ünï|x2")).hasSize(2);
    }

    @Test
    void settingsHaveTheirNamesAndDefaults() {
        LayoutSettings none = new LayoutSettings(Map.of());
        assertThat(Akka1Journal.of(none)).isEqualTo(new Akka1Journal("akka-persistence", "journal", 10, 400_000));
        assertThat(Akka1Snapshots.of(none))
                .isEqualTo(new Akka1Snapshots("akka-persistence-snapshot", "journal", 400_000, null, null));
        assertThat(none.known())
                .containsExactlyInAnyOrder(
                        "journal-table",
                        "journal-name",
                        "sequence-shards",
                        "aws-api-limits.max-item-size",
                        "fixes.high-distrust",
                        "replay-parallelism",
                        "fatal-gaps",
                        "snapshot-table",
                        "event-format");
    }

    private static StoredSnapshot snapshot(String id, long seqNr, long timestamp, int size) {
        return new StoredSnapshot(id, seqNr, timestamp, new Payload(5, "", TestEvents.randomBytes(size)), null);
    }

    @Test
    void theSearchForASnapshotContinuesAfterTheFirst() {
        Akka1Snapshots layout = Akka1Snapshots.of(local.freshTable());
        local.create(layout.table());
        SnapshotTable snapshots = layout.open(dynamo);
        for (int n = 1; n <= 3; n++) {
            Await.result(snapshots.save(snapshot("s", n, n * 100L, 20)));
        }
        assertThat(Await.result(snapshots.load("s", new SnapshotCriteria(0, 3, 0, 250)))
                        .map(StoredSnapshot::seqNr))
                .contains(2L);
        // After a clock adjustment the sequence number decides.
        Await.result(snapshots.save(snapshot("s", 4, 50, 20)));
        assertThat(Await.result(snapshots.load("s", SnapshotCriteria.ALL)).map(StoredSnapshot::seqNr))
                .contains(4L);
    }

    @Test
    void aDeleteOfSnapshotsReadsAllPages() {
        Akka1Snapshots layout = Akka1Snapshots.of(local.freshTable());
        local.create(layout.table());
        SnapshotTable snapshots = layout.open(dynamo);
        for (int n = 1; n <= 13; n++) {
            Await.result(snapshots.save(snapshot("s", n, n, 190_000)));
        }
        Await.result(snapshots.delete("s", SnapshotCriteria.ALL));
        assertThat(new Akka1Table(local.client(), layout.tableName()).items()).isEmpty();
    }

    @Test
    void oldSnapshotsAreRead() {
        Akka1Snapshots layout = Akka1Snapshots.of(local.freshTable());
        local.create(layout.table());
        Payload payload = new Payload(20, "m", "abc".getBytes(StandardCharsets.UTF_8));
        new Akka1Table(local.client(), layout.tableName())
                .put(Item.create()
                        .text("par", "journal-P-s-1")
                        .number("seq", 9)
                        .number("ts", 123)
                        .bytes("pay", SnapshotEnvelope.encode(payload))
                        .attributes());
        assertThat(Await.result(layout.open(dynamo).load("s-1", SnapshotCriteria.ALL)))
                .contains(new StoredSnapshot("s-1", 9, 123, payload, null));
    }

    @Test
    void eachOfTwoBatchesInOneCallIsComplete() {
        String id = TestEvents.freshId();
        LogWriter writer = recover(id);
        writer.write(new EventBatch(
                id,
                writer.uuid(),
                1,
                List.of(TestEvents.events(98, 20), TestEvents.events(1, 20), TestEvents.events(3, 20))));
        assertThat(read(id)).isEqualTo(numbers(1, 102));
        assertThat(LogReading.numbers(LogReading.read(fixture.log(), id, SeqRange.wholeWrites(1, 101, Long.MAX_VALUE))))
                .isEqualTo(numbers(1, 99));
        assertThat(table.mark("SH", id, 1)).isEqualTo(100);
    }

    @Test
    void aSerializerIdBeyond32BitsIsACorruptItem() {
        String id = TestEvents.freshId();
        table.put(table.eventItem(id, 1, "theirs").number("ev_ser_id", 1L << 40).attributes());
        assertThat(Await.failure(
                        LogReading.reading(fixture.log(), id, LogReading.everythingFrom(1)),
                        StoreException.CorruptItem.class))
                .hasMessageContainingAll("ev_ser_id", id, "num=1", "32 bits");
    }
}
