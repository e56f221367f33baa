package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A writer that another has overtaken is rejected, also where the other's events are deleted. */
interface LogStaleWriterTests extends LogTests {

    /** Tries writes of several sizes; they begin where the writer saw the log end, and some reach beyond it. */
    private void assertCannotWrite(LogWriter stale) {
        String id = stale.persistenceId();
        EventLog log = fixture().log();
        List<StoredEvent> before = LogReading.all(log, id);
        long highest = LogReading.highest(log, id);
        long next = stale.seen().seqNr() + 1;
        for (int size : new int[] {1, 2, 3, 6, 11, 30}) {
            assertRejected(stale, EventBatch.of(id, stale.uuid(), next, TestEvents.events(size, 20)));
        }
        // Its first event was rejected, so it continues with the next sequence number.
        assertRejected(stale, EventBatch.of(id, stale.uuid(), next + 1, TestEvents.events(1, 20)));
        assertRejected(stale, EventBatch.of(id, stale.uuid(), next + 3, TestEvents.events(4, 20)));
        assertThat(LogReading.all(log, id)).isEqualTo(before);
        assertThat(LogReading.highest(log, id)).isEqualTo(highest);
    }

    private static void assertRejected(LogWriter stale, EventBatch batch) {
        StoreException.WriteConflict conflict = Await.failure(stale.send(batch), StoreException.WriteConflict.class);
        assertThat(conflict.writer()).isEqualTo(stale.uuid());
        assertThat(conflict.seqNr()).isEqualTo(batch.firstSeqNr());
    }

    /** The other has written 4 to 8 and deleted up to here; then it writes 9 to 11. */
    @ParameterizedTest
    @ValueSource(longs = {2, 4, 5, 6, 7, 8})
    default void aStaleWriterIsRejectedAfterADelete(long to) {
        String id = TestEvents.freshId();
        LogWriter stale = LogWriter.recover(fixture().log(), id).write(3);
        LogWriter other = LogWriter.recover(fixture().log(), id).writeSingles(5);
        Await.result(fixture().log().deleteTo(id, to));
        assertCannotWrite(stale);
        other.writeSingles(3);
        assertCannotWrite(stale);
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id)))
                .isEqualTo(LongStream.rangeClosed(to + 1, 11).boxed().toList());
        other.write(2);
    }

    @Test
    default void aStaleWriterIsRejectedAfterADeleteOfAtomicWrites() {
        String id = TestEvents.freshId();
        LogWriter stale = LogWriter.recover(fixture().log(), id).write(3);
        LogWriter other = LogWriter.recover(fixture().log(), id).write(4).write(5);
        for (long to : new long[] {5, 7, 9, 12}) {
            Await.result(fixture().log().deleteTo(id, to));
            assertCannotWrite(stale);
        }
        other.write(6).writeSingles(2);
        assertCannotWrite(stale);
    }

    /** It recovered, and then the writer before it went on as if nothing had happened: nothing shows where it recovered. */
    @Test
    default void aWriterThatTheOneBeforeItOutlivedIsRejectedAfterADelete() {
        String id = TestEvents.freshId();
        LogWriter first = LogWriter.recover(fixture().log(), id).writeSingles(3);
        LogWriter outlived = LogWriter.recover(fixture().log(), id);
        first.writeSingles(5);
        Await.result(fixture().log().deleteTo(id, 6));
        if (can(Capability.OUTLIVED_WRITERS)) {
            assertCannotWrite(outlived);
        } else {
            outlived.writeSingles(2);
            // 6 is kept by some formats, 7 is not deleted.
            assertRejected(outlived, outlived.next(TestEvents.events(2, 20)));
        }
        first.write(1);
        assertThat(LogReading.numbers(LogReading.read(fixture().log(), id, LogReading.everythingFrom(7))))
                .containsExactly(7L, 8L, 9L);
    }

    /** Retention deletes again and again. */
    @Test
    default void aStaleWriterIsRejectedAfterManyDeletes() {
        String id = TestEvents.freshId();
        LogWriter stale = LogWriter.recover(fixture().log(), id);
        LogWriter other = LogWriter.recover(fixture().log(), id);
        for (int i = 1; i <= 4; i++) {
            other.writeSingles(3);
            Await.result(fixture().log().deleteTo(id, 3L * i - i % 2));
            assertCannotWrite(stale);
        }
    }

    @Test
    default void everyOneOfSeveralStaleWritersIsRejectedAfterADelete() {
        String id = TestEvents.freshId();
        LogWriter first = LogWriter.recover(fixture().log(), id);
        LogWriter second = LogWriter.recover(fixture().log(), id).writeSingles(2);
        LogWriter third = LogWriter.recover(fixture().log(), id).writeSingles(3);
        LogWriter fourth = LogWriter.recover(fixture().log(), id).writeAt(8, TestEvents.events(2, 20));
        LogWriter last = LogWriter.recover(fixture().log(), id).writeSingles(2);
        for (long to : new long[] {10, 11}) {
            Await.result(fixture().log().deleteTo(id, to));
            for (LogWriter stale : List.of(first, second, third, fourth)) {
                assertCannotWrite(stale);
            }
        }
        last.writeSingles(2);
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(12L, 13L);
    }

    /** Its writer gave up; the request arrives when its sequence numbers are deleted. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    default void aLateWriteChangesNothingAfterADelete(int size) {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).write(2);
        FaultProxy proxy = fixture().proxy();
        LogWriter lost = LogWriter.recover(fixture().log(proxy, LogFixture.IMPATIENT), id);
        HeldRequest late = proxy.when(RequestMatch.writes()).deliverLate();
        proxy.when(RequestMatch.writes()).always().loseRequest();
        Await.failure(lost.send(lost.next(TestEvents.events(size, 20))), StoreException.Unavailable.class);
        LogWriter.recover(fixture().log(), id).writeSingles(6);
        Await.result(fixture().log().deleteTo(id, 7));
        List<StoredEvent> before = LogReading.all(fixture().log(), id);
        assertThat(LogReading.numbers(before)).containsExactly(8L);
        late.release();
        late.awaitDelivery();
        assertThat(LogReading.all(fixture().log(), id)).isEqualTo(before);
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(8);
    }

    /** A retry was acknowledged; the first attempt arrives when the events are deleted. */
    @Test
    default void aLateCopyOfAStoredWriteChangesNothingAfterADelete() {
        FaultProxy proxy = fixture().proxy();
        LogWriter writer =
                LogWriter.recover(fixture().log(proxy), TestEvents.freshId()).writeSingles(2);
        String id = writer.persistenceId();
        HeldRequest late = proxy.when(RequestMatch.writes()).deliverLate();
        writer.writeSingles(4);
        Await.result(fixture().log().deleteTo(id, 3));
        Await.result(fixture().log().deleteTo(id, 4));
        List<StoredEvent> before = LogReading.all(fixture().log(), id);
        assertThat(LogReading.numbers(before)).containsExactly(5L, 6L);
        late.release();
        late.awaitDelivery();
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id)))
                .isEqualTo(can(Capability.LATE_COPIES) ? List.of(5L, 6L) : List.of(3L, 5L, 6L));
        assertThat(LogReading.read(fixture().log(), id, LogReading.everythingFrom(5)))
                .isEqualTo(before);
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(6);
        writer.write(1);
    }
}
