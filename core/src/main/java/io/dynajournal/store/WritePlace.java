package io.dynajournal.store;

import io.dynajournal.model.EventBatch;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the place of a batch: the end of the log behind which it goes. A writer's own view is used unread while it is fresh;
 * what stops a stale writer may be gone after a while, which is for each layout to say. An older view is compared with the
 * table. Without a view only the table tells, and not always enough.
 */
public final class WritePlace {

    private final EventBatch batch;
    private final String writer;
    private final @Nullable LogEnd seen;

    /**
     * @param writer the batch's writer, as the layout spells it in a {@link LogEnd}
     * @param seen where this writer saw the log end; null if that is not known
     */
    public WritePlace(EventBatch batch, String writer, @Nullable LogEnd seen) {
        this.batch = batch;
        this.writer = writer;
        this.seen = seen;
    }

    /**
     * The end of the log behind which the batch goes.
     *
     * @param freshSinceMillis a view from after this is not checked
     * @param table looks where the log ends now
     */
    public CompletionStage<LogEnd> find(long freshSinceMillis, Supplier<CompletionStage<LogEnd>> table) {
        return find(freshSinceMillis, table, LogEnd::sameAs);
    }

    /**
     * The same, by a layout's own comparison.
     *
     * @param unchanged whether a view and the table, in this order, tell that nobody else has written
     * @return fails with {@link StoreException.WriteConflict} if somebody has, or may have
     */
    public CompletionStage<LogEnd> find(
            long freshSinceMillis, Supplier<CompletionStage<LogEnd>> table, BiPredicate<LogEnd, LogEnd> unchanged) {
        CompletionStage<LogEnd> place = seen != null && seen.seenAtMillis() > freshSinceMillis
                ? CompletableFuture.completedFuture(seen)
                : table.get().thenApply(now -> seen == null ? known(now) : checked(seen, now, unchanged));
        return place.thenApply(last -> {
            if (batch.firstSeqNr() <= last.seqNr()) {
                throw conflict(last, "The log already ends at " + last.seqNr() + ".");
            }
            return last;
        });
    }

    private LogEnd checked(LogEnd view, LogEnd now, BiPredicate<LogEnd, LogEnd> unchanged) {
        if (!unchanged.test(view, now)) {
            throw conflict(now, "It saw the log end at " + view.seqNr() + ", now it ends at " + now.seqNr() + ".");
        }
        return view;
    }

    /**
     * Without a view, a number further on could mean a rejected event or one of another writer that we have not seen. Only our
     * own last write, or the very next number, excludes the second.
     */
    private LogEnd known(LogEnd now) {
        if (now.seqNr() + 1 < batch.firstSeqNr() && !now.writer().equals(writer)) {
            throw conflict(now, "The log ends at " + now.seqNr() + ", and what lies between is unknown.");
        }
        return now;
    }

    private StoreException.WriteConflict conflict(LogEnd there, String detail) {
        return new StoreException.WriteConflict(
                batch.persistenceId(), batch.firstSeqNr(), writer, there.writer(), detail);
    }
}
