package io.dynajournal.internal.layout.akka1;

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

/** The event log in tables of 1.x: delegates to {@link Akka1Writer}, {@link Akka1Reader} and {@link Akka1Deleter}. */
final class Akka1EventLog implements EventLog {

    private final Akka1Reader reader;
    private final Akka1Writer writer;
    private final Akka1Deleter deleter;

    Akka1EventLog(Dynamo dynamo, Akka1Journal settings) {
        Akka1LostMarks lostMarks = new Akka1LostMarks();
        Dynamo writes = dynamo.forWrites();
        Dynamo deletes = dynamo.in(Lane.MAINTENANCE);
        this.reader = new Akka1Reader(dynamo, settings, lostMarks);
        this.writer = new Akka1Writer(writes, settings, new Akka1Reader(writes, settings, lostMarks), lostMarks);
        this.deleter = new Akka1Deleter(deletes, settings, new Akka1Reader(deletes, settings, lostMarks));
    }

    @Override
    public CompletionStage<LogHead> head(String persistenceId, long from) {
        return Stages.guarded(() -> reader.head(persistenceId, Math.max(1, from)));
    }

    @Override
    public CompletionStage<LogEnd> end(String persistenceId) {
        return Stages.guarded(() -> reader.tail(persistenceId).thenApply(Akka1Reader.Tail::end));
    }

    @Override
    public CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable PageToken start) {
        return Stages.guarded(() -> reader.read(persistenceId, range, (Akka1Cursor) start));
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
