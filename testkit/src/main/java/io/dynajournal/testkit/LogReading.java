package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventJournal;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.PageToken;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reads logs to their end, blocking. */
public final class LogReading {

    private LogReading() {}

    /** The range of a recovery without an upper bound. */
    public static SeqRange everythingFrom(long from) {
        return SeqRange.wholeWrites(from, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    public static List<StoredEvent> all(EventLog log, String persistenceId) {
        return read(log, persistenceId, everythingFrom(1));
    }

    /** Like {@link #all}, and once more if a delete interfered, like an entity that restarts. */
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

    /** A stage that reads a log to its end. */
    public static CompletionStage<?> reading(EventLog log, String persistenceId, SeqRange range) {
        return CompletableFuture.supplyAsync(() -> read(log, persistenceId, range));
    }

    /** The highest sequence number; checks that {@code end} and {@code head} agree. */
    public static long highest(EventLog log, String persistenceId) {
        long highest = Await.result(log.end(persistenceId)).seqNr();
        assertThat(Await.result(log.head(persistenceId, 1)).end().seqNr()).isEqualTo(highest);
        return highest;
    }

    /** The events that a recovery through a journal receives. */
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
