package io.dynajournal.cli.copy;

import io.dynajournal.internal.layout.EventFormat;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.LogHead;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.PersistenceIds.IdPage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A table that holds no events: each is made when it is read, and only the end of a log is kept when it is written. Each request
 * takes the time that one to DynamoDB does, and any number of them may be in flight.
 */
final class SlowLogs implements EventLog {

    /** How many events a page has. */
    static final int PAGE = 1000;

    private static final String WRITER = "00000000-0000-4000-8000-000000000000";
    private static final long FIRST_TIME = 1_700_000_000_000_000L;

    private record Next(long seqNr) implements PageToken {}

    private final Map<String, Long> ends = new ConcurrentHashMap<>();
    private final AtomicLong read = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private final Executor answers;

    SlowLogs(int millis) {
        this.answers = millis == 0 ? Runnable::run : CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS);
    }

    SlowLogs with(int logs, long events) {
        IntStream.range(0, logs).forEach(log -> ends.put("log|" + log, events));
        return this;
    }

    Store store() {
        PersistenceIds ids = start -> answer(new IdPage(List.copyOf(ends.keySet()), null));
        return Store.ofEvents(new Store.Journal("slow", this, ids, ids, EventFormat.COMPLETE, false));
    }

    /** How many events were handed out. */
    long read() {
        return read.get();
    }

    long written() {
        return written.get();
    }

    private <T> CompletionStage<T> answer(T value) {
        return CompletableFuture.supplyAsync(() -> value, answers);
    }

    private static LogEnd end(long seqNr) {
        return seqNr == 0 ? LogEnd.empty(0) : new LogEnd(seqNr, FIRST_TIME + seqNr, WRITER, 0);
    }

    @Override
    public CompletionStage<LogEnd> end(String persistenceId) {
        return answer(end(ends.getOrDefault(persistenceId, 0L)));
    }

    @Override
    public CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable PageToken start) {
        long from = start == null ? range.from() : ((Next) start).seqNr();
        long last = Math.min(range.to(), ends.getOrDefault(persistenceId, 0L));
        long to = Math.min(last, from + PAGE - 1);
        List<StoredEvent> events = LongStream.rangeClosed(from, to)
                .mapToObj(seqNr -> new StoredEvent(
                        persistenceId,
                        seqNr,
                        FIRST_TIME + seqNr / 100,
                        WRITER,
                        Event.of(new Payload(
                                1, "", Long.toString(seqNr).repeat(20).getBytes(StandardCharsets.US_ASCII)))))
                .toList();
        read.addAndGet(events.size());
        return answer(new EventPage(events, to, false, to < last ? new Next(to + 1) : null));
    }

    @Override
    public CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen) {
        if (seen == null || batch.firstSeqNr() != seen.seqNr() + 1) {
            throw new AssertionError("event " + batch.firstSeqNr() + " does not follow " + seen);
        }
        ends.put(batch.persistenceId(), batch.lastSeqNr());
        written.addAndGet(batch.size());
        return answer(end(batch.lastSeqNr()));
    }

    @Override
    public CompletionStage<LogHead> head(String persistenceId, long from) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Void> reset(String persistenceId) {
        throw new UnsupportedOperationException();
    }
}
