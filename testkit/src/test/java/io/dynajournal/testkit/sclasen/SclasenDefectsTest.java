package io.dynajournal.testkit.sclasen;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.layout.sclasen.SclasenJournal;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogFixture;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Defects of 0.3, and how the layout sclasen behaves instead. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SclasenDefectsTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final LogFixture fixture =
            LogFixture.create(local, new SclasenJournal(local.freshTable(), "journal", 7, false, false));
    private final LogFixture permanent =
            LogFixture.create(local, new SclasenJournal(local.freshTable(), "journal", 7, true, false));
    private final SclasenTable table = new SclasenTable(local.client(), fixture.tableName());

    private static List<Long> numbers(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    private String freshLog(int events) {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture.log(), id);
        for (int left = events; left > 0; left -= 90) {
            writer.write(Math.min(left, 90));
        }
        return id;
    }

    private static String event(String id, long number) {
        return "journal-P-" + id + "-" + number;
    }

    /** 0.3 ended a replay after the first thousand sequence numbers with a gap. */
    @Test
    void aReplayContinuesAfterGaps() {
        String id = TestEvents.freshId();
        for (long number : new long[] {1, 2, 5, 1200, 1201, 2450}) {
            table.putEvent(event(id, number), id, number);
        }
        table.putMark("journal-SH-" + id + "-0", 2450);
        EventLog log = fixture.log();
        assertThat(LogReading.numbers(LogReading.all(log, id))).containsExactly(1L, 2L, 5L, 1200L, 1201L, 2450L);
        assertThat(LogReading.numbers(LogReading.read(log, id, LogReading.everythingFrom(3))))
                .containsExactly(5L, 1200L, 1201L, 2450L);
        assertThat(LogReading.numbers(LogReading.read(log, id, SeqRange.wholeWrites(1, 2449, 4))))
                .containsExactly(1L, 2L, 5L, 1200L);
    }

    /** 0.3 delivered the event after {@code to} if that itself was missing. */
    @Test
    void noEventAfterTheBoundIsDelivered() {
        String id = freshLog(20);
        table.remove(event(id, 12));
        EventLog log = fixture.log();
        assertThat(LogReading.numbers(LogReading.read(log, id, SeqRange.singleEvents(10, 12, 100))))
                .containsExactly(10L, 11L);
        assertThat(LogReading.numbers(LogReading.read(log, id, SeqRange.singleEvents(1, 20, 3))))
                .containsExactly(1L, 2L, 3L);
    }

    /** 0.3 read a thousand sequence numbers whatever the range. */
    @Test
    void noMoreIsReadThanRequested() {
        String id = freshLog(300);
        FaultProxy proxy = local.proxy();
        EventLog log = fixture.log(proxy);
        var head = Await.result(log.head(id, 1));
        int before = proxy.requests().size();
        assertThat(LogReading.read(log, id, SeqRange.singleEvents(1, 50, 50), head.firstPage()))
                .hasSize(50);
        assertThat(proxy.requests()).hasSize(before);
        // The head includes 100 events; the next 60 are one request.
        assertThat(LogReading.read(log, id, SeqRange.singleEvents(1, 160, 1000), head.firstPage()))
                .hasSize(160);
        assertThat(proxy.requests()).hasSize(before + 1);
    }

    /** Under load 0.3 lost marks, so its highest sequence number was too low, and it overwrote events. */
    @Test
    void lostMarksCauseNoOverwrite() {
        String id = freshLog(3);
        for (long number = 4; number <= 250; number++) {
            if (number % 60 != 0) {
                table.putEvent(event(id, number), id, number);
            }
        }
        table.remove("journal-SH-" + id + "-3");
        EventLog log = fixture.log();
        assertThat(LogReading.highest(log, id)).isEqualTo(250);
        assertThat(LogReading.all(log, id)).hasSize(246);
        LogWriter.recover(log, id).write(1);
        assertThat(LogReading.highest(log, id)).isEqualTo(251);
        // The next write has repaired the marks.
        assertThat(table.get("journal-SH-" + id + "-" + 251 % 7))
                .containsEntry("sequenceNr", AttributeValue.fromN("251"));
    }

    /** With fewer shards than before, 0.3 did not read all marks. */
    @Test
    void fewerShardsThanBeforeHideNoEvents() {
        String id = freshLog(150);
        EventLog two = new SclasenJournal(fixture.tableName(), "journal", 2, false, false)
                .open(local.open(RequestListener.NONE));
        assertThat(LogReading.highest(two, id)).isEqualTo(150);
        assertThat(LogReading.numbers(LogReading.all(two, id))).isEqualTo(numbers(1, 150));
    }

    /** A mark whose event was lost still uses up its sequence number. */
    @Test
    void aMarkWithoutItsEventIsTheEnd() {
        String id = freshLog(2);
        table.putMark("journal-SH-" + id + "-4", 4);
        assertThat(LogReading.highest(fixture.log(), id)).isEqualTo(4);
        LogWriter.recover(fixture.log(), id).write(1);
        assertThat(LogReading.numbers(LogReading.all(fixture.log(), id))).containsExactly(1L, 2L, 5L);
    }

    /** 0.3 read unprocessed writes under a wrong name and never found any. */
    @Test
    void unprocessedWritesAreSentAgain() {
        String id = TestEvents.freshId();
        LogWriter.recover(permanent.log(), id).write(40);
        FaultProxy proxy = local.proxy();
        proxy.when(RequestMatch.operation("BatchWriteItem")).process(10);
        proxy.when(RequestMatch.operation("BatchWriteItem")).process(0);
        Await.result(permanent.log(proxy).deleteTo(id, 38));
        assertThat(LogReading.numbers(LogReading.all(permanent.log(), id))).containsExactly(39L, 40L);
        assertThat(new SclasenTable(local.client(), permanent.tableName())
                        .items()
                        .keySet())
                .filteredOn(key -> key.startsWith("journal-P-" + id))
                // The first event is only marked for a day, because its writer took over there.
                .containsExactlyInAnyOrder(event(id, 1), event(id, 39), event(id, 40));
    }

    /** 0.3 retried unprocessed reads once and dropped the rest. More than 16 MB take several responses. */
    @Test
    void unprocessedReadsAreRetried() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture.log(), id);
        for (int i = 0; i < 6; i++) {
            writer.write(TestEvents.events(10, 400_000));
        }
        FaultProxy proxy = local.proxy();
        assertThat(LogReading.numbers(LogReading.all(fixture.log(proxy), id))).isEqualTo(numbers(1, 60));
        // Marks, 59 events, and 100 sequence numbers from the highest on would be three requests.
        assertThat(proxy.requests(RequestMatch.reads())).hasSizeGreaterThan(3);
    }

    /** 0.3 continued after the last event and created an item for each sequence number. */
    @Test
    void aDeleteOfAllEventsEndsAtTheEndOfTheLog() {
        String id = freshLog(5);
        Await.result(fixture.log().deleteTo(id, Long.MAX_VALUE));
        assertThat(table.get(event(id, 5))).containsEntry("deleted", AttributeValue.fromS("true"));
        assertThat(table.get(event(id, 6))).isNull();
        assertThat(LogReading.highest(fixture.log(), id)).isEqualTo(5);
    }

    /** Each delete of 0.3 started at the first event that was ever deleted. */
    @Test
    void aDeleteContinuesAfterTheOneBefore() {
        String id = freshLog(400);
        Await.result(fixture.log().deleteTo(id, 380));
        FaultProxy proxy = local.proxy();
        Await.result(fixture.log(proxy).deleteTo(id, 390));
        // Ten events, deletedTo, and the low mark.
        assertThat(proxy.requests(RequestMatch.writes())).hasSize(12);
        assertThat(LogReading.numbers(LogReading.all(fixture.log(), id))).isEqualTo(numbers(391, 400));
    }

    /** The next delete completes a failed one; the events are hidden in between. */
    @Test
    void aFailedDeleteIsCompletedByTheNext() {
        String id = freshLog(120);
        FaultProxy proxy = local.proxy();
        proxy.when(RequestMatch.writes())
                .after(30)
                .always()
                .answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        Await.failure(fixture.log(proxy).deleteTo(id, 100), StoreException.Refused.class);
        assertThat(LogReading.numbers(LogReading.all(fixture.log(), id))).isEqualTo(numbers(101, 120));
        Await.result(fixture.log().deleteTo(id, 100));
        LongStream.rangeClosed(1, 100)
                .forEach(number -> assertThat(table.get(event(id, number)))
                        .containsEntry("deleted", AttributeValue.fromS("true")));
    }

    /** Events that 0.3 deleted one by one are deleted, those around them are not. */
    @Test
    void theirSingleDeletesAreRead() {
        String id = freshLog(10);
        for (long number : new long[] {3, 7}) {
            Await.result(local.client()
                    .updateItem(update -> update.tableName(fixture.tableName())
                            .key(Map.of("key", AttributeValue.fromS(event(id, number))))
                            .updateExpression("SET deleted = :true")
                            .expressionAttributeValues(Map.of(":true", AttributeValue.fromS("true")))));
            table.putMark("journal-SL-" + id + "-" + number % 7, number);
        }
        List<Long> expected = new ArrayList<>(numbers(1, 10));
        expected.removeAll(List.of(3L, 7L));
        assertThat(LogReading.numbers(LogReading.all(fixture.log(), id))).isEqualTo(expected);
    }

    /** 0.3 could store a part of a batch: it sent groups of twelve concurrently and without a condition. */
    @Test
    void aPersistAllIsOneRequest() {
        String id = TestEvents.freshId();
        FaultProxy proxy = local.proxy();
        LogWriter writer = LogWriter.recover(fixture.log(proxy), id);
        writer.write(99);
        assertThat(proxy.requests(RequestMatch.writes())).hasSize(1);
        proxy.when(RequestMatch.writes()).answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        Await.failure(writer.send(writer.next(TestEvents.events(50, 20))), StoreException.Refused.class);
        assertThat(LogReading.highest(fixture.log(), id)).isEqualTo(99);
    }

    /** A second writer after many skipped sequence numbers is stopped by the first of them. */
    @Test
    void manySequenceNumbersMayBeSkipped() {
        String id = TestEvents.freshId();
        LogWriter two = LogWriter.recover(fixture.log(), id);
        LogWriter one = LogWriter.recover(fixture.log(), id).writeAt(251, TestEvents.events(2, 20));
        assertThat(LogReading.numbers(LogReading.all(fixture.log(), id))).containsExactly(251L, 252L);
        for (long first : new long[] {1, 100, 250, 300}) {
            StoreException.WriteConflict conflict = Await.failure(
                    two.send(EventBatch.of(id, two.uuid(), first, TestEvents.events(1, 20))),
                    StoreException.WriteConflict.class);
            assertThat(conflict.otherWriter()).isEqualTo(one.uuid());
        }
        assertThat(LogReading.highest(fixture.log(), id)).isEqualTo(252);
    }

    /** Sequence numbers of tombstones stay used, even if their writer failed before it stored an event. */
    @Test
    void sequenceNumbersOfTombstonesStayUsed() {
        String id = freshLog(2);
        IntStream.rangeClosed(3, 150)
                .forEach(number -> table.put(
                        event(id, number),
                        Map.of("deleted", AttributeValue.fromS("true"), "writer", AttributeValue.fromS("w"))));
        assertThat(LogReading.highest(fixture.log(), id)).isEqualTo(150);
        LogWriter.recover(fixture.log(), id).write(1);
        assertThat(LogReading.numbers(LogReading.all(fixture.log(), id))).containsExactly(1L, 2L, 151L);
    }
}
