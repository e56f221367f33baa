package io.dynajournal.testkit.sclasen;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.dynamo.RequestListener;
import io.dynajournal.layout.sclasen.SclasenJournal;
import io.dynajournal.model.EventBatch;
import io.dynajournal.model.SeqRange;
import io.dynajournal.store.EventLog;
import io.dynajournal.store.StoreException;
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

/** What 0.3 lost or never ended, one test each. */
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

    /** 0.3 ended a replay behind the first thousand numbers with a hole. */
    @Test
    void aReplayGoesOnBehindHoles() {
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

    /** 0.3 handed out the event behind {@code to} if that itself was missing. */
    @Test
    void nothingComesFromBehindTheBound() {
        String id = freshLog(20);
        table.remove(event(id, 12));
        EventLog log = fixture.log();
        assertThat(LogReading.numbers(LogReading.read(log, id, SeqRange.singleEvents(10, 12, 100))))
                .containsExactly(10L, 11L);
        assertThat(LogReading.numbers(LogReading.read(log, id, SeqRange.singleEvents(1, 20, 3))))
                .containsExactly(1L, 2L, 3L);
    }

    /** 0.3 read a thousand numbers whatever was asked for. */
    @Test
    void noMoreIsReadThanIsAskedFor() {
        String id = freshLog(300);
        FaultProxy proxy = local.proxy();
        EventLog log = fixture.log(proxy);
        var head = Await.result(log.head(id, 1));
        int before = proxy.requests().size();
        assertThat(LogReading.read(log, id, SeqRange.singleEvents(1, 50, 50), head.firstPage()))
                .hasSize(50);
        assertThat(proxy.requests()).hasSize(before);
        // 100 came with the head; the next 60 are one request.
        assertThat(LogReading.read(log, id, SeqRange.singleEvents(1, 160, 1000), head.firstPage()))
                .hasSize(160);
        assertThat(proxy.requests()).hasSize(before + 1);
    }

    /** Under load 0.3 lost marks, took the highest number for lower than it was, and overwrote events. */
    @Test
    void lostMarksDoNotLeadToOverwriting() {
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
        // The next write has mended the marks.
        assertThat(table.get("journal-SH-" + id + "-" + 251 % 7))
                .containsEntry("sequenceNr", AttributeValue.fromN("251"));
    }

    /** With fewer shards than before 0.3 did not see all marks. */
    @Test
    void fewerShardsThanBeforeHideNoEvents() {
        String id = freshLog(150);
        EventLog two = new SclasenJournal(fixture.tableName(), "journal", 2, false, false)
                .open(local.open(RequestListener.NONE));
        assertThat(LogReading.highest(two, id)).isEqualTo(150);
        assertThat(LogReading.numbers(LogReading.all(two, id))).isEqualTo(numbers(1, 150));
    }

    /** A mark whose event was lost uses up its number. */
    @Test
    void aMarkWithoutItsEventIsTheEndAllTheSame() {
        String id = freshLog(2);
        table.putMark("journal-SH-" + id + "-4", 4);
        assertThat(LogReading.highest(fixture.log(), id)).isEqualTo(4);
        LogWriter.recover(fixture.log(), id).write(1);
        assertThat(LogReading.numbers(LogReading.all(fixture.log(), id))).containsExactly(1L, 2L, 5L);
    }

    /** 0.3 looked for unprocessed writes under the wrong name and never found any. */
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
                .containsExactlyInAnyOrder(event(id, 39), event(id, 40));
    }

    /** 0.3 asked once more for unprocessed reads and forgot what was left then. More than 16 MB come in several answers. */
    @Test
    void unprocessedReadsAreAskedForAgain() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture.log(), id);
        for (int i = 0; i < 6; i++) {
            writer.write(TestEvents.events(10, 400_000));
        }
        FaultProxy proxy = local.proxy();
        assertThat(LogReading.numbers(LogReading.all(fixture.log(proxy), id))).isEqualTo(numbers(1, 60));
        // Marks, 59 events, and 100 numbers from the highest on would be three.
        assertThat(proxy.requests(RequestMatch.reads())).hasSizeGreaterThan(3);
    }

    /** 0.3 went on behind the last number and left a stub under each. */
    @Test
    void aDeleteOfEverythingEndsAtTheEnd() {
        String id = freshLog(5);
        Await.result(fixture.log().deleteTo(id, Long.MAX_VALUE));
        assertThat(table.get(event(id, 5))).containsEntry("deleted", AttributeValue.fromS("true"));
        assertThat(table.get(event(id, 6))).isNull();
        assertThat(LogReading.highest(fixture.log(), id)).isEqualTo(5);
    }

    /** Each delete of 0.3 began with the first number that was ever deleted. */
    @Test
    void aDeleteDoesNotRepeatThoseBeforeIt() {
        String id = freshLog(400);
        Await.result(fixture.log().deleteTo(id, 380));
        FaultProxy proxy = local.proxy();
        Await.result(fixture.log(proxy).deleteTo(id, 390));
        // Ten events, what hides them, and the low mark.
        assertThat(proxy.requests(RequestMatch.writes())).hasSize(12);
        assertThat(LogReading.numbers(LogReading.all(fixture.log(), id))).isEqualTo(numbers(391, 400));
    }

    /** A delete that was cut short is finished by the next one, and what it had promised is not seen in between. */
    @Test
    void aDeleteThatWasCutShortIsFinishedByTheNext() {
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

    /** What 0.3 deletes one by one is gone, and what lies around it is not. */
    @Test
    void singleDeletesOfTheirsAreUnderstood() {
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

    /** A batch of 0.3 could be stored in part: groups of twelve went out at once, without a condition. */
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

    /** A second writer behind many numbers that were left out is stopped by the first of them. */
    @Test
    void manyNumbersMayBeLeftOut() {
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

    /** Numbers that were used up without an event count, even if their writer died before it wrote one. */
    @Test
    void numbersThatWereUsedUpStayUsedUp() {
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
