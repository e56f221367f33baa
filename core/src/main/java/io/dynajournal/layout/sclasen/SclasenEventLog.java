package io.dynajournal.layout.sclasen;

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
 * The events of a 0.3 table.
 *
 * <p><b>One event</b> is a put under the condition that its number is free, and then its high mark: two requests one after
 * the other and the two write units that the older plugin takes. The mark never comes first: it would let another writer go
 * on behind a number that is not stored yet. Should it be lost, recovery finds the event all the same.
 *
 * <p><b>persistAll</b> has no marks in this format. It is one transaction with the high mark of its last number, so nobody
 * sees half of it, the older plugin neither, and nobody acknowledges half of it. The price is two units per event and two for
 * the mark: 22 for ten small events, where the older plugin takes 20. A transaction has 100 actions and 4 MB; what has more
 * than {@value SclasenWriter#MOST_EVENTS} events or is larger is refused before anything is sent. {@code idx} and {@code cnt},
 * which the older plugin does not look at, tell our reader what belongs together when {@code to} or {@code max} would cut.
 *
 * <p><b>Recovery</b> reads all high marks, 100 in a request and all at once, then the events it needs and {@value
 * SclasenView#AHEAD} numbers around and behind the highest mark, because 0.3 lost marks under load. By DynamoDB's rules a
 * missing item costs a unit, too: with {@code n} shards a recovery takes {@code n + 100} read units and those of its events,
 * 1,100 and the events by default; 0.3 took 2,000. Holes are reported and passed over.
 *
 * <p><b>Deletes</b> set {@code deletedTo} on the high mark of shard 0 first, which hides all of it at once, then mark or
 * remove the events in any order, and write the low mark. The number of an event that was rejected is used up by an item
 * without payload: it stops a writer that has not seen it, and 0.3 finds no hole.
 *
 * <p>Not in the format: tags, which are refused. Times are in milliseconds. Manifests, metadata, writer and time are fields of
 * the message that Akka 2.3 does not know and skips. {@code confirmations} are left as they are. What 0.3 itself writes has no
 * condition: while its nodes run beside ours, they can overwrite what they have not seen.
 */
final class SclasenEventLog implements EventLog {

    private final SclasenReader reader;
    private final SclasenWriter writer;
    private final SclasenDeleter deleter;

    SclasenEventLog(Dynamo dynamo, SclasenJournal settings) {
        this.reader = new SclasenReader(dynamo, settings);
        this.writer = new SclasenWriter(dynamo, settings, reader);
        this.deleter = new SclasenDeleter(dynamo, settings, reader);
    }

    @Override
    public CompletionStage<LogHead> head(String persistenceId, long from) {
        return guarded(() -> reader.head(persistenceId, Math.max(1, from)));
    }

    @Override
    public CompletionStage<LogEnd> end(String persistenceId) {
        return guarded(() -> reader.end(persistenceId));
    }

    @Override
    public CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable PageToken start) {
        return guarded(() -> reader.read(persistenceId, range, (SclasenCursor) start));
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
