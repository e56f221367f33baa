package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventCleanup;
import io.dynajournal.internal.store.EventJournal;
import io.dynajournal.internal.store.EventLog;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clean-ups leave what an entity can recover from, can be repeated, and reset sequence numbers on request only. */
interface LogCleanupTests extends LogTests {

    private EventCleanup cleanup(EventLog log) {
        return new EventCleanup(fixture().journal(), log);
    }

    private List<Long> numbers(String id) {
        return LogReading.numbers(LogReading.all(logWithFatalGaps(), id));
    }

    @Test
    default void aCleanupKeepsTheSequenceNumberUnlessToldOtherwise() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(3).write(4);
        EventCleanup cleanup = cleanup(fixture().log());
        Await.result(cleanup.deleteEventsTo(id, 2));
        assertThat(numbers(id)).containsExactly(3L, 4L, 5L, 6L, 7L);
        // Repeated, before what is deleted already, and beyond the end: creates no items.
        Await.result(cleanup.deleteEventsTo(id, 1));
        Await.result(cleanup.deleteAllEvents(id, false));
        Await.result(cleanup.deleteEventsTo(id, 5));
        Await.result(cleanup.deleteEventsTo(id, 100));
        assertThat(numbers(id)).isEmpty();
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(7);
        LogWriter.recover(fixture().log(), id).write(1);
        assertThat(numbers(id)).containsExactly(8L);
    }

    /** Of one writer, of several, with a rejected event, large writes and earlier deletes. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    default void aResetLogStartsAtOneAgain(int deletes) {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(3).write(4).writeAt(9, TestEvents.events(1, 20));
        LogWriter.recover(fixture().log(), id)
                .write(List.of(TestEvents.event(9_000)))
                .write(30);
        for (int i = 0; i < deletes; i++) {
            Await.result(fixture().log().deleteTo(id, i == 2 ? Long.MAX_VALUE : 4 + 2 * i));
        }
        EventCleanup cleanup = cleanup(fixture().log());
        Await.result(cleanup.deleteAllEvents(id, true));
        assertThat(LogReading.highest(fixture().log(), id)).isZero();
        assertThat(numbers(id)).isEmpty();
        Await.result(cleanup.deleteAllEvents(id, true));
        LogWriter.recover(fixture().log(), id).write(2).writeSingles(3).write(40);
        long last = 45;
        assertThat(numbers(id))
                .isEqualTo(LongStream.rangeClosed(1, last).boxed().toList());
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(last);
    }

    @Test
    default void aResetOfAnUnknownIdDoesNothing() {
        String id = TestEvents.freshId();
        Await.result(cleanup(fixture().log()).deleteAllEvents(id, true));
        LogWriter.recover(fixture().log(), id).write(2);
        assertThat(numbers(id)).containsExactly(1L, 2L);
    }

    /** Whichever request is the last that arrives, a recovery succeeds, shows no event twice, and a second run completes it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    default void anInterruptedResetIsCompletedByTheNext(int writesBeforeTheFailure) {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(3).write(30);
        FaultProxy proxy = fixture().proxy();
        proxy.when(RequestMatch.writes())
                .after(writesBeforeTheFailure)
                .always()
                .answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        boolean completed = Await.result(fixture().log(proxy).reset(id).handle((reset, failure) -> failure == null));
        proxy.clear();
        List<StoredEvent> left = LogReading.allAgain(fixture().log(), id);
        if (!left.isEmpty()) {
            assertThat(left.get(left.size() - 1).seqNr()).isEqualTo(33);
        }
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(completed ? 0 : 33);
        Await.result(fixture().log().reset(id));
        assertThat(LogReading.highest(fixture().log(), id)).isZero();
        assertThat(numbers(id)).isEmpty();
    }

    @Test
    default void eventsBeforeATimeAreDeleted() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id).write(1);
        List<StoredEvent> events = LogReading.all(fixture().log(), id);
        long first = events.get(0).timestampMicros();
        EventCleanup cleanup = cleanup(fixture().log());
        if (first == 0) {
            assertThat(Await.failure(cleanup.deleteEventsBefore(id, 1), UnsupportedOperationException.class))
                    .hasMessageContaining(id)
                    .hasMessageContaining("commits");
            return;
        }
        // Some layouts store milliseconds.
        while (events.get(events.size() - 1).timestampMicros() == first) {
            writer.write(1);
            events = LogReading.all(fixture().log(), id);
        }
        long last = events.size();
        Await.result(cleanup.deleteEventsBefore(id, first));
        assertThat(numbers(id)).hasSize(events.size());
        Await.result(
                cleanup.deleteEventsBefore(id, events.get(events.size() - 1).timestampMicros()));
        assertThat(numbers(id)).containsExactly(last);
        Await.result(cleanup.deleteEventsBefore(id, Long.MAX_VALUE));
        assertThat(numbers(id)).isEmpty();
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(last);
    }

    /** What keeps the sequence number is safe while the entity is alive. */
    @Test
    default void aLivingEntityGoesOnAfterACleanup() {
        String id = TestEvents.freshId();
        EventJournal journal = fixture().journal();
        Object entity = new Object();
        Await.result(journal.highestSeqNr(id, 1, entity));
        String writer = TestEvents.freshWriter();
        for (long seqNr = 1; seqNr <= 5; seqNr++) {
            Await.result(journal.append(EventBatch.of(id, writer, seqNr, TestEvents.events(1, 20)), entity));
        }
        Await.result(cleanup(fixture().log()).deleteAllEvents(id, false));
        Await.result(journal.append(EventBatch.of(id, writer, 6, TestEvents.events(1, 20)), entity));
        assertThat(numbers(id)).containsExactly(6L);
    }

    /** A reset through the same journal, so by the same actor system: the entity has to recover. */
    @Test
    default void aLivingEntityIsStoppedByAReset() {
        String id = TestEvents.freshId();
        EventJournal journal = fixture().journal();
        Object entity = new Object();
        Await.result(journal.highestSeqNr(id, 1, entity));
        String writer = TestEvents.freshWriter();
        Await.result(journal.append(EventBatch.of(id, writer, 1, TestEvents.events(3, 20)), entity));
        Await.result(new EventCleanup(journal, fixture().log()).deleteAllEvents(id, true));
        Await.failure(
                journal.append(EventBatch.of(id, writer, 4, TestEvents.events(1, 20)), entity),
                StoreException.WriteConflict.class);
        assertThat(Await.result(journal.highestSeqNr(id, 1, entity))).isZero();
        Await.result(journal.append(EventBatch.of(id, TestEvents.freshWriter(), 1, TestEvents.events(1, 20)), entity));
        assertThat(numbers(id)).containsExactly(1L);
    }

    /** Each request of a recovery is held while the log is reset: what it saw before is not what it continues. */
    @Test
    default void aRecoveryThatAResetOvertakesDoesNotContinueTheOldLog() {
        FaultProxy quiet = fixture().proxy();
        Await.result(fixture().journal(quiet).highestSeqNr(threeEvents(), 1, this));
        int reads = quiet.requests(RequestMatch.reads()).size();
        Set<Long> seen = new HashSet<>();
        for (int held = 0; held < reads; held++) {
            String id = threeEvents();
            FaultProxy proxy = fixture().proxy();
            EventJournal journal = fixture().journal(proxy);
            HeldRequest reply = proxy.when(RequestMatch.reads()).after(held).holdReply();
            CompletableFuture<Long> recovery = journal.highestSeqNr(id, 1, this).toCompletableFuture();
            reply.awaitArrival();
            Await.result(journal.reset(id));
            reply.release();
            long end = Await.result(recovery);
            seen.add(end);
            EventBatch next = EventBatch.of(id, TestEvents.freshWriter(), end + 1, TestEvents.events(1, 20));
            if (end == 0) {
                Await.result(journal.append(next, this));
            } else {
                Await.failure(journal.append(next, this), StoreException.WriteConflict.class);
            }
            assertThat(numbers(id)).isEqualTo(end == 0 ? List.of(1L) : List.of());
        }
        assertThat(seen).contains(3L);
    }

    private String threeEvents() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(3);
        return id;
    }

    /** The retry of its request was answered; the first attempt arrives when the log has begun anew. */
    @Test
    default void aLateDeleteRemovesNothingThatWasWrittenAfterAReset() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(4);
        FaultProxy proxy = fixture().proxy();
        HeldRequest late = proxy.when(RequestMatch.writes()).deliverLate();
        Await.result(fixture().log(proxy).deleteTo(id, 3));
        Await.result(fixture().log().reset(id));
        LogWriter again = LogWriter.recover(fixture().log(), id).writeSingles(5);
        late.release();
        late.awaitDelivery();
        int from = can(Capability.LATE_DELETES) ? 1 : 4;
        assertThat(LogReading.contents(LogReading.read(fixture().log(), id, LogReading.everythingFrom(from))))
                .isEqualTo(again.written().subList(from - 1, 5));
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id)).contains(1L))
                .isEqualTo(can(Capability.LATE_DELETES));
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(5);
    }
}
