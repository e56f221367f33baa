package io.dynajournal.internal.store;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.EventBatch;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the end of the log that a batch is appended to. A writer's own view is used without a read while it is fresh: each layout
 * defines for how long the items that stop a stale writer are kept. An older view is compared with the table. Without a view only
 * the table is left, and it does not always show enough.
 */
public final class AppendPosition {

    private final EventBatch batch;
    private final String writer;
    private final @Nullable LogEnd seen;
    private final boolean afterRejection;

    /**
     * @param writer the batch's writer, as the layout spells it in a {@link LogEnd}
     * @param seen where this writer saw the log end; null if that is not known
     */
    public AppendPosition(EventBatch batch, String writer, @Nullable LogEnd seen) {
        this.batch = batch;
        this.writer = writer;
        this.afterRejection = LogEnd.FORGOTTEN_AFTER_REJECTION.equals(seen);
        this.seen = afterRejection ? null : seen;
    }

    /**
     * The end of the log that the batch is appended to.
     *
     * @param freshSinceMillis a view that is newer than this is used without a read
     * @param table reads where the log ends now
     */
    public CompletionStage<LogEnd> find(long freshSinceMillis, Supplier<CompletionStage<LogEnd>> table) {
        return find(freshSinceMillis, table, LogEnd::sameAs);
    }

    /**
     * As {@link #find(long, Supplier)}, with a layout's own comparison.
     *
     * @param unchanged whether a view and the table, in this order, show that nobody else has written
     * @return fails with {@link StoreException.WriteConflict} if somebody has, or may have
     */
    public CompletionStage<LogEnd> find(
            long freshSinceMillis, Supplier<CompletionStage<LogEnd>> table, BiPredicate<LogEnd, LogEnd> unchanged) {
        CompletionStage<LogEnd> position = seen != null && seen.seenAtMillis() > freshSinceMillis
                ? CompletableFuture.completedFuture(seen)
                : table.get().thenApply(now -> seen == null ? known(now) : checked(seen, now, unchanged));
        return position.thenApply(last -> {
            if (batch.firstSeqNr() <= last.seqNr()) {
                throw conflict(last, "The log already ends at sequence number " + last.seqNr() + ".");
            }
            return last;
        });
    }

    private LogEnd checked(LogEnd view, LogEnd now, BiPredicate<LogEnd, LogEnd> unchanged) {
        if (!unchanged.test(view, now)) {
            throw conflict(
                    now,
                    "It saw the log end at sequence number " + view.seqNr() + ", now it ends at " + now.seqNr() + ".");
        }
        return view;
    }

    /**
     * Without a view, a gap before the batch could be a rejected event, or an event of another writer that this one has not
     * seen. Only a last write of our own, or no gap at all, excludes the latter. After a rejection, another writer may have
     * filled the gap, so only a last write of our own does.
     */
    private LogEnd known(LogEnd now) {
        boolean maySkip = afterRejection || now.seqNr() + 1 < batch.firstSeqNr();
        if (maySkip && !now.writer().equals(writer)) {
            throw conflict(
                    now,
                    "The log ends at sequence number " + now.seqNr() + ", and what was written in between is unknown.");
        }
        return now;
    }

    private StoreException.WriteConflict conflict(LogEnd there, String detail) {
        return new StoreException.WriteConflict(
                batch.persistenceId(), batch.firstSeqNr(), writer, there.writer(), detail);
    }
}
