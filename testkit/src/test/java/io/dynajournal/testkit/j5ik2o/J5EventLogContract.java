package io.dynajournal.testkit.j5ik2o;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.RequestListener;
import io.dynajournal.model.Event;
import io.dynajournal.model.EventBatch;
import io.dynajournal.model.Payload;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.store.LogEnd;
import io.dynajournal.store.StoreException;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.EventLogContract;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.Gate;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The contract on j5ik2o's tables. What the format cannot do is here: atomic writes of more than 100 events, items of more
 * than 400 KB, times finer than a millisecond, and telling a damaged log from one with rejected events.
 */
abstract class J5EventLogContract extends EventLogContract {

    @Override
    public void removeItem(String persistenceId, long seqNr) {
        for (Map<String, AttributeValue> item : Await.result(local.client()
                        .query(query -> query.tableName(fixture().tableName())
                                .indexName("GetJournalRowsIndex")
                                .keyConditionExpression("#id = :id AND #nr = :nr")
                                .expressionAttributeNames(Map.of("#id", "persistence-id", "#nr", "sequence-nr"))
                                .expressionAttributeValues(Map.of(
                                        ":id", AttributeValue.fromS(persistenceId),
                                        ":nr", AttributeValue.fromN(Long.toString(seqNr))))))
                .items()) {
            Map<String, AttributeValue> key = new HashMap<>(item);
            key.keySet().retainAll(Set.of("pkey", "skey"));
            Await.result(local.client()
                    .deleteItem(
                            delete -> delete.tableName(fixture().tableName()).key(key)));
        }
    }

    private StoreException.Refused refused(String id, List<Event> events) {
        LogWriter writer = LogWriter.recover(fixture().log(), id);
        FaultProxy proxy = fixture().proxy();
        EventBatch batch = writer.next(events);
        StoreException.Refused refused =
                Await.failure(fixture().log(proxy).append(batch, writer.seen()), StoreException.Refused.class);
        assertThat(proxy.requests(RequestMatch.writes())).isEmpty();
        assertThat(refused).hasMessageContaining(id).hasMessageContaining(Long.toString(batch.firstSeqNr()));
        return refused;
    }

    /** Milliseconds: everything else comes back as it was. */
    @Test
    @Override
    public void everyFieldOfAnEventComesBack() {
        String id = TestEvents.freshId();
        Dynamo dynamo = fixture().local().open(RequestListener.NONE);
        Event full = new Event(
                new Payload(-7, "manifest-ü", TestEvents.randomBytes(50)),
                "adapter",
                Set.of("red", "grün", "tag with space"),
                new Payload(Integer.MIN_VALUE, "replicated", TestEvents.randomBytes(9)));
        Event bare = Event.of(new Payload(Integer.MAX_VALUE, "", new byte[0]));
        Event emptyMetadata = new Event(new Payload(0, "", new byte[1]), "", Set.of(), new Payload(0, "", new byte[0]));
        long before = dynamo.nowMicros() / 1000;
        LogWriter writer = LogWriter.recover(fixture().log(dynamo), id).write(List.of(full, bare, emptyMetadata));
        long after = dynamo.nowMicros() / 1000;
        List<StoredEvent> stored = LogReading.all(fixture().log(), id);
        assertThat(LogReading.contents(stored)).containsExactly(full, bare, emptyMetadata);
        assertThat(LogReading.numbers(stored)).containsExactly(1L, 2L, 3L);
        assertThat(stored).allSatisfy(event -> {
            assertThat(event.persistenceId()).isEqualTo(id);
            assertThat(event.writer()).isEqualTo(writer.uuid());
            assertThat(event.timestampMicros() / 1000).isBetween(before, after);
        });
        assertThat(writer.seen()
                        .sameAs(Await.result(fixture().log().head(id, 1)).end()))
                .isTrue();
    }

    /** A transaction takes 100 rows. */
    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100, 101, 1_000})
    @Override
    public void anyNumberOfEventsIsOneAtomicWrite(int count) {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id).write(1);
        if (count > 100) {
            assertThat(refused(id, TestEvents.events(count, 100)))
                    .hasMessageContaining(count + " events")
                    .hasMessageContaining("at most 100 items")
                    .hasMessageContaining("native layout");
            return;
        }
        writer.write(TestEvents.events(count, 100)).write(1);
        List<StoredEvent> stored = LogReading.all(fixture().log(), id);
        assertThat(LogReading.contents(stored)).isEqualTo(writer.written());
        assertThat(stored.subList(1, count + 1).stream()
                        .map(StoredEvent::timestampMicros)
                        .distinct())
                .hasSize(1);
    }

    /** An item has 400 KB. */
    @Test
    @Override
    public void oneLargeEventIsStored() {
        assertThat(refused(TestEvents.freshId(), List.of(TestEvents.event(largeEventSize()))))
                .hasMessageContaining("409600");
        assertThat(refused(TestEvents.freshId(), TestEvents.events(12, 400_000)))
                .hasMessageContaining("4194304");
    }

    /** An item has 400 KB. */
    @ParameterizedTest
    @ValueSource(ints = {900, 1_000, 1_024, 1_100, 4_000, 4_096, 5_000, 399_000, 400_000, 409_000, 409_600, 410_000})
    @Override
    public void eventsAroundTheLimitsOfItemsComeBack(int size) {
        String id = TestEvents.freshId();
        if (size > 409_000) {
            assertThat(refused(id, List.of(TestEvents.event(size)))).hasMessageContaining("409600");
            return;
        }
        LogWriter writer = LogWriter.recover(fixture().log(), id)
                .write(List.of(TestEvents.event(size)))
                .write(List.of(TestEvents.compressible(size), TestEvents.event(10)));
        assertThat(LogReading.contents(LogReading.all(fixture().log(), id)).equals(writer.written()))
                .isTrue();
    }

    /** Holes are taken for rejected events, as the predecessor leaves them. */
    @Test
    @Override
    public void aMissingItemFailsTheReading() {
        aMissingItemFailsTheReadingThatStartsNearIt(1);
    }

    /** Holes are taken for rejected events. */
    @ParameterizedTest
    @ValueSource(longs = {5, 11, 12})
    @Override
    public void aMissingItemFailsTheReadingThatStartsNearIt(long from) {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(20);
        removeItem(id, 12);
        assertThat(LogReading.numbers(LogReading.read(fixture().log(), id, LogReading.everythingFrom(from))))
                .isEqualTo(LongStream.rangeClosed(from, 20)
                        .filter(number -> number != 12)
                        .boxed()
                        .toList());
    }

    /** What is missing at the beginning was deleted. */
    @Test
    @Override
    public void aMissingFirstItemFailsTheReading() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(5);
        removeItem(id, 1);
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(2L, 3L, 4L, 5L);
    }

    /** An item has 400 KB. */
    @Test
    @Override
    public void longLogsAndLargeEventsAreDeleted() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id).writeSingles(40);
        writer.write(List.of(TestEvents.event(400_000))).writeSingles(5);
        Await.result(fixture().log().deleteTo(id, 43));
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(44L, 45L, 46L);
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(46);
    }

    /** Rows are deleted 25 in a request, so a failure in between needs more of them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    @Override
    public void aFailedDeleteLeavesAPrefixDeleted(int writesBeforeTheFailure) {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).write(70).writeSingles(2);
        FaultProxy proxy = fixture().proxy();
        proxy.when(RequestMatch.writes())
                .after(writesBeforeTheFailure)
                .always()
                .answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        Await.failure(fixture().log(proxy).deleteTo(id, 70), StoreException.Refused.class);
        List<Long> left = LogReading.numbers(LogReading.all(fixture().log(), id));
        assertThat(left)
                .isEqualTo(LongStream.rangeClosed(left.get(0), 72).boxed().toList());
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(72);
        Await.result(fixture().log().deleteTo(id, 70));
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(71L, 72L);
    }

    /** A transaction takes 100 rows. */
    @Test
    @Override
    public void theSecondWriterIsRefusedWhateverTheSizes() {
        for (int mine : new int[] {1, 3, 100}) {
            for (int others : new int[] {1, 3, 100}) {
                String id = TestEvents.freshId();
                LogWriter.recover(fixture().log(), id).write(2);
                LogWriter one = LogWriter.recover(fixture().log(), id);
                LogWriter two = LogWriter.recover(fixture().log(), id);
                one.write(others);
                List<StoredEvent> before = LogReading.all(fixture().log(), id);
                StoreException.WriteConflict conflict = Await.failure(
                        two.send(two.next(TestEvents.events(mine, 100))), StoreException.WriteConflict.class);
                assertThat(conflict.otherWriter()).isEqualTo(one.uuid());
                assertThat(LogReading.all(fixture().log(), id)).isEqualTo(before);
            }
        }
    }

    /** An item has 400 KB; 30 events are a transaction. */
    @ParameterizedTest
    @ValueSource(ints = {1, 30})
    @Override
    public void aLostReplyIsNoConflictWithOneself(int count) {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        proxy.when(RequestMatch.writes()).after(1).loseReply();
        LogWriter writer = LogWriter.recover(fixture().log(proxy), id)
                .write(1)
                .write(count)
                .write(1);
        assertThat(LogReading.contents(LogReading.all(fixture().log(), id))).isEqualTo(writer.written());
    }

    /** A transaction takes 100 rows. */
    @Test
    @Override
    public void aHeldWriteIsSeenWholeOrNotAtAll() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        LogWriter writer = LogWriter.recover(fixture().log(proxy), id).write(1);
        Gate gate = proxy.when(RequestMatch.writes().containing(id)).hold();
        CompletableFuture<LogEnd> write =
                writer.send(writer.next(TestEvents.events(100, 1000))).toCompletableFuture();
        gate.awaitArrival();
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(1L);
        gate.release();
        assertThat(Await.result(write).seqNr()).isEqualTo(101);
        assertThat(LogReading.all(fixture().log(), id)).hasSize(101);
    }
}
