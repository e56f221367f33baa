package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deleted events are not returned, all others are, and the highest sequence number stays. */
interface LogDeleteTests extends LogTests {

    private static List<Long> numbers(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    /** Checks that the log has exactly these events, whichever sequence number a read starts with. */
    private void assertHolds(String id, long first, long last) {
        EventLog log = fixture().log();
        assertThat(LogReading.numbers(LogReading.all(log, id))).isEqualTo(numbers(first, last));
        // Deleted events are no gap.
        assertThat(LogReading.numbers(LogReading.all(logWithFatalGaps(), id))).isEqualTo(numbers(first, last));
        for (long from = 1; from <= last + 1; from += 3) {
            assertThat(LogReading.numbers(LogReading.read(log, id, LogReading.everythingFrom(from))))
                    .as("from %d", from)
                    .isEqualTo(numbers(Math.max(first, from), last));
        }
        assertThat(LogReading.highest(log, id)).isEqualTo(last);
        assertThat(Await.result(log.head(id, first)).end().seqNr()).isEqualTo(last);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    default void anyEventMayBeTheLastDeletedOne(long to) {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).write(1).write(4).write(1).write(3);
        Await.result(fixture().log().deleteTo(id, to));
        assertHolds(id, to + 1, 9);
    }

    @Test
    default void deletesMayRepeatAndOverlap() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(4).write(10).writeSingles(6);
        for (long to : new long[] {10, 5, 10, 12, 3, 14, 1, 17}) {
            Await.result(fixture().log().deleteTo(id, to));
        }
        assertHolds(id, 18, 20);
    }

    @Test
    default void aDeleteInsideAWriteIsNeverUndone() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).write(10);
        for (long to : new long[] {3, 7, 2, 7}) {
            Await.result(fixture().log().deleteTo(id, to));
        }
        assertHolds(id, 8, 10);
    }

    @Test
    default void aDeleteBeyondTheEndKeepsTheHighestSequenceNumber() {
        String id = TestEvents.freshId();
        LogWriter writer =
                LogWriter.recover(fixture().log(), id).writeSingles(3).write(4);
        Await.result(fixture().log().deleteTo(id, Long.MAX_VALUE));
        assertHolds(id, 8, 7);
        // The writer itself can continue, and so can a later one.
        writer.write(2);
        assertHolds(id, 8, 9);
        LogWriter.recover(fixture().log(), id).write(1);
        assertHolds(id, 8, 10);
    }

    @Test
    default void allEventsMayBeDeletedRepeatedly() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id);
        for (int i = 1; i <= 4; i++) {
            writer.write(2).write(1);
            Await.result(fixture().log().deleteTo(id, Long.MAX_VALUE));
            assertHolds(id, 3L * i + 1, 3L * i);
        }
    }

    @Test
    default void aDeleteOfAnUnknownIdDoesNothing() {
        String id = TestEvents.freshId();
        Await.result(fixture().log().deleteTo(id, 5));
        Await.result(fixture().log().deleteTo(id, Long.MAX_VALUE));
        assertThat(LogReading.highest(fixture().log(), id)).isZero();
        LogWriter.recover(fixture().log(), id).write(2);
        assertHolds(id, 1, 2);
    }

    @Test
    default void longLogsAndLargeEventsAreDeleted() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id).writeSingles(40);
        writer.write(List.of(TestEvents.event(eventSize(700_000)))).writeSingles(5);
        Await.result(fixture().log().deleteTo(id, 43));
        assertHolds(id, 44, 46);
        int many = writeCount(300);
        writer.write(TestEvents.events(8, 300_000)).write(many);
        Await.result(fixture().log().deleteTo(id, 51 + many));
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).isEqualTo(numbers(52L + many, 54L + many));
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(54L + many);
    }

    @Test
    default void skippedSequenceNumbersAreDeletedLikeOthers() {
        for (long to = 1; to <= 7; to++) {
            String id = TestEvents.freshId();
            LogWriter.recover(fixture().log(), id)
                    .write(2)
                    .writeAt(5, TestEvents.events(2, 20))
                    .write(1);
            Await.result(fixture().log().deleteTo(id, to));
            long deletedTo = to;
            assertThat(LogReading.numbers(LogReading.all(fixture().log(), id)))
                    .as("deleted to %d", to)
                    .isEqualTo(LongStream.of(1, 2, 5, 6, 7)
                            .filter(n -> n > deletedTo)
                            .boxed()
                            .toList());
            assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(7);
        }
    }

    @Test
    default void boundsApplyToTheRemainingEvents() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).write(4).write(4).write(4);
        Await.result(fixture().log().deleteTo(id, 6));
        List<StoredEvent> events = LogReading.read(fixture().log(), id, SeqRange.wholeWrites(1, Long.MAX_VALUE, 3));
        assertThat(LogReading.numbers(events)).containsExactly(7L, 8L);
        assertThat(LogReading.numbers(LogReading.read(fixture().log(), id, SeqRange.wholeWrites(1, 6, Long.MAX_VALUE))))
                .isEmpty();
    }
}
