package io.dynajournal.cli.copy;

import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.PageToken;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The events of a log page by page. The next page is requested while one is handled, so two are in memory at most. */
final class EventPages implements Iterator<List<StoredEvent>> {

    private final EventLog log;
    private final String persistenceId;
    private final SeqRange range;
    private @Nullable CompletionStage<EventPage> next;
    private List<StoredEvent> ahead = List.of();

    EventPages(EventLog log, String persistenceId, SeqRange range) {
        this.log = log;
        this.persistenceId = persistenceId;
        this.range = range;
        this.next = log.read(persistenceId, range, null);
    }

    static EventPages from(EventLog log, String persistenceId, long from) {
        return new EventPages(log, persistenceId, SeqRange.singleEvents(from, Long.MAX_VALUE, Long.MAX_VALUE));
    }

    /** The sequence number of the first event of a log; null if it has none. */
    static @Nullable Long firstSeqNr(EventLog log, String persistenceId) {
        @Nullable
        StoredEvent first = new EventPages(log, persistenceId, SeqRange.singleEvents(1, Long.MAX_VALUE, 1)).first();
        return first == null ? null : first.seqNr();
    }

    /** The first event that was not handed out; null if there is none. It will still be. */
    @Nullable
    StoredEvent first() {
        while (ahead.isEmpty() && next != null) {
            ahead = read();
        }
        return ahead.isEmpty() ? null : ahead.get(0);
    }

    @Override
    public boolean hasNext() {
        return !ahead.isEmpty() || next != null;
    }

    @Override
    public List<StoredEvent> next() {
        List<StoredEvent> page = ahead;
        ahead = List.of();
        return page.isEmpty() ? read() : page;
    }

    private List<StoredEvent> read() {
        if (next == null) {
            throw new NoSuchElementException();
        }
        EventPage page = Blocking.result(next);
        @Nullable PageToken token = page.next();
        next = token == null ? null : log.read(persistenceId, range, token);
        return page.events();
    }

    /** The same events one by one. */
    Iterator<StoredEvent> events() {
        return new Iterator<>() {
            private Iterator<StoredEvent> page = List.<StoredEvent>of().iterator();

            @Override
            public boolean hasNext() {
                while (!page.hasNext() && EventPages.this.hasNext()) {
                    page = EventPages.this.next().iterator();
                }
                return page.hasNext();
            }

            @Override
            public StoredEvent next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return page.next();
            }
        };
    }
}
