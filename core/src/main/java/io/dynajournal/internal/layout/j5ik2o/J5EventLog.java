package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.LogHead;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.Stages;
import io.dynajournal.listener.Lane;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The event log in j5ik2o's tables: delegates to {@link J5Writer}, {@link J5Reader} and {@link J5Deleter}.
 *
 * <p>The format holds all parts of an event; times are in milliseconds. It does not mark atomic writes: each row that the
 * predecessor wrote counts as a write of its own.
 */
final class J5EventLog implements EventLog {

    private final J5Reader reader;
    private final J5Writer writer;
    private final J5Deleter deleter;

    J5EventLog(Dynamo dynamo, J5Journal settings) {
        Dynamo writes = dynamo.forWrites();
        Dynamo deletes = dynamo.in(Lane.MAINTENANCE);
        this.reader = new J5Reader(dynamo, settings);
        this.writer = new J5Writer(writes, settings, new J5Reader(writes, settings));
        this.deleter = new J5Deleter(deletes, settings, new J5Reader(deletes, settings));
    }

    @Override
    public CompletionStage<LogHead> head(String persistenceId, long from) {
        return Stages.guarded(() -> reader.head(persistenceId, Math.max(1, from)));
    }

    @Override
    public CompletionStage<LogEnd> end(String persistenceId) {
        return Stages.guarded(() -> reader.end(persistenceId));
    }

    @Override
    public CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable PageToken start) {
        return Stages.guarded(() -> reader.read(persistenceId, range, (J5Cursor) start));
    }

    @Override
    public CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen) {
        return Stages.guarded(() -> writer.append(batch, seen));
    }

    @Override
    public CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr) {
        return Stages.guarded(() -> deleter.deleteTo(persistenceId, toSeqNr));
    }

    @Override
    public CompletionStage<Void> reset(String persistenceId) {
        return Stages.guarded(() -> deleter.reset(persistenceId));
    }
}
