package io.dynajournal.store;

import io.dynajournal.model.EventBatch;
import io.dynajournal.model.SeqRange;
import io.dynajournal.model.StoredEvent;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a toolkit's journal calls: an {@link EventLog} with the rules that hold per entity, on every layout.
 *
 * <ul>
 *   <li>Writes of one id leave one after another. After a failure or an unknown outcome the writer is stopped: what it had
 *       queued fails unsent, until it has recovered.
 *   <li>A reader waits for the writes and deletes of its id that are under way in this process. Without that, a restarted
 *       entity could ask for the highest number before its own last write has landed.
 *   <li>What a recovery saw is remembered for the entity that recovered, because its first write must go right behind it.
 *       The toolkits do not tell the writer's uuid on recovery, but they tell who asks: the {@code reader}.
 *   <li>The first page of events comes with the highest number and is kept until the entity asks for it.
 * </ul>
 *
 * Thread-safe.
 */
public final class EventJournal {

    private final EventLog log;
    private final WriterViews views;
    private final FirstPages firstPages;
    private final ConcurrentHashMap<String, CompletableFuture<Void>> writing = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, CompletableFuture<Void>> deleting = new ConcurrentHashMap<>();

    public EventJournal(EventLog log, JournalCaches caches) {
        this.log = log;
        this.views = new WriterViews(caches.writers());
        this.firstPages = new FirstPages(caches.firstPageBytes(), caches.firstPageLife());
    }

    /**
     * The highest number of an id; 0 if it has none.
     *
     * @param from where the replay that follows will start
     * @param reader who asks; the same object in {@link #append} is the same entity
     */
    public CompletionStage<Long> highestSeqNr(String persistenceId, long from, Object reader) {
        return whenQuiet(persistenceId)
                .thenCompose(quiet -> log.head(persistenceId, from))
                .thenApply(head -> {
                    views.recovered(persistenceId, reader, head.end());
                    firstPages.keep(persistenceId, from, head);
                    return head.end().seqNr();
                });
    }

    /** As {@link #highestSeqNr(String, long, Object)}, for an entity that will not ask for events. */
    public CompletionStage<Long> highestSeqNr(String persistenceId, Object reader) {
        return whenQuiet(persistenceId)
                .thenCompose(quiet -> log.end(persistenceId))
                .thenApply(end -> {
                    views.recovered(persistenceId, reader, end);
                    return end.seqNr();
                });
    }

    /**
     * Hands the events of a range to the consumer, page by page, each when the consumer's stage for the last one is done. The
     * next page is asked for while one is consumed; whether more are on the way is the layout's matter. Fails if the log does not
     * reach {@code range.to()}, which a recovery has been told exists.
     */
    public CompletionStage<Void> replay(
            String persistenceId, SeqRange range, Function<List<StoredEvent>, CompletionStage<Void>> consumer) {
        if (range.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        @Nullable PageToken start = firstPages.take(persistenceId, range);
        return Pages.drain(
                log.read(persistenceId, range, start),
                coming -> Objects.requireNonNull(coming)
                        .thenCompose(page -> consume(persistenceId, range, page, consumer)));
    }

    /** The page behind this one, once this one is consumed; null at the end. A page that could not be read fails in its turn. */
    private CompletionStage<@Nullable CompletionStage<EventPage>> consume(
            String persistenceId,
            SeqRange range,
            EventPage page,
            Function<List<StoredEvent>, CompletionStage<Void>> consumer) {
        PageToken next = page.next();
        @Nullable CompletionStage<EventPage> coming = next == null ? null : log.read(persistenceId, range, next);
        return consumer.apply(page.events()).thenApply(consumed -> {
            reached(persistenceId, range, page);
            return coming;
        });
    }

    private static void reached(String persistenceId, SeqRange range, EventPage page) {
        if (page.next() == null && !page.cut() && page.coveredTo() < range.to()) {
            throw new StoreException.LogDamaged("The log of " + persistenceId + " ends at " + page.coveredTo()
                    + ", but number " + range.to() + " was there when recovery began.");
        }
    }

    /** Stores a batch behind everything of this id that was given before. See {@link EventLog#append}. */
    public CompletionStage<Void> append(EventBatch batch, Object reader) {
        String persistenceId = batch.persistenceId();
        // At once, not in turn: what this entity saw must be claimed before somebody else recovers under its name.
        views.claim(persistenceId, reader, batch.writer());
        firstPages.forget(persistenceId);
        return inTurn(writing, persistenceId, () -> appendNow(batch));
    }

    private CompletionStage<Void> appendNow(EventBatch batch) {
        WriterViews.View view = views.of(batch.persistenceId(), batch.writer());
        if (view.stopped()) {
            return CompletableFuture.failedFuture(new StoreException.Unavailable(
                    "Not sent: an earlier write of " + batch.persistenceId() + " by writer " + batch.writer()
                            + " failed, so " + batch.firstSeqNr() + " has no place yet.",
                    null));
        }
        return log.append(batch, view.end())
                .handle((end, failure) -> {
                    if (failure == null) {
                        views.wrote(batch.persistenceId(), batch.writer(), end);
                        return CompletableFuture.<Void>completedFuture(null);
                    }
                    if (!(cause(failure) instanceof StoreException.ItemTooLarge)) {
                        views.stop(batch.persistenceId(), batch.writer());
                    }
                    return CompletableFuture.<Void>failedFuture(failure);
                })
                .thenCompose(Function.identity());
    }

    /** What is too large was not sent: that is a rejection, after which the entity goes on. */
    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** See {@link EventLog#deleteTo}. */
    public CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr) {
        firstPages.forget(persistenceId);
        return inTurn(deleting, persistenceId, () -> log.deleteTo(persistenceId, toSeqNr));
    }

    private CompletionStage<Void> whenQuiet(String persistenceId) {
        return after(writing.get(persistenceId))
                .thenAcceptBoth(after(deleting.get(persistenceId)), (written, deleted) -> {});
    }

    private static CompletableFuture<Void> after(@Nullable CompletableFuture<Void> task) {
        return task == null ? CompletableFuture.completedFuture(null) : task;
    }

    /** Each task's own future in the map never fails: it only says that the task is over. */
    private static CompletionStage<Void> inTurn(
            ConcurrentHashMap<String, CompletableFuture<Void>> tasks, String persistenceId, Task task) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        CompletionStage<Void> result = after(tasks.put(persistenceId, over)).thenCompose(before -> task.start());
        return result.whenComplete((done, failure) -> {
            tasks.remove(persistenceId, over);
            over.complete(null);
        });
    }

    private interface Task {
        CompletionStage<Void> start();
    }
}
