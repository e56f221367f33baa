package io.dynajournal.testkit;

import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** An entity as a log sees it: recovers once, and then appends after the end that it knows. */
public final class LogWriter {

    private final EventLog log;
    private final String persistenceId;
    private final String uuid = TestEvents.freshWriter();
    private final List<Event> written = new ArrayList<>();
    private LogEnd seen;

    private LogWriter(EventLog log, String persistenceId, LogEnd seen) {
        this.log = log;
        this.persistenceId = persistenceId;
        this.seen = seen;
    }

    public static LogWriter recover(EventLog log, String persistenceId) {
        return new LogWriter(
                log, persistenceId, Await.result(log.head(persistenceId, 1)).end());
    }

    public String persistenceId() {
        return persistenceId;
    }

    public String uuid() {
        return uuid;
    }

    public LogEnd seen() {
        return seen;
    }

    /** All events this writer has stored. */
    public List<Event> written() {
        return List.copyOf(written);
    }

    /** One atomic write of small events. */
    public LogWriter write(int count) {
        return write(TestEvents.events(count, 20));
    }

    public LogWriter write(List<Event> events) {
        return writeAt(seen.seqNr() + 1, events);
    }

    /** This many atomic writes of one small event each, one after another. */
    public LogWriter writeSingles(int count) {
        for (int i = 0; i < count; i++) {
            write(1);
        }
        return this;
    }

    /** Writes at a sequence number, which may skip some as after rejected events. */
    public LogWriter writeAt(long firstSeqNr, List<Event> events) {
        return write(EventBatch.of(persistenceId, uuid, firstSeqNr, events));
    }

    public LogWriter write(EventBatch batch) {
        seen = Await.result(send(batch));
        batch.writes().forEach(written::addAll);
        return this;
    }

    /** A batch after the end that this writer knows. */
    public EventBatch next(List<Event> events) {
        return EventBatch.of(persistenceId, uuid, seen.seqNr() + 1, events);
    }

    /** Writes without waiting, and without remembering the result. */
    public CompletionStage<LogEnd> send(EventBatch batch) {
        return log.append(batch, seen);
    }
}
