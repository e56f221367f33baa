package io.dynajournal.layout.akka2;

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

/** The event log of akka-persistence-dynamodb 2.x: writing, reading and deleting have a file each. */
final class Akka2EventLog implements EventLog {

    private final Akka2Reader reader;
    private final Akka2Writer writer;
    private final Akka2Deleter deleter;

    Akka2EventLog(Dynamo dynamo, Akka2Journal settings) {
        Akka2Table table = new Akka2Table(dynamo, settings);
        this.reader = new Akka2Reader(dynamo, settings, table);
        this.writer = new Akka2Writer(dynamo, settings, table, reader);
        this.deleter = new Akka2Deleter(dynamo, settings, table);
    }

    @Override
    public CompletionStage<LogHead> head(String persistenceId, long from) {
        return staged(() -> reader.head(persistenceId, Math.max(1, from)));
    }

    @Override
    public CompletionStage<LogEnd> end(String persistenceId) {
        return staged(() -> reader.end(persistenceId));
    }

    @Override
    public CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable PageToken start) {
        return staged(() -> reader.read(persistenceId, range, (Akka2Cursor) start));
    }

    @Override
    public CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen) {
        return staged(() -> writer.append(batch, seen));
    }

    @Override
    public CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr) {
        return staged(() -> deleter.deleteTo(persistenceId, toSeqNr));
    }

    /** What is thrown while a request is made up fails the stage instead. */
    static <T> CompletionStage<T> staged(Supplier<CompletionStage<T>> work) {
        return CompletableFuture.<Void>completedFuture(null).thenCompose(start -> work.get());
    }
}
