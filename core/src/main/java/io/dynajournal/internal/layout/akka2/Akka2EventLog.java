package io.dynajournal.internal.layout.akka2;

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

/** The event log in tables of 2.x: delegates to {@link Akka2Writer}, {@link Akka2Reader} and {@link Akka2Deleter}. */
final class Akka2EventLog implements EventLog {

    private final Akka2Reader reader;
    private final Akka2Writer writer;
    private final Akka2Deleter deleter;

    Akka2EventLog(Dynamo dynamo, Akka2Journal settings) {
        Dynamo writes = dynamo.forWrites();
        this.reader = new Akka2Reader(dynamo, settings);
        this.writer = new Akka2Writer(writes, settings, new Akka2Reader(writes, settings));
        this.deleter = new Akka2Deleter(dynamo.in(Lane.MAINTENANCE), settings);
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
        return Stages.guarded(() -> reader.read(persistenceId, range, (Akka2Cursor) start));
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
    public CompletionStage<Void> removeTo(String persistenceId, long toSeqNr) {
        return Stages.guarded(() -> deleter.removeTo(persistenceId, toSeqNr));
    }

    @Override
    public CompletionStage<Void> expireTo(String persistenceId, long toSeqNr, long expirySeconds, boolean reset) {
        return Stages.guarded(() -> deleter.expireTo(persistenceId, toSeqNr, expirySeconds, reset));
    }

    @Override
    public CompletionStage<Void> reset(String persistenceId) {
        return Stages.guarded(() -> deleter.reset(persistenceId));
    }
}
