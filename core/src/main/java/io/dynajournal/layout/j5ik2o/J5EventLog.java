package io.dynajournal.layout.j5ik2o;

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

/**
 * j5ik2o's journal table. Writing, reading and deleting have a file each.
 *
 * <p>The format has everything a stored event has; times are in milliseconds. What it lacks is a mark for atomic writes: of
 * rows that the predecessor wrote, each stands alone.
 */
final class J5EventLog implements EventLog {

    private final J5Reader reader;
    private final J5Writer writer;
    private final J5Deleter deleter;

    J5EventLog(Dynamo dynamo, J5Journal settings) {
        this.reader = new J5Reader(dynamo, settings);
        this.writer = new J5Writer(dynamo, settings, reader);
        this.deleter = new J5Deleter(dynamo, settings, reader);
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
        return staged(() -> reader.read(persistenceId, range, (J5Cursor) start));
    }

    @Override
    public CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen) {
        return staged(() -> writer.append(batch, seen));
    }

    @Override
    public CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr) {
        return staged(() -> deleter.deleteTo(persistenceId, toSeqNr));
    }

    /** Resolvers may throw; nothing is thrown at a caller who expects a stage. */
    private static <T> CompletionStage<T> staged(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
