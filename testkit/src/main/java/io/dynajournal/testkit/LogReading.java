package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.model.Event;
import io.dynajournal.model.SeqRange;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.store.EventJournal;
import io.dynajournal.store.EventLog;
import io.dynajournal.store.EventPage;
import io.dynajournal.store.PageToken;
import io.dynajournal.store.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reads logs to the end, blocking. */
public final class LogReading {

    private LogReading() {}

    /** What a recovery asks for that knows no bounds. */
    public static SeqRange everythingFrom(long from) {
        return SeqRange.wholeWrites(from, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    public static List<StoredEvent> all(EventLog log, String persistenceId) {
        return read(log, persistenceId, everythingFrom(1));
    }

    /** Like {@link #all}, and once more if a delete was met on the way, as an entity does that starts again. */
    public static List<StoredEvent> allAgain(EventLog log, String persistenceId) {
        try {
            return all(log, persistenceId);
        } catch (StoreException.LogMoved moved) {
            return all(log, persistenceId);
        }
    }

    public static List<StoredEvent> read(EventLog log, String persistenceId, SeqRange range) {
        return read(log, persistenceId, range, null);
    }

    public static List<StoredEvent> read(
            EventLog log, String persistenceId, SeqRange range, @Nullable PageToken start) {
        List<StoredEvent> events = new ArrayList<>();
        pages(log, persistenceId, range, start).forEach(page -> events.addAll(page.events()));
        return events;
    }

    public static List<EventPage> pages(EventLog log, String persistenceId, SeqRange range, @Nullable PageToken start) {
        List<EventPage> pages = new ArrayList<>();
        EventPage page = Await.result(log.read(persistenceId, range, start));
        pages.add(page);
        while (page.next() != null) {
            page = Await.result(log.read(persistenceId, range, page.next()));
            pages.add(page);
        }
        return pages;
    }

    /** The stage in which a log is read to its end. */
    public static CompletionStage<?> reading(EventLog log, String persistenceId, SeqRange range) {
        return CompletableFuture.supplyAsync(() -> read(log, persistenceId, range));
    }

    /** The highest number, which is the same with and without the first events. */
    public static long highest(EventLog log, String persistenceId) {
        long highest = Await.result(log.end(persistenceId)).seqNr();
        assertThat(Await.result(log.head(persistenceId, 1)).end().seqNr()).isEqualTo(highest);
        return highest;
    }

    /** What a recovery through a journal is handed. */
    public static List<StoredEvent> replay(EventJournal journal, String persistenceId, SeqRange range) {
        List<StoredEvent> events = Collections.synchronizedList(new ArrayList<>());
        Await.result(journal.replay(persistenceId, range, page -> {
            events.addAll(page);
            return CompletableFuture.completedFuture(null);
        }));
        return events;
    }

    public static List<Long> numbers(List<StoredEvent> events) {
        return events.stream().map(StoredEvent::seqNr).toList();
    }

    public static List<Event> contents(List<StoredEvent> events) {
        return events.stream().map(StoredEvent::event).toList();
    }
}
