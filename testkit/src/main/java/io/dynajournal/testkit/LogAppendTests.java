package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.listener.RequestListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Appended events are stored completely and unchanged. */
interface LogAppendTests extends LogTests {

    @Test
    default void unknownIdEndsAtZeroAndHasNoEvents() {
        String id = TestEvents.freshId();
        LogEnd end = Await.result(fixture().log().head(id, 1)).end();
        assertThat(end.seqNr()).isZero();
        assertThat(Await.result(fixture().log().end(id)).sameAs(end)).isTrue();
        assertThat(end.writer()).isEmpty();
        assertThat(LogReading.all(fixture().log(), id)).isEmpty();
    }

    @Test
    default void everyFieldOfAnEventIsStored() {
        String id = TestEvents.freshId();
        Dynamo dynamo = fixture().local().open(RequestListener.NONE);
        Payload payload = new Payload(-7, "manifest-ü", TestEvents.randomBytes(50));
        Set<String> tags = Set.of("red", "grün", "tag with space");
        Payload metadata = new Payload(Integer.MIN_VALUE, "replicated", TestEvents.randomBytes(9));
        Payload nothing = new Payload(0, "", new byte[0]);
        Event full = new Event(
                payload, "adapter", can(Capability.TAGS) ? tags : Set.of(), can(Capability.METADATA) ? metadata : null);
        Event bare = Event.of(new Payload(Integer.MAX_VALUE, "", new byte[0]));
        Event emptyMetadata =
                new Event(new Payload(0, "", new byte[1]), "", Set.of(), can(Capability.METADATA) ? nothing : null);
        Event back = can(Capability.ADAPTER_MANIFEST) ? full : new Event(payload, "", full.tags(), full.metadata());
        long unit = can(Capability.MICROSECONDS) ? 1 : 1000;
        long before = dynamo.nowMicros();
        LogWriter writer = LogWriter.recover(fixture().log(dynamo), id).write(List.of(full, bare, emptyMetadata));
        long after = dynamo.nowMicros();

        List<StoredEvent> stored = LogReading.all(fixture().log(), id);
        assertThat(LogReading.contents(stored)).containsExactly(back, bare, emptyMetadata);
        assertThat(LogReading.numbers(stored)).containsExactly(1L, 2L, 3L);
        assertThat(stored).allSatisfy(event -> {
            assertThat(event.persistenceId()).isEqualTo(id);
            assertThat(event.writer()).isEqualTo(writer.uuid());
            if (can(Capability.TIMES)) {
                assertThat(event.timestampMicros() / unit).isBetween(before / unit, after / unit);
            } else {
                assertThat(event.timestampMicros()).isZero();
            }
        });
        assertThat(writer.seen().seqNr()).isEqualTo(3);
        assertThat(writer.seen().timestampMicros()).isEqualTo(stored.get(2).timestampMicros());
        assertThat(writer.seen()
                        .sameAs(Await.result(fixture().log().head(id, 1)).end()))
                .isTrue();
    }

    @Test
    default void tagsAndMetadataAreStoredOrRejected() {
        Payload payload = new Payload(1, "", new byte[1]);
        Event tagged = new Event(payload, "", Set.of("red"), null);
        Event replicated = new Event(payload, "", Set.of(), payload);
        for (Event event : List.of(tagged, replicated)) {
            if (can(event.metadata() == null ? Capability.TAGS : Capability.METADATA)) {
                LogWriter writer = LogWriter.recover(fixture().log(), TestEvents.freshId());
                writer.write(List.of(TestEvents.event(3), event));
                assertThat(LogReading.contents(LogReading.all(fixture().log(), writer.persistenceId())))
                        .isEqualTo(writer.written());
            } else {
                assertNotSent(List.of(TestEvents.event(3), event), 3, StoreException.Refused.class);
            }
        }
    }

    @Test
    default void timesRiseFromWriteToWrite() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(20);
        // Another process with another clock: its timestamps must not be before those it has read.
        LogWriter.recover(fixture().log(), id).writeSingles(5);
        List<Long> times = LogReading.all(fixture().log(), id).stream()
                .map(StoredEvent::timestampMicros)
                .toList();
        assertThat(times).hasSize(25).isSorted();
        if (!can(Capability.TIMES)) {
            assertThat(times).containsOnly(0L);
        } else if (can(Capability.RISING_TIMES)) {
            assertThat(times).doesNotHaveDuplicates();
        }
    }

    static Stream<String> oddIds() {
        return Stream.of(
                "ünïcødé|購物車|🛒",
                " leading and trailing ",
                "a|b|c",
                "|",
                "#",
                "$",
                "cart|a#b$c/d\\e\"f'g\nh\tj",
                "without-type",
                "cart|" + "x".repeat(1895),
                "購".repeat(633));
    }

    @ParameterizedTest
    @MethodSource("io.dynajournal.testkit.LogAppendTests#oddIds")
    default void unusualPersistenceIdsAreStoredUnchanged(String id) {
        LogWriter writer =
                LogWriter.recover(fixture().log(), id).write(2).write(1).write(List.of(TestEvents.event(5000)));
        List<StoredEvent> stored = LogReading.all(fixture().log(), id);
        assertThat(LogReading.contents(stored)).isEqualTo(writer.written());
        assertThat(stored).allSatisfy(event -> assertThat(event.persistenceId()).isEqualTo(id));
        Await.result(fixture().log().deleteTo(id, 2));
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(3L, 4L);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 98, 99, 100, 101, 1_000, 10_000})
    default void anyNumberOfEventsIsOneAtomicWrite(int wanted) {
        int count = Math.min(wanted, largeWriteCount());
        if (!capabilities().has(Capability.ANY_COUNT, count)) {
            assertThat(assertNotSent(TestEvents.events(count, 100), 2, StoreException.Refused.class))
                    .hasMessageContaining(count + " events")
                    .hasMessageContaining(" " + writeCount(count) + " ")
                    .hasMessageContaining("layout commits");
            return;
        }
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id)
                .write(1)
                .write(TestEvents.events(count, 100))
                .write(1);
        List<StoredEvent> stored = LogReading.all(fixture().log(), id);
        assertThat(LogReading.contents(stored)).isEqualTo(writer.written());
        assertThat(LogReading.numbers(stored))
                .isEqualTo(LongStream.rangeClosed(1, count + 2L).boxed().toList());
        List<Long> times = stored.stream().map(StoredEvent::timestampMicros).toList();
        if (can(Capability.ONE_TIME_PER_WRITE)) {
            // One timestamp for all, because they become visible together.
            assertThat(times.subList(1, count + 1).stream().distinct()).hasSize(1);
        } else {
            assertThat(times).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    default void severalLargeEventsAreOneAtomicWrite() {
        int size = eventSize(380_000);
        List<Event> events = TestEvents.events(12, size);
        if (!capabilities().has(Capability.ANY_SUM, 12 * size)) {
            assertThat(assertNotSent(events, 2, StoreException.Refused.class)).hasMessageContaining("4194304");
            return;
        }
        LogWriter writer = LogWriter.recover(fixture().log(), TestEvents.freshId())
                .write(1)
                .write(events)
                .write(1);
        assertThat(LogReading.contents(LogReading.all(fixture().log(), writer.persistenceId()))
                        .equals(writer.written()))
                .isTrue();
    }

    @Test
    default void aBatchMayHaveSeveralAtomicWrites() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id).write(1);
        writer.write(new EventBatch(
                id,
                writer.uuid(),
                2,
                List.of(TestEvents.events(3, 30), TestEvents.events(1, 30), TestEvents.events(2, 30))));
        assertThat(writer.seen().seqNr()).isEqualTo(7);
        List<StoredEvent> stored = LogReading.all(fixture().log(), id);
        assertThat(LogReading.contents(stored)).isEqualTo(writer.written());
        assertThat(LogReading.numbers(stored)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    }

    @Test
    default void oneLargeEventIsStored() {
        if (!can(Capability.ANY_SIZE)) {
            assertTooLarge(TestEvents.event(largeEventSize()));
            return;
        }
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id)
                .write(1)
                .write(List.of(TestEvents.event(largeEventSize())))
                .write(List.of(TestEvents.compressible(largeEventSize())))
                .write(1);
        List<StoredEvent> stored = LogReading.all(fixture().log(), id);
        assertThat(LogReading.numbers(stored)).containsExactly(1L, 2L, 3L, 4L);
        // Without isEqualTo on the lists, whose message would have ten megabytes.
        assertThat(LogReading.contents(stored).equals(writer.written())).isTrue();
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {900, 1_000, 1_024, 1_100, 4_000, 4_096, 5_000, 399_000, 399_700, 400_000, 409_000, 409_600, 410_000
            })
    default void eventsAroundTheItemSizeLimitAreStored(int size) {
        if (!capabilities().has(Capability.ANY_SIZE, size)) {
            assertTooLarge(TestEvents.event(size));
            return;
        }
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id)
                .write(List.of(TestEvents.event(size)))
                .write(List.of(TestEvents.compressible(size), TestEvents.event(10)));
        assertThat(LogReading.contents(LogReading.all(fixture().log(), id)).equals(writer.written()))
                .isTrue();
    }

    @Test
    default void sequenceNumbersOfRejectedEventsAreSkipped() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id).write(2).write(1);
        writer.writeAt(5, TestEvents.events(1, 20)).write(2);
        List<StoredEvent> stored = LogReading.all(fixture().log(), id);
        assertThat(LogReading.numbers(stored)).containsExactly(1L, 2L, 3L, 5L, 6L, 7L);
        assertThat(LogReading.contents(stored)).isEqualTo(writer.written());
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(7);
        assertThat(LogReading.all(logWithFatalGaps(), id)).isEqualTo(stored);
        assertThat(LogReading.numbers(LogReading.read(fixture().log(), id, LogReading.everythingFrom(4))))
                .containsExactly(5L, 6L, 7L);
        assertThat(LogReading.numbers(LogReading.read(fixture().log(), id, LogReading.everythingFrom(5))))
                .containsExactly(5L, 6L, 7L);
    }

    @Test
    default void theFirstEventsMayBeRejected() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id)
                .writeAt(4, TestEvents.events(2, 20))
                .write(1);
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(4L, 5L, 6L);
        assertThat(LogReading.numbers(LogReading.all(logWithFatalGaps(), id))).containsExactly(4L, 5L, 6L);
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(6);
    }

    @Test
    default void aWriterWithoutAViewReadsTheEndOfTheLog() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id).write(3);
        EventBatch next = writer.next(TestEvents.events(2, 20));
        LogEnd end = Await.result(fixture().log().append(next, null));
        assertThat(end.seqNr()).isEqualTo(5);
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    default void manyPersistenceIdsWriteConcurrently() {
        EventLog log = fixture().log();
        List<String> ids =
                IntStream.range(0, 50).mapToObj(i -> TestEvents.freshId()).toList();
        List<CompletableFuture<LogEnd>> writes = new ArrayList<>();
        for (String id : ids) {
            String writer = TestEvents.freshWriter();
            CompletableFuture<LogEnd> end = CompletableFuture.completedFuture(LogEnd.empty(System.currentTimeMillis()));
            for (int i = 0; i < 5; i++) {
                end = end.thenCompose(seen ->
                        log.append(EventBatch.of(id, writer, seen.seqNr() + 1, TestEvents.events(2, 20)), seen));
            }
            writes.add(end);
        }
        writes.forEach(write -> assertThat(Await.result(write).seqNr()).isEqualTo(10));
        ids.forEach(id -> assertThat(LogReading.numbers(LogReading.all(log, id)))
                .isEqualTo(LongStream.rangeClosed(1, 10).boxed().toList()));
    }
}
