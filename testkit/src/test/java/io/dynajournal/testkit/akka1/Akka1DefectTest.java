package io.dynajournal.testkit.akka1;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.RequestListener;
import io.dynajournal.envelope.PersistentMessage;
import io.dynajournal.envelope.SnapshotEnvelope;
import io.dynajournal.layout.LayoutSettings;
import io.dynajournal.layout.akka1.Akka1Journal;
import io.dynajournal.layout.akka1.Akka1Snapshots;
import io.dynajournal.model.EventBatch;
import io.dynajournal.model.Payload;
import io.dynajournal.model.SeqRange;
import io.dynajournal.model.SnapshotCriteria;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.model.StoredSnapshot;
import io.dynajournal.store.EventLog;
import io.dynajournal.store.EventPage;
import io.dynajournal.store.LogEnd;
import io.dynajournal.store.LogHead;
import io.dynajournal.store.PersistenceIds;
import io.dynajournal.store.SnapshotTable;
import io.dynajournal.store.StoreException;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.Gate;
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

/** The predecessor's defects, one by one, and what happens here instead. */
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

    /** Members of an atomic write as the predecessor leaves them when its requests fail in part. */
    private void theirs(String id, long first, long last, String writer, long... present) {
        for (long seqNr : present) {
            table.put(table.eventItem(id, seqNr, writer)
                    .number("idx", seqNr - first)
                    .number("cnt", last - first)
                    .attributes());
        }
    }

    /** A query that took a write under way for one that was never finished would not look at it again. */
    @Test
    void aQueryDoesNotAccountForAWriteThatIsUnderWay() {
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
        FaultProxy proxy = fixture.proxy();
        proxy.when(RequestMatch.operation("BatchWriteItem")).process(3);
        proxy.when(RequestMatch.operation("BatchWriteItem")).process(0);
        LogWriter writer =
                LogWriter.recover(fixture.log(proxy), id).write(99).write(1).write(30);
        assertThat(LogReading.contents(LogReading.all(fixture.log(), id))).isEqualTo(writer.written());
        assertThat(table.mark("SH", id, 1)).isEqualTo(100);
    }

    @Test
    void aLostHighMarkIsNotBelievedAndIsRepaired() {
        String id = TestEvents.freshId();
        recover(id).write(99).write(1).write(50);
        table.remove("journal-SH-" + id + "-1", 0);
        assertThat(highest(id)).isEqualTo(150);
        recover(id).write(1);
        assertThat(read(id)).isEqualTo(numbers(1, 151));
        assertThat(table.mark("SH", id, 1)).isEqualTo(100);
    }

    @Test
    void severalLostHighMarksAreNotBelieved() {
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

    /** What was read first may be older than the end: what it lacks before the end is read again. */
    @Test
    void eventsThatComeBetweenTheFirstLookAndTheEndAreReplayed() {
        String id = TestEvents.freshId();
        LogWriter writer = recover(id).write(98);
        FaultProxy proxy = fixture.proxy();
        Gate items = proxy.when(RequestMatch.operation("Query")).holdReply();
        Gate marks = proxy.when(RequestMatch.operation("BatchGetItem")).hold();
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
    void aMarkWithoutItsEventPromisesNothing(int events) {
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
        // what is there of the write 4..8, the highest number, and where events are read
        "4, 7",
        "6, 7",
        "8, 8",
        "45, 7",
        "4567, 7",
        "5678, 8",
        "4678, 8",
        "4568, 8"
    })
    void halfWrittenBatchesAreNeverSeenAndNeverInTheWay(String present, long highest) {
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

    @Test
    void aBatchThatAnotherHasOverwrittenInPartIsNotWhole() {
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
    void theirWholeBatchesAreSeen() {
        String id = TestEvents.freshId();
        theirs(id, 1, 3, "first", 1, 2, 3);
        theirs(id, 4, 5, "first", 4, 5);
        assertThat(read(id)).isEqualTo(numbers(1, 5));
    }

    /** Held before each of its requests in turn, a write of 60 events is overtaken, and nothing of it is ever seen. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void aSlowWriterIsRefusedWhenAnotherHasGoneOn(int requestsBefore) {
        String id = TestEvents.freshId();
        recover(id).write(70);
        FaultProxy proxy = fixture.proxy();
        LogWriter slow = LogWriter.recover(fixture.log(proxy), id);
        Gate gate = proxy.when(RequestMatch.writes()).after(requestsBefore).hold();
        CompletableFuture<LogEnd> write =
                slow.send(slow.next(TestEvents.events(60, 20))).toCompletableFuture();
        gate.awaitArrival();
        assertThat(read(id)).isEqualTo(numbers(1, 70));
        LogWriter next = recover(id).write(2);
        List<StoredEvent> before = LogReading.all(fixture.log(), id);
        assertThat(before).hasSize(72);
        gate.release();
        StoreException.WriteConflict conflict = Await.failure(write, StoreException.WriteConflict.class);
        assertThat(conflict.otherWriter()).isEqualTo(next.uuid());
        assertThat(LogReading.all(fixture.log(), id)).isEqualTo(before);
        next.write(1);
        assertThat(LogReading.all(fixture.log(), id)).hasSize(73);
    }

    @Test
    void aWriterThatRecoveredDuringAWriteIsRefusedWhenThatIsFinished() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture.proxy();
        LogWriter slow = LogWriter.recover(fixture.log(proxy), id);
        Gate gate = proxy.when(RequestMatch.writes()).after(2).hold();
        CompletableFuture<LogEnd> write =
                slow.send(slow.next(TestEvents.events(4, 20))).toCompletableFuture();
        gate.awaitArrival();
        LogWriter next = recover(id);
        gate.release();
        Await.result(write);
        StoreException.WriteConflict conflict =
                Await.failure(next.send(next.next(TestEvents.events(1, 20))), StoreException.WriteConflict.class);
        assertThat(conflict.otherWriter()).isEqualTo(slow.uuid());
        assertThat(read(id)).isEqualTo(numbers(1, 4));
    }

    @Test
    void theHighestNumberSurvivesTheirDeleteOfEverything() {
        String id = TestEvents.freshId();
        recover(id).write(120);
        Await.result(fixture.log().deleteTo(id, Long.MAX_VALUE));
        assertThat(highest(id)).isEqualTo(120);
        // They leave no item.
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
    void theLastNumberOfAnEmptyLogStopsAStaleWriterHoweverOftenItIsDeleted() {
        String id = TestEvents.freshId();
        LogWriter stale = recover(id).write(99);
        LogWriter other = recover(id).write(1);
        for (int i = 0; i < 3; i++) {
            Await.result(fixture.log().deleteTo(id, Long.MAX_VALUE));
        }
        StoreException.WriteConflict conflict =
                Await.failure(stale.send(stale.next(TestEvents.events(1, 20))), StoreException.WriteConflict.class);
        assertThat(conflict.otherWriter()).isEqualTo(other.uuid());
        assertThat(table.items().stream().map(Item::of).filter(item -> id.equals(item.textOr("persistence_id", null))))
                .hasSize(1);
        other.write(1);
        Await.result(fixture.log().deleteTo(id, Long.MAX_VALUE));
        assertThat(table.event(id, 100)).isEmpty();
        assertThat(highest(id)).isEqualTo(101);
    }

    @Test
    void aLowerDeleteThatComesLateDoesNotLowerTheMark() {
        String id = TestEvents.freshId();
        recover(id).write(20);
        FaultProxy proxy = fixture.proxy();
        Gate gate = proxy.when(RequestMatch.writes()).hold();
        CompletableFuture<Void> late = fixture.log(proxy).deleteTo(id, 5).toCompletableFuture();
        gate.awaitArrival();
        Await.result(fixture.log().deleteTo(id, 20));
        gate.release();
        Await.result(late);
        assertThat(table.mark("SL", id, 0)).isEqualTo(21);
        assertThat(highest(id)).isEqualTo(20);
    }

    @Test
    void aDeleteThatComesWhileReadingIsNoticed() {
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
    void holesAreReportedOnce() {
        String id = TestEvents.freshId();
        recover(id).writeSingles(10);
        table.removeEvent(id, 3);
        table.removeEvent(id, 5);
        table.removeEvent(id, 6);
        Logger logger = (Logger) LoggerFactory.getLogger("io.dynajournal.layout");
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
                        line -> assertThat(line.getFormattedMessage()).contains("after number 2 it goes on with 4"));
    }

    @Test
    void aShardThatCannotBeReadFailsTheRecovery() {
        Akka1Journal many = new Akka1Journal(fixture.tableName(), "journal", 150, 400_000);
        String id = TestEvents.freshId();
        FaultProxy proxy = local.proxy();
        EventLog log = many.open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
        LogWriter.recover(log, id).write(2);
        assertThat(proxy.requests(RequestMatch.operation("BatchGetItem"))).hasSize(3);
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
    void oldEventsAreReadAndGoneOnFrom() {
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
    void anUnreadableOldEventIsNamed() {
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
    void journalsShareATableAndIdsAreListedWhateverIsDeleted() {
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
                .isEqualTo(new Akka1Snapshots("akka-persistence-snapshot", "journal", 400_000));
        assertThat(none.known())
                .containsExactlyInAnyOrder(
                        "journal-table",
                        "journal-name",
                        "sequence-shards",
                        "aws-api-limits.max-item-size",
                        "fixes.high-distrust",
                        "replay-parallelism",
                        "fatal-holes",
                        "snapshot-table");
    }

    private static StoredSnapshot snapshot(String id, long seqNr, long timestamp, int size) {
        return new StoredSnapshot(id, seqNr, timestamp, new Payload(5, "", TestEvents.randomBytes(size)), null);
    }

    @Test
    void theSearchForASnapshotGoesOnBehindTheFirst() {
        Akka1Snapshots layout = Akka1Snapshots.of(local.freshTable());
        local.create(layout.table());
        SnapshotTable snapshots = layout.open(dynamo);
        for (int n = 1; n <= 3; n++) {
            Await.result(snapshots.save(snapshot("s", n, n * 100L, 20)));
        }
        assertThat(Await.result(snapshots.load("s", new SnapshotCriteria(0, 3, 0, 250)))
                        .map(StoredSnapshot::seqNr))
                .contains(2L);
        // A clock that went back: the number decides.
        Await.result(snapshots.save(snapshot("s", 4, 50, 20)));
        assertThat(Await.result(snapshots.load("s", SnapshotCriteria.ALL)).map(StoredSnapshot::seqNr))
                .contains(4L);
    }

    @Test
    void aDeleteOfSnapshotsGoesOverAllPages() {
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
    void ofTwoBatchesInOneCallEachIsWhole() {
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
}
