package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A second writer never changes history, and a retry of our own write is recognised. */
interface LogWritersTests extends LogTests {

    private void assertRefused(LogWriter late, LogWriter first, String id, EventBatch batch) {
        List<StoredEvent> before = LogReading.all(fixture().log(), id);
        long highest = LogReading.highest(fixture().log(), id);
        StoreException.WriteConflict conflict = Await.failure(late.send(batch), StoreException.WriteConflict.class);
        assertThat(conflict.persistenceId()).isEqualTo(id);
        assertThat(conflict.seqNr()).isEqualTo(batch.firstSeqNr());
        assertThat(conflict.writer()).isEqualTo(late.uuid());
        assertThat(conflict.otherWriter()).isEqualTo(first.uuid());
        assertThat(conflict)
                .hasMessageContaining(id)
                .hasMessageContaining(late.uuid())
                .hasMessageContaining(first.uuid())
                .hasMessageContaining(String.valueOf(batch.firstSeqNr()));
        assertThat(LogReading.all(fixture().log(), id)).isEqualTo(before);
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(highest);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5})
    default void theSecondOfTwoWritersIsRejected(int already) {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(already);
        LogWriter one = LogWriter.recover(fixture().log(), id);
        LogWriter two = LogWriter.recover(fixture().log(), id);
        one.write(1);
        assertRefused(two, one, id, two.next(TestEvents.events(1, 20)));
        one.write(1);
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(already + 2L);
    }

    @Test
    default void theSecondWriterIsRejectedForAnySizes() {
        for (int mine : new int[] {1, 3, writeCount(200)}) {
            for (int others : new int[] {1, 3, writeCount(200)}) {
                String id = TestEvents.freshId();
                LogWriter.recover(fixture().log(), id).write(2);
                LogWriter one = LogWriter.recover(fixture().log(), id);
                LogWriter two = LogWriter.recover(fixture().log(), id);
                one.write(others);
                assertRefused(two, one, id, two.next(TestEvents.events(mine, 100)));
            }
        }
    }

    @Test
    default void aStaleWriterIsRejectedManyWritesLater() {
        String id = TestEvents.freshId();
        LogWriter stale = LogWriter.recover(fixture().log(), id).write(2);
        LogWriter first = LogWriter.recover(fixture().log(), id).write(1);
        LogWriter.recover(fixture().log(), id).write(3).write(1);
        assertRefused(stale, first, id, stale.next(TestEvents.events(2, 20)));
    }

    @Test
    default void aSecondWriterIsRejectedAfterADeleteOfAllEvents() {
        String id = TestEvents.freshId();
        LogWriter one = LogWriter.recover(fixture().log(), id).write(2);
        LogWriter two = LogWriter.recover(fixture().log(), id);
        one.write(1);
        Await.result(fixture().log().deleteTo(id, Long.MAX_VALUE));
        assertRefused(two, one, id, two.next(TestEvents.events(1, 20)));
        one.write(1);
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(4L);
    }

    @Test
    default void aSecondWriterIsRejectedAfterItsOwnEventWasRejected() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).write(2);
        LogWriter one = LogWriter.recover(fixture().log(), id);
        LogWriter two = LogWriter.recover(fixture().log(), id);
        one.write(1);
        // Its event 3 was rejected, so it continues with 4, which is not used yet.
        assertRefused(two, one, id, EventBatch.of(id, two.uuid(), 4, TestEvents.events(1, 20)));
    }

    @Test
    default void aSecondWriterIsRejectedAfterTheOthersEventWasRejected() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).write(2);
        LogWriter one = LogWriter.recover(fixture().log(), id);
        LogWriter two = LogWriter.recover(fixture().log(), id);
        one.writeAt(4, TestEvents.events(1, 20));
        assertRefused(two, one, id, two.next(TestEvents.events(1, 20)));
        assertRefused(two, one, id, EventBatch.of(id, two.uuid(), 4, TestEvents.events(1, 20)));
        assertRefused(two, one, id, EventBatch.of(id, two.uuid(), 5, TestEvents.events(1, 20)));
    }

    @Test
    default void aUsedSequenceNumberIsRejectedWithoutAView() {
        String id = TestEvents.freshId();
        LogWriter one = LogWriter.recover(fixture().log(), id).write(5);
        EventBatch batch = EventBatch.of(id, TestEvents.freshWriter(), 3, TestEvents.events(1, 20));
        StoreException.WriteConflict conflict =
                Await.failure(fixture().log().append(batch, null), StoreException.WriteConflict.class);
        assertThat(conflict.otherWriter()).isEqualTo(one.uuid());
        assertThat(LogReading.contents(LogReading.all(fixture().log(), id))).isEqualTo(one.written());
    }

    @Test
    default void anOldViewIsCheckedBeforeItIsUsed() {
        String id = TestEvents.freshId();
        LogWriter one = LogWriter.recover(fixture().log(), id).write(2);
        LogEnd seen = one.seen();
        LogEnd old = new LogEnd(seen.seqNr(), seen.timestampMicros(), seen.writer(), 0);
        EventBatch next = one.next(TestEvents.events(1, 20));
        assertThat(Await.result(fixture().log().append(next, old)).seqNr()).isEqualTo(3);
        EventBatch later = EventBatch.of(id, TestEvents.freshWriter(), 4, TestEvents.events(1, 20));
        Await.failure(fixture().log().append(later, old), StoreException.WriteConflict.class);
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(3);
    }

    /** A delete may have removed the items that would stop it. */
    @Test
    default void anOldViewFromBeforeADeleteIsRejected() {
        String id = TestEvents.freshId();
        LogWriter stale = LogWriter.recover(fixture().log(), id).write(2);
        LogEnd seen = stale.seen();
        LogEnd old = new LogEnd(seen.seqNr(), seen.timestampMicros(), seen.writer(), 0);
        LogWriter.recover(fixture().log(), id).writeSingles(3);
        Await.result(fixture().log().deleteTo(id, 4));
        EventBatch batch = EventBatch.of(id, stale.uuid(), 3, TestEvents.events(1, 20));
        Await.failure(fixture().log().append(batch, old), StoreException.WriteConflict.class);
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(5L);
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(5);
    }

    /** Without a view, skipped sequence numbers may be those of rejected events, or of a writer that was not seen. */
    @Test
    default void onlyTheLastWriterMaySkipSequenceNumbers() {
        String id = TestEvents.freshId();
        LogWriter last = LogWriter.recover(fixture().log(), id).write(5);
        EventBatch others = EventBatch.of(id, TestEvents.freshWriter(), 8, TestEvents.events(1, 20));
        StoreException.WriteConflict conflict =
                Await.failure(fixture().log().append(others, null), StoreException.WriteConflict.class);
        assertThat(conflict.otherWriter()).isEqualTo(last.uuid());
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(5);
        EventBatch own = EventBatch.of(id, last.uuid(), 8, TestEvents.events(1, 20));
        assertThat(Await.result(fixture().log().append(own, null)).seqNr()).isEqualTo(8);
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(1L, 2L, 3L, 4L, 5L, 8L);
    }

    @Test
    default void exactlyOneOfManyConcurrentWritersSucceeds() {
        String id = TestEvents.freshId();
        List<LogWriter> writers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            writers.add(LogWriter.recover(fixture().log(), id));
        }
        List<CompletionStage<Object>> outcomes = writers.stream()
                .map(writer -> writer.send(writer.next(TestEvents.events(3, 20)))
                        .<Object>handle((end, failure) -> failure == null ? writer.uuid() : failure))
                .toList();
        List<Object> results = outcomes.stream().map(Await::result).toList();
        List<Object> winners = results.stream().filter(String.class::isInstance).toList();
        assertThat(winners).hasSize(1);
        assertThat(LogReading.all(fixture().log(), id))
                .hasSize(3)
                .allSatisfy(event -> assertThat(event.writer()).isEqualTo(winners.get(0)));
    }

    /** Sizes of one item, and of several where a layout splits a write. */
    @ParameterizedTest
    @ValueSource(ints = {20, 500_000})
    default void aLostReplyIsNoConflict(int size) {
        int fitting = eventSize(size);
        assertLostRepliesHaveNoEffect(List.of(TestEvents.event(fitting)));
        assertLostRepliesHaveNoEffect(List.of(TestEvents.event(fitting), TestEvents.event(9)));
        // Many events of one item each, in total more than a transaction stores where the layout allows it.
        int most = capabilities().atMost(Capability.ANY_SUM, Integer.MAX_VALUE) / fitting;
        assertLostRepliesHaveNoEffect(TestEvents.events(Math.min(size < 1_000 ? 30 : 12, most), fitting));
    }

    /** Loses the reply of each request of a write between two others; of many requests the first, a middle and the last one. */
    private void assertLostRepliesHaveNoEffect(List<Event> events) {
        int before = fixture().writeRequests(writer -> writer.write(1));
        int all = fixture().writeRequests(writer -> writer.write(1).write(events));
        int needed = all - before;
        for (int lost : IntStream.of(0, needed / 2, needed - 1).distinct().toArray()) {
            FaultProxy proxy = fixture().proxy();
            LogWriter writer = LogWriter.recover(fixture().log(proxy), TestEvents.freshId())
                    .write(1);
            proxy.when(RequestMatch.writes()).after(lost).loseReply();
            writer.write(events).write(1);
            List<StoredEvent> stored = LogReading.all(fixture().log(), writer.persistenceId());
            assertThat(LogReading.numbers(stored))
                    .isEqualTo(LongStream.rangeClosed(1, events.size() + 2L)
                            .boxed()
                            .toList());
            assertThat(LogReading.contents(stored).equals(writer.written())).isTrue();
        }
    }

    @Test
    default void aLostReplyCostsOneMoreRequest() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        LogWriter writer = LogWriter.recover(fixture().log(proxy), id);
        proxy.when(RequestMatch.writes()).loseReply();
        writer.write(1);
        assertThat(proxy.requests(RequestMatch.writes())).hasSize(fixture().writeRequests(one -> one.write(1)) + 1);
        assertThat(LogReading.contents(LogReading.all(fixture().log(), id))).isEqualTo(writer.written());
    }

    @Test
    default void aLostRequestIsSentAgain() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        LogWriter writer = LogWriter.recover(fixture().log(proxy), id);
        proxy.when(RequestMatch.writes()).times(2).loseRequest();
        writer.write(3);
        assertThat(proxy.requests(RequestMatch.writes())).hasSize(fixture().writeRequests(one -> one.write(3)) + 2);
        assertThat(LogReading.contents(LogReading.all(fixture().log(), id))).isEqualTo(writer.written());
    }

    @Test
    default void aRequestThatArrivesAfterItsRetryChangesNothing() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        LogWriter writer = LogWriter.recover(fixture().log(proxy), id);
        HeldRequest late = proxy.when(RequestMatch.writes()).deliverLate();
        writer.write(2).write(1);
        List<StoredEvent> before = LogReading.all(fixture().log(), id);
        late.release();
        late.awaitDelivery();
        assertThat(LogReading.all(fixture().log(), id)).isEqualTo(before);
        assertThat(LogReading.contents(before)).isEqualTo(writer.written());
    }

    @Test
    default void aLateWriteThatItsWriterGaveUpIsRejected() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        LogWriter lost = LogWriter.recover(fixture().log(proxy, LogFixture.IMPATIENT), id);
        HeldRequest late = proxy.when(RequestMatch.writes()).deliverLate();
        proxy.when(RequestMatch.writes()).always().loseRequest();
        Await.failure(lost.send(lost.next(TestEvents.events(2, 20))), StoreException.Unavailable.class);
        LogWriter next = LogWriter.recover(fixture().log(), id).write(1);
        late.release();
        late.awaitDelivery();
        assertThat(LogReading.contents(LogReading.all(fixture().log(), id))).isEqualTo(next.written());
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    default void aLateWriteStopsTheWriterThatDidNotSeeIt(int size) {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        LogWriter lost = LogWriter.recover(fixture().log(proxy, LogFixture.IMPATIENT), id);
        HeldRequest late = proxy.when(RequestMatch.writes()).deliverLate();
        proxy.when(RequestMatch.writes()).always().loseRequest();
        EventBatch batch = lost.next(TestEvents.events(size, 20));
        Await.failure(lost.send(batch), StoreException.Unavailable.class);
        LogWriter next = LogWriter.recover(fixture().log(), id);
        late.release();
        late.awaitDelivery();
        assertRefused(next, lost, id, next.next(TestEvents.events(1, 20)));
        // If the write takes several requests, only its first ones arrived, and it stays invisible.
        boolean whole = size == 1 || can(Capability.ONE_REQUEST_PER_WRITE);
        assertThat(LogReading.contents(LogReading.all(fixture().log(), id)))
                .isEqualTo(whole ? batch.writes().get(0) : List.of());
        LogWriter after = LogWriter.recover(fixture().log(), id).write(2);
        assertThat(LogReading.contents(LogReading.all(fixture().log(), id)))
                .endsWith(after.written().toArray(Event[]::new));
    }

    @Test
    default void aHeldWriteIsVisibleAsAWholeOrNotAtAll() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        EventLog reader = fixture().log();
        LogWriter writer = LogWriter.recover(fixture().log(proxy), id).write(1);
        HeldRequest held = proxy.when(RequestMatch.writes().containing(id)).hold();
        int count = writeCount(500);
        CompletableFuture<LogEnd> write =
                writer.send(writer.next(TestEvents.events(count, 1000))).toCompletableFuture();
        held.awaitArrival();
        assertThat(LogReading.numbers(LogReading.all(reader, id))).containsExactly(1L);
        held.release();
        assertThat(Await.result(write).seqNr()).isEqualTo(count + 1L);
        assertThat(LogReading.all(reader, id)).hasSize(count + 1);
    }
}
