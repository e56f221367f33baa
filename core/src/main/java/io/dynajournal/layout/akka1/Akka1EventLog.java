package io.dynajournal.layout.akka1;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.model.EventBatch;
import io.dynajournal.model.SeqRange;
import io.dynajournal.store.EventLog;
import io.dynajournal.store.EventPage;
import io.dynajournal.store.LogEnd;
import io.dynajournal.store.LogHead;
import io.dynajournal.store.PageToken;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The event log in the tables of 1.x: writing, reading and deleting have a file each. */
final class Akka1EventLog implements EventLog {

    private final Akka1Reader reader;
    private final Akka1Writer writer;
    private final Akka1Deleter deleter;

    Akka1EventLog(Dynamo dynamo, Akka1Journal settings) {
        Akka1Marks marks = new Akka1Marks(dynamo, settings);
        Akka1LostMarks lostMarks = new Akka1LostMarks();
        this.reader = new Akka1Reader(dynamo, settings, marks, lostMarks);
        this.writer = new Akka1Writer(dynamo, settings, marks, reader, lostMarks);
        this.deleter = new Akka1Deleter(dynamo, settings, marks, reader);
    }

    @Override
    public CompletionStage<LogHead> head(String persistenceId, long from) {
        return guarded(() -> reader.head(persistenceId, Math.max(1, from)));
    }

    @Override
    public CompletionStage<LogEnd> end(String persistenceId) {
        return guarded(() -> reader.tail(persistenceId).thenApply(Akka1Reader.Tail::end));
    }

    @Override
    public CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable PageToken start) {
        return guarded(() -> reader.read(persistenceId, range, (Akka1Cursor) start));
    }

    @Override
    public CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen) {
        return guarded(() -> writer.append(batch, seen));
    }

    @Override
    public CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr) {
        return guarded(() -> deleter.deleteTo(persistenceId, toSeqNr));
    }

    private static <T> CompletionStage<T> guarded(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
