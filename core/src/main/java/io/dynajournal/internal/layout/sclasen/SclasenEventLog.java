package io.dynajournal.internal.layout.sclasen;

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
 * The event log in tables of 0.3: delegates to {@link SclasenWriter}, {@link SclasenReader} and {@link SclasenDeleter}.
 *
 * <p><b>One event</b> is a put on the condition that its sequence number is free, then an update of its high mark: two
 * requests one after the other, and two write units as with 0.3. The mark never comes first, because another writer could
 * continue after a sequence number that is not stored yet. If the mark is lost, recovery still finds the event.
 *
 * <p><b>persistAll</b> is one transaction with the high mark of its last sequence number, so neither 0.3 nor we read half of
 * it. It costs two units per event and two for the mark: 22 for ten small events, where 0.3 takes 20. A transaction has at
 * most 100 actions and 4 MB: a write of more than {@value SclasenWriter#MAX_EVENTS} events, or a larger one, is rejected
 * before a request is sent. {@code idx} and {@code cnt}, which 0.3 ignores, keep the events of a write together when {@code
 * to} or {@code max} would cut it.
 *
 * <p><b>Recovery</b> reads all high marks, 100 per request and concurrently, then its events and {@value SclasenView#AHEAD}
 * sequence numbers after the highest mark, because 0.3 lost marks under load. A missing item also costs a read unit: with
 * {@code n} shards a recovery takes {@code n + 100} units and those of its events, 1,100 and the events by default; 0.3 took
 * 2,000. Gaps are reported and skipped.
 *
 * <p><b>Deletes</b> first raise {@code deletedTo} on the high mark of shard 0, which hides all events at once, then mark or
 * remove the events in any order, and write the low mark. The sequence number of a rejected event gets a tombstone, which
 * stops a writer that has not seen it and leaves no gap for 0.3.
 *
 * <p>The format cannot hold tags: events with tags are rejected. Times are in milliseconds. Manifests, metadata, writer and
 * time are fields of the message that Akka 2.3 skips. {@code confirmations} stay as they are. The puts of 0.3 have no
 * condition: its nodes can overwrite events that they have not seen, as long as they run.
 */
final class SclasenEventLog implements EventLog {

    private final SclasenReader reader;
    private final SclasenWriter writer;
    private final SclasenDeleter deleter;

    SclasenEventLog(Dynamo dynamo, SclasenJournal settings) {
        Dynamo writes = dynamo.forWrites();
        Dynamo deletes = dynamo.in(Lane.MAINTENANCE);
        this.reader = new SclasenReader(dynamo, settings);
        this.writer = new SclasenWriter(writes, settings, new SclasenReader(writes, settings));
        this.deleter = new SclasenDeleter(deletes, settings, new SclasenReader(deletes, settings));
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
        return Stages.guarded(() -> reader.read(persistenceId, range, (SclasenCursor) start));
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
