package io.dynajournal.internal.store;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.DeletedRange;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The events of all persistence ids in one table, whatever its layout. Thread-safe. No method throws or blocks; a failed stage
 * carries a {@link StoreException}.
 *
 * <p>An append must not overlap with another append or with a read of the same persistence id from this process: {@link
 * EventJournal} ensures that. Deletes may overlap with everything.
 */
public interface EventLog {

    /**
     * Where the log of a persistence id ends, and the first page of its events from {@code from} on, in one round trip.
     * Consistent. An unknown persistence id ends at 0.
     */
    CompletionStage<LogHead> head(String persistenceId, long from);

    /** Where the log of a persistence id ends, without reading events. Consistent. */
    CompletionStage<LogEnd> end(String persistenceId);

    /**
     * One page of events, consistent and in order. A gap in the sequence numbers fails the stage with {@link
     * StoreException.LogDamaged}; rejected and deleted events are no gaps.
     *
     * @param start null for the first page, {@link LogHead#firstPage()} if it was read already, {@link EventPage#next()} to
     *     continue with the same range
     */
    CompletionStage<EventPage> read(String persistenceId, SeqRange range, @Nullable PageToken start);

    /** Whether a read of several pages fails with {@link StoreException.LogMoved} if events are deleted between them. */
    default boolean noticesDeletes() {
        return false;
    }

    /**
     * Stores the batch; each of its atomic writes is visible completely or not at all, now and later. A second writer fails
     * with {@link StoreException.WriteConflict} and changes nothing; a retry of the same write after a lost reply is
     * recognised and succeeds. After any other failure it is unknown whether the batch was stored, except {@link
     * StoreException.ItemTooLarge}: then nothing was sent.
     *
     * @param seen where this writer saw the log end when it last read or wrote it; null if that is not known
     * @return where the log ends now
     */
    CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen);

    /**
     * Notes for a log that is copied from another table: the sequence numbers after its end, up to one, were used, and their
     * events are deleted. The log ends there afterwards. Nothing that is stored is replaced: a second writer fails with {@link
     * StoreException.WriteConflict}. May be retried.
     *
     * <p>Unless a layout has an item for this, it stores an event without content at the last sequence number and deletes it.
     *
     * @param seen where the log ends
     */
    default CompletionStage<LogEnd> markDeleted(DeletedRange deleted, LogEnd seen) {
        Event empty = Event.of(new Payload(0, "", new byte[0]));
        return append(
                        new EventBatch(
                                deleted.persistenceId(),
                                deleted.writer(),
                                deleted.toSeqNr(),
                                List.of(List.of(empty)),
                                deleted.timestampMicros()),
                        seen)
                .thenCompose(end ->
                        deleteTo(deleted.persistenceId(), deleted.toSeqNr()).thenApply(done -> end));
    }

    /**
     * Deletes all events up to a sequence number, inclusive. The highest sequence number is kept. Deletes may be retried, may
     * overlap and may reach beyond the end. A failure leaves a prefix deleted, never a gap. Events above {@code toSeqNr} and the
     * end of the log can be read at any moment of a delete.
     */
    CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr);

    /** As {@link #deleteTo}, for a clean-up: at once, also where the deletes of entities only set an expiry. */
    default CompletionStage<Void> removeTo(String persistenceId, long toSeqNr) {
        return deleteTo(persistenceId, toSeqNr);
    }

    /**
     * Lets the events up to a sequence number expire: from that time on they are deleted, and DynamoDB removes them some time
     * later. Events that have expired already stay so. Fails with {@link UnsupportedOperationException} if the layout has no
     * expiry.
     *
     * @param reset whether the highest sequence number expires too; only where all events do
     */
    default CompletionStage<Void> expireTo(String persistenceId, long toSeqNr, long expirySeconds, boolean reset) {
        return CompletableFuture.failedFuture(Stages.noExpiry(this, "events"));
    }

    /**
     * Removes all that is stored of a log, also what keeps its highest sequence number: the next event has sequence number 1.
     * May be retried; a failure leaves events deleted, never a gap. Events that are written meanwhile are not removed, but no
     * entity may write after a reset without a recovery: its event would follow sequence numbers that do not exist.
     */
    CompletionStage<Void> reset(String persistenceId);
}
