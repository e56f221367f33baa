package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.model.Event;
import io.dynajournal.store.EventLog;
import io.dynajournal.store.StoreException;
import java.util.List;

/** What the parts of {@link EventLogContract} share. */
interface LogTests {

    /** The table of this test class. */
    LogFixture fixture();

    /** Removes the item that holds an event, behind the log's back, which no request of ours ever does. */
    void removeItem(String persistenceId, long seqNr);

    /** What the format can do; declared once per layout. */
    default Capabilities capabilities() {
        return Capabilities.ALL;
    }

    default boolean can(Capability capability) {
        return capabilities().has(capability);
    }

    /** A log that fails at a hole, also where that is so on request only. */
    EventLog logWithFatalHoles();

    /** How large a single large event is. */
    default int largeEventSize() {
        return 5 << 20;
    }

    /** How many events a large write has; fewer where they take so long that more would test nothing more. */
    default int largeWriteCount() {
        return 10_000;
    }

    /** So large, or as large as an event can be. */
    default int eventSize(int wanted) {
        return capabilities().atMost(Capability.ANY_SIZE, wanted);
    }

    /** So many, or as many as an atomic write can have. */
    default int writeCount(int wanted) {
        return capabilities().atMost(Capability.ANY_COUNT, wanted);
    }

    /**
     * What the format cannot hold is refused before anything is sent, with all that helps to find it, and its writer goes on.
     * The write stands behind number 1.
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

    /** The same for an event that is too large; its number is used up, as by a rejection. */
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
