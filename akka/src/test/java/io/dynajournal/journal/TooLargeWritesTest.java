package io.dynajournal.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.exception.StoreException.ItemTooLarge;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.akka1.Akka1Journal;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.store.EventJournal;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.JournalCaches;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.TestEvents;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On a layout whose items have a limit. */
final class TooLargeWritesTest {

    @RegisterExtension
    static final LocalDynamo LOCAL = new LocalDynamo();

    private final String id = TestEvents.freshId();
    private final String writer = TestEvents.freshWriter();
    private final Object reader = new Object();
    private final JournalLayout layout = new Akka1Journal(LOCAL.freshTable(), "journal", 10, 1_000);
    private final EventLog log = layout.open(LOCAL.open(RequestListener.NONE));
    private final EventJournal journal = new EventJournal(log, JournalCaches.DEFAULTS);

    @BeforeEach
    void recover() {
        LOCAL.create(layout.table());
        Await.result(journal.highestSeqNr(id, 1, reader));
    }

    private SerializedWrite write(long first, int... sizes) {
        List<Event> events = Arrays.stream(sizes).mapToObj(TestEvents::event).toList();
        return new SerializedWrite(id, writer, first, events, Optional.empty());
    }

    private List<Optional<Exception>> stored(SerializedWrite... writes) {
        List<SerializedWrite> all = List.of(writes);
        List<ItemTooLarge> tooLarge = Await.result(journal.write(
                id, writer, reader, () -> CompletableFuture.completedFuture(SerializedWrite.batches(all))));
        return all.stream().map(write -> write.rejection(tooLarge)).toList();
    }

    @Test
    void whatIsTooLargeIsRejectedAndTheRestStored() {
        List<Optional<Exception>> rejections =
                stored(write(1, 20), write(2, 20, 2_000, 20), write(5, 20, 20), write(7, 3_000), write(8, 20));

        assertThat(rejections).map(Optional::isPresent).containsExactly(false, true, false, true, false);
        assertThat(rejections.get(1)).containsInstanceOf(ItemTooLarge.class);
        assertThat(rejections.get(1).orElseThrow())
                .hasMessageContaining("Number 3 of " + id)
                .hasMessageContaining("1000");
        assertThat(LogReading.numbers(LogReading.all(log, id))).containsExactly(1L, 5L, 6L, 8L);
        // The writer was not stopped: later writes are stored.
        assertThat(stored(write(9, 2_000))).map(Optional::isPresent).containsExactly(true);
        assertThat(stored(write(10, 20))).containsExactly(Optional.empty());
        assertThat(LogReading.numbers(LogReading.all(log, id))).containsExactly(1L, 5L, 6L, 8L, 10L);
    }

    @Test
    void anyOtherFailureFailsAll() {
        EventJournal other = new EventJournal(log, JournalCaches.DEFAULTS);
        Await.result(other.highestSeqNr(id, 1, reader));
        Await.result(other.append(EventBatch.of(id, "else", 1, List.of(TestEvents.event(20))), reader));

        List<SerializedWrite> writes = List.of(write(1, 20), write(2, 2_000));
        Await.failure(
                journal.write(
                        id, writer, reader, () -> CompletableFuture.completedFuture(SerializedWrite.batches(writes))),
                StoreException.WriteConflict.class);
    }
}
