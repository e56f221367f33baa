package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.store.EventLog;
import java.util.List;

/** What the test interfaces of {@link EventLogContract} share. */
interface LogTests {

    /** The table of this test class. */
    LogFixture fixture();

    /** Removes the item of an event from the table, as no delete of ours does. */
    void removeItem(String persistenceId, long seqNr);

    /** The capabilities of the layout. */
    default Capabilities capabilities() {
        return Capabilities.ALL;
    }

    default boolean can(Capability capability) {
        return capabilities().has(capability);
    }

    /** A log that fails at a gap. */
    EventLog logWithFatalGaps();

    /** The size of a large event in bytes. */
    default int largeEventSize() {
        return 5 << 20;
    }

    /** The number of events of a large write; override it where that number takes too long. */
    default int largeWriteCount() {
        return 10_000;
    }

    /** This size, or the maximum size of an event if that is lower. */
    default int eventSize(int wanted) {
        return capabilities().atMost(Capability.ANY_SIZE, wanted);
    }

    /** This number, or the maximum number of events of an atomic write if that is lower. */
    default int writeCount(int wanted) {
        return capabilities().atMost(Capability.ANY_COUNT, wanted);
    }

    /**
     * Checks that a write which the format cannot store is rejected before a request is sent, with persistence id, sequence
     * number and table in the message, and that its writer can continue. The write follows sequence number 1.
     */
    default <E extends StoreException> E assertNotSent(List<Event> events, long seqNr, Class<E> type) {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        LogWriter writer = LogWriter.recover(fixture().log(proxy), id).write(1);
        int before = proxy.requests(RequestMatch.writes()).size();
        E refusal = Await.failure(writer.send(writer.next(events)), type);
        assertThat(refusal)
                .hasMessageContaining(id)
                .hasMessageContaining(" " + seqNr + " ")
                .hasMessageContaining(fixture().tableName());
        assertThat(proxy.requests(RequestMatch.writes())).hasSize(before);
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(1);
        writer.write(1);
        assertThat(LogReading.contents(LogReading.all(fixture().log(), id))).isEqualTo(writer.written());
        return refusal;
    }

    /** The same for an event that is too large; its sequence number is used up, as by a rejection. */
    default void assertTooLarge(Event event) {
        StoreException.ItemTooLarge refusal =
                assertNotSent(List.of(TestEvents.event(10), event), 3, StoreException.ItemTooLarge.class);
        assertThat(refusal.seqNr()).isEqualTo(3);
        assertThat(refusal.size()).isGreaterThan(event.payload().bytes().length).isGreaterThan(refusal.limit());
        assertThat(refusal)
                .hasMessageContaining(String.valueOf(refusal.size()))
                .hasMessageContaining(String.valueOf(refusal.limit()));
        LogWriter writer =
                LogWriter.recover(fixture().log(), refusal.persistenceId()).writeAt(5, TestEvents.events(1, 20));
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), refusal.persistenceId())))
                .containsExactly(1L, 2L, 5L);
        assertThat(writer.seen().seqNr()).isEqualTo(5);
    }
}
