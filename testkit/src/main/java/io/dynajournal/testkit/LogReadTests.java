package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.LogHead;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A read returns the events of its range in order and completely, or fails. */
interface LogReadTests extends LogTests {

    /** Writes of 3, 1, and 5 events, then a batch of two writes with 2 events each: 13 in total. */
    private String sample() {
        String id = TestEvents.freshId();
        LogWriter writer =
                LogWriter.recover(fixture().log(), id).write(3).write(1).write(5);
        writer.write(
                new EventBatch(id, writer.uuid(), 10, List.of(TestEvents.events(2, 20), TestEvents.events(2, 20))));
        return id;
    }

    private static List<Long> numbers(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    @Test
    default void aReadMayStartInsideAWrite() {
        String id = sample();
        for (long from = 1; from <= 14; from++) {
            List<StoredEvent> events = LogReading.read(fixture().log(), id, LogReading.everythingFrom(from));
            assertThat(LogReading.numbers(events)).as("from %d", from).isEqualTo(numbers(from, 13));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 0",
        "1, 2, 0",
        "1, 3, 3",
        "1, 4, 4",
        "1, 8, 4",
        "1, 9, 9",
        "1, 10, 9",
        "1, 11, 11",
        "1, 12, 11",
        "1, 13, 13",
        "1, 99, 13",
        "2, 3, 3",
        "5, 8, 4",
        "6, 8, 5",
        "6, 9, 9",
        "12, 12, 11"
    })
    default void anUpperBoundNeverCutsAWrite(long from, long to, long last) {
        String id = sample();
        List<StoredEvent> events = LogReading.read(fixture().log(), id, SeqRange.wholeWrites(from, to, Long.MAX_VALUE));
        assertThat(LogReading.numbers(events)).isEqualTo(numbers(from, last));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 0",
        "1, 2, 0",
        "1, 3, 3",
        "1, 4, 4",
        "1, 8, 4",
        "1, 9, 9",
        "1, 11, 11",
        "1, 12, 11",
        "1, 13, 13",
        "1, 99, 13",
        "2, 1, 1",
        "2, 2, 3",
        "2, 3, 4",
        "2, 7, 4",
        "2, 8, 9",
        "6, 4, 9"
    })
    default void aMaximumNeverCutsAWrite(long from, long max, long last) {
        String id = sample();
        List<StoredEvent> events =
                LogReading.read(fixture().log(), id, SeqRange.wholeWrites(from, Long.MAX_VALUE, max));
        assertThat(LogReading.numbers(events)).isEqualTo(numbers(from, last));
    }

    @Test
    default void singleEventsAreCutAnywhere() {
        String id = sample();
        EventLog log = fixture().log();
        for (long bound = 1; bound <= 14; bound++) {
            List<Long> expected = numbers(1, Math.min(13, bound));
            assertThat(LogReading.numbers(LogReading.read(log, id, SeqRange.singleEvents(1, bound, Long.MAX_VALUE))))
                    .isEqualTo(expected);
            assertThat(LogReading.numbers(LogReading.read(log, id, SeqRange.singleEvents(1, Long.MAX_VALUE, bound))))
                    .isEqualTo(expected);
        }
        assertThat(LogReading.numbers(LogReading.read(log, id, SeqRange.singleEvents(7, 12, 3))))
                .containsExactly(7L, 8L, 9L);
    }

    @Test
    default void aCutReadDiffersFromTheEndOfTheLog() {
        String id = sample();
        EventPage cutByNumber = last(id, SeqRange.wholeWrites(1, 8, Long.MAX_VALUE));
        EventPage cutByCount = last(id, SeqRange.wholeWrites(1, Long.MAX_VALUE, 8));
        EventPage whole = last(id, LogReading.everythingFrom(1));
        assertThat(cutByNumber.cut()).isTrue();
        assertThat(cutByCount.cut()).isTrue();
        assertThat(whole.cut()).isFalse();
        assertThat(whole.coveredTo()).isEqualTo(13);
    }

    private EventPage last(String id, SeqRange range) {
        List<EventPage> pages = LogReading.pages(fixture().log(), id, range, null);
        return pages.get(pages.size() - 1);
    }

    @Test
    default void aLogOfMoreThanAMegabyteIsReadInPages() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id);
        for (int i = 0; i < 15; i++) {
            writer.write(List.of(TestEvents.event(100_000), TestEvents.event(10)));
        }
        List<EventPage> pages = LogReading.pages(fixture().log(), id, LogReading.everythingFrom(1), null);
        assertThat(pages).hasSizeGreaterThan(1);
        List<StoredEvent> events =
                pages.stream().flatMap(page -> page.events().stream()).toList();
        assertThat(LogReading.numbers(events)).isEqualTo(numbers(1, 30));
        assertThat(LogReading.contents(events).equals(writer.written())).isTrue();
        assertThat(LogReading.numbers(
                        LogReading.read(fixture().log(), id, SeqRange.wholeWrites(4, 29, Long.MAX_VALUE))))
                .isEqualTo(numbers(4, 28));
    }

    @Test
    default void aLogOfManyWritesIsReadInOrder() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id).writeSingles(60);
        List<StoredEvent> events = LogReading.all(fixture().log(), id);
        assertThat(LogReading.contents(events)).isEqualTo(writer.written());
        for (long from : new long[] {2, 3, 4, 30, 59, 60, 61}) {
            assertThat(LogReading.numbers(LogReading.read(fixture().log(), id, LogReading.everythingFrom(from))))
                    .as("from %d", from)
                    .isEqualTo(numbers(from, 60));
        }
        assertThat(LogReading.numbers(LogReading.read(fixture().log(), id, SeqRange.wholeWrites(10, 50, 17))))
                .isEqualTo(numbers(10, 26));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 4, 6, 13, 14, 1000, Long.MAX_VALUE})
    default void theHeadHasTheEndAndTheFirstPage(long from) {
        String id = sample();
        EventLog log = fixture().log();
        List<StoredEvent> all = LogReading.all(log, id);
        LogHead head = Await.result(log.head(id, from));
        assertThat(head.end().seqNr()).isEqualTo(13);
        assertThat(head.end().timestampMicros()).isEqualTo(all.get(12).timestampMicros());
        assertThat(head.end().writer()).isEqualTo(all.get(12).writer());
        for (SeqRange range : List.of(
                LogReading.everythingFrom(from),
                SeqRange.wholeWrites(from, 8, Long.MAX_VALUE),
                SeqRange.wholeWrites(from, 13, 6))) {
            if (!range.isEmpty()) {
                assertThat(LogReading.read(log, id, range, head.firstPage()))
                        .isEqualTo(LogReading.read(log, id, range, null));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 5, 20, 40})
    default void theFirstPageContinuesLikeARead(long from) {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(19).write(4).writeSingles(17);
        EventLog log = fixture().log();
        LogHead head = Await.result(log.head(id, from));
        assertThat(head.end().seqNr()).isEqualTo(40);
        assertThat(LogReading.numbers(
                        LogReading.read(log, id, SeqRange.wholeWrites(from, 40, Long.MAX_VALUE), head.firstPage())))
                .isEqualTo(numbers(from, 40));
    }

    @Test
    default void aMissingItemFailsTheRead() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(20);
        removeItem(id, 12);
        assertGap(id, 1);
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(20);
    }

    /** Checks that a read fails; event 12 of 20 is missing. */
    private void assertGap(String id, long from) {
        if (from < 12 || can(Capability.DELETES_LEAVE_A_MARK)) {
            StoreException.LogDamaged failure = Await.failure(
                    LogReading.reading(logWithFatalGaps(), id, LogReading.everythingFrom(from)),
                    StoreException.LogDamaged.class);
            assertThat(failure)
                    .hasMessageContaining(id)
                    .hasMessageContaining("11")
                    .hasMessageContaining("13");
        }
        if (!can(Capability.GAPS_ARE_DAMAGE)) {
            assertThat(LogReading.numbers(LogReading.read(fixture().log(), id, LogReading.everythingFrom(from))))
                    .isEqualTo(LongStream.rangeClosed(from, 20)
                            .filter(number -> number != 12)
                            .boxed()
                            .toList());
            // A recovery up to the missing event succeeds, because the log continues after it.
            assertThat(LogReading.replay(fixture().journal(), id, SeqRange.wholeWrites(from, 12, Long.MAX_VALUE)))
                    .hasSize((int) (12 - from));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {5, 11, 12})
    default void aMissingItemFailsAReadThatStartsNearIt(long from) {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(20);
        removeItem(id, 12);
        assertGap(id, from);
    }

    @Test
    default void aMissingItemBelowTheStartDoesNotMatter() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(20);
        removeItem(id, 12);
        assertThat(LogReading.numbers(LogReading.read(fixture().log(), id, LogReading.everythingFrom(14))))
                .isEqualTo(numbers(14, 20));
    }

    @Test
    default void aMissingFirstItemFailsTheRead() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(5);
        removeItem(id, 1);
        if (can(Capability.DELETES_LEAVE_A_MARK)) {
            Await.failure(
                    LogReading.reading(logWithFatalGaps(), id, LogReading.everythingFrom(1)),
                    StoreException.LogDamaged.class);
        }
        if (!can(Capability.GAPS_ARE_DAMAGE)) {
            assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(2L, 3L, 4L, 5L);
        }
    }
}
