package io.dynajournal.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.dynamo.RequestListener;
import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.akka1.Akka1Journal;
import io.dynajournal.model.Event;
import io.dynajournal.store.EventJournal;
import io.dynajournal.store.EventLog;
import io.dynajournal.store.JournalCaches;
import io.dynajournal.store.StoreException;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.TestEvents;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On a layout whose items have a limit. */
final class BatchedWritesTest {

    @RegisterExtension
    static final LocalDynamo LOCAL = new LocalDynamo();

    private final String id = TestEvents.freshId();
    private final String writer = TestEvents.freshWriter();
    private final Object reader = new Object();
    private final JournalLayout layout = new Akka1Journal(LOCAL.freshTable(), "journal", 10, 1_000);
    private final EventLog log = layout.open(LOCAL.open(RequestListener.NONE));
    private final EventJournal journal = new EventJournal(log, JournalCaches.DEFAULTS);
    private final BatchedWrites writes = new BatchedWrites(batch -> journal.append(batch, reader));

    @BeforeEach
    void recover() {
        LOCAL.create(layout.table());
        Await.result(journal.highestSeqNr(id, 1, reader));
    }

    private SerializedWrite write(long first, int... sizes) {
        List<Event> events = Arrays.stream(sizes).mapToObj(TestEvents::event).toList();
        return new SerializedWrite(id, writer, first, events, Optional.empty());
    }

    private List<Optional<Exception>> stored(SerializedWrite... all) {
        return Await.result(writes.store(List.of(all))).stream()
                .map(SerializedWrite::rejection)
                .toList();
    }

    @Test
    void whatIsTooLargeIsRejectedAndTheRestStored() {
        List<Optional<Exception>> rejections =
                stored(write(1, 20), write(2, 20, 2_000, 20), write(5, 20, 20), write(7, 3_000), write(8, 20));

        assertThat(rejections).map(Optional::isPresent).containsExactly(false, true, false, true, false);
        assertThat(rejections.get(1)).containsInstanceOf(StoreException.ItemTooLarge.class);
        assertThat(rejections.get(1).orElseThrow())
                .hasMessageContaining("Number 3 of " + id)
                .hasMessageContaining("1000");
        assertThat(LogReading.numbers(LogReading.all(log, id))).containsExactly(1L, 5L, 6L, 8L);
        // The writer was not stopped: what comes later goes behind.
        assertThat(stored(write(9, 2_000))).map(Optional::isPresent).containsExactly(true);
        assertThat(stored(write(10, 20))).containsExactly(Optional.empty());
        assertThat(LogReading.numbers(LogReading.all(log, id))).containsExactly(1L, 5L, 6L, 8L, 10L);
    }

    @Test
    void anyOtherFailureFailsAll() {
        EventJournal other = new EventJournal(log, JournalCaches.DEFAULTS);
        Await.result(other.highestSeqNr(id, 1, reader));
        Await.result(new BatchedWrites(batch -> other.append(batch, reader)).store(List.of(write(1, 20))));

        Await.failure(
                new BatchedWrites(batch -> journal.append(batch, new Object()))
                        .store(List.of(
                                new SerializedWrite(id, "else", 1, List.of(TestEvents.event(20)), Optional.empty()))),
                StoreException.WriteConflict.class);
    }
}
