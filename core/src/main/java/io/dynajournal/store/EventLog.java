package io.dynajournal.store;

import io.dynajournal.model.EventBatch;
import io.dynajournal.model.SeqRange;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The events of all ids in one table, whatever its layout. Thread-safe. No method throws or blocks; a failed stage
 * carries a {@link StoreException}.
 *
 * <p>Calls for one id must not overlap with an append of that id from this process: {@link EventJournal} sees to that.
 */
public interface EventLog {

    /**
     * Where the log of an id ends, and the first page of its events from {@code from} on, in one round trip. Consistent.
     * An unknown id ends at 0.
     */
    CompletionStage<LogHead> head(String persistenceId, long from);

    /** Where the log of an id ends, and none of its events, so that its length does not matter. Consistent. */
    CompletionStage<LogEnd> end(String persistenceId);

    /**
     * One page of events, consistent and in order. A hole in the numbers fails the stage with {@link
     * StoreException.LogDamaged}; numbers of rejected and deleted events are no holes.
     *
     * @param start null for the first page, {@link LogHead#firstPage()} for one that was read already, {@link
     *     EventPage#next()} to go on with the same range
     */
    CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable PageToken start);

    /**
     * Stores the batch; each of its atomic writes is seen whole or not at all, now and later. A second writer fails with
     * {@link StoreException.WriteConflict} and changes nothing; a repetition of the same write after a lost reply is
     * recognised and succeeds. After any other failure the batch may or may not be stored.
     *
     * @param seen where this writer saw the log end when it last read or wrote it; null if that is not known
     * @return where the log ends now
     */
    CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen);

    /**
     * Deletes all events up to a number, inclusive. The highest number survives. May be repeated, may overlap, may reach
     * beyond the end. A failure leaves a prefix deleted, never a hole.
     */
    CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr);
}
