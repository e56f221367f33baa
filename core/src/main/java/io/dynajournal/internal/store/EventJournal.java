package io.dynajournal.internal.store;

import io.dynajournal.exception.StoreException;
import io.dynajournal.exception.StoreException.ItemTooLarge;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a toolkit's journal calls: an {@link EventLog} with the rules that hold for each entity, on every layout.
 *
 * <ul>
 *   <li>Writes of one persistence id are serialized and sent one after another. After a failure or an unknown outcome the
 *       writer is stopped: its queued writes fail unsent until it has recovered.
 *   <li>A recovery waits for the writes of its persistence id that are in flight in this process. Otherwise a restarted
 *       entity could read the highest sequence number before its own last write has arrived.
 *   <li>A recovery waits for deletes in this process only if they reach into the range that it replays. Everything from its
 *       first sequence number on, and the highest sequence number, are the same before, during and after any other delete.
 *   <li>What a recovery saw is remembered for the entity that recovered, because its first write must follow directly. The
 *       toolkits do not name the writer's uuid on recovery, but they name the sender of the request: the {@code reader}.
 *   <li>The first page of events is read together with the highest sequence number and kept until the entity asks for it.
 * </ul>
 *
 * Thread-safe. No method throws or blocks.
 */
public final class EventJournal {

    private final EventLog log;
    private final WriterViews views;
    private final FirstPages firstPages;
    private final Executor executor;
    private final PerIdQueue<String> writes;
    private final PerIdQueue<String> deletes;

    /** A journal on the JVM's common pool. */
    public EventJournal(EventLog log, JournalCaches caches) {
        this(log, caches, ForkJoinPool.commonPool());
    }

    /** @param executor where writes are serialized and requests are built */
    public EventJournal(EventLog log, JournalCaches caches, Executor executor) {
        this.log = log;
        this.views = new WriterViews(caches.writers());
        this.firstPages = new FirstPages(caches.firstPageBytes(), caches.firstPageLife());
        this.executor = executor;
        this.writes = new PerIdQueue<>(executor);
        this.deletes = new PerIdQueue<>(executor);
    }

    /**
     * The highest sequence number of a persistence id; 0 if it has none.
     *
     * @param from the first sequence number of the replay that follows
     * @param reader who recovers; an {@link #append} with the same object is by the same entity
     */
    public CompletionStage<Long> highestSeqNr(String persistenceId, long from, Object reader) {
        // An entity that is restarted keeps its reader: the page of its first request may be older than a delete.
        Object request = new Object();
        return writes.idle(persistenceId)
                .thenAcceptBoth(deletes.idle(persistenceId, from), (written, deleted) -> {})
                .thenComposeAsync(
                        idle -> {
                            String id = storable(persistenceId);
                            WriterViews.Recovery recovery = views.recovery(persistenceId, reader);
                            firstPages.expect(id, request);
                            return log.head(id, from).thenApply(head -> {
                                if (recovery.sees(head.end())) {
                                    firstPages.keep(persistenceId, request, from, head);
                                }
                                return head.end().seqNr();
                            });
                        },
                        executor)
                .whenComplete((highest, failure) -> firstPages.over(persistenceId, request));
    }

    /**
     * Half of a surrogate pair has no form in UTF-8 and is sent as a question mark: two entities would share a log. Every entity
     * recovers first, so it is enough to look here.
     */
    private static String storable(String persistenceId) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(persistenceId)) {
            throw new StoreException.Refused(
                    "The persistence id " + persistenceId
                            + " is not valid Unicode: it contains half of a surrogate pair,"
                            + " which DynamoDB cannot store. Nothing was sent. Use another id.",
                    null);
        }
        return persistenceId;
    }

    /** As {@link #highestSeqNr(String, long, Object)}, for an entity that recovers without its events. */
    public CompletionStage<Long> highestSeqNr(String persistenceId, Object reader) {
        return writes.idle(persistenceId)
                .thenComposeAsync(
                        idle -> {
                            WriterViews.Recovery recovery = views.recovery(persistenceId, reader);
                            return log.end(storable(persistenceId)).thenApply(end -> {
                                recovery.sees(end);
                                return end.seqNr();
                            });
                        },
                        executor);
    }

    /**
     * Hands the events of a range to the consumer page by page, each after the consumer's stage for the previous one has
     * completed. While one page is consumed the next one is read; whether the layout reads further ahead is its own decision.
     *
     * @return fails with {@link StoreException.LogDamaged} if the log ends before {@code range.to()}, which existed when the
     *     recovery began, and with {@link StoreException.LogMoved} if events were deleted that had to follow delivered ones
     */
    public CompletionStage<Void> replay(
            String persistenceId, SeqRange range, Function<List<StoredEvent>, CompletionStage<Void>> consumer) {
        if (range.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        @Nullable PageToken start = firstPages.take(persistenceId, range);
        Delivered delivered = new Delivered();
        return Pages.drain(
                        log.read(persistenceId, range, start),
                        page -> Objects.requireNonNull(page).thenCompose(read -> {
                            delivered.add(read.events());
                            return consume(persistenceId, range, read, consumer);
                        }))
                .thenCompose(done -> delivered.hasGap() && !log.noticesDeletes()
                        ? checkStillStored(persistenceId, range, delivered.first())
                        : CompletableFuture.completedFuture(null));
    }

    /** The sequence numbers that a replay has delivered. */
    private static final class Delivered {
        private long first;
        private long last;
        private boolean gap;

        void add(List<StoredEvent> events) {
            for (StoredEvent event : events) {
                gap |= first > 0 && event.seqNr() != last + 1;
                first = first == 0 ? event.seqNr() : first;
                last = event.seqNr();
            }
        }

        long first() {
            return first;
        }

        boolean hasGap() {
            return gap;
        }
    }

    /**
     * Another process may delete events between two pages, after their first ones were delivered. Every delete begins with the lowest
     * sequence number: if the first event is still there, the ones that are missing were rejected, and not deleted.
     */
    private CompletionStage<Void> checkStillStored(String persistenceId, SeqRange range, long first) {
        // The same upper end: a layout may show an atomic write only as a whole.
        SeqRange left = new SeqRange(first, range.to(), range.max(), range.granularity());
        return log.head(persistenceId, first)
                .thenCompose(head -> firstEvent(persistenceId, left, head.firstPage()))
                .thenAccept(found -> {
                    if (found != first) {
                        throw new StoreException.LogMoved("Events of " + persistenceId + " from sequence number "
                                + first + " on were deleted during the replay. The log is intact; recover again.");
                    }
                });
    }

    /** The sequence number of the first event of a range; 0 if it has none. */
    private CompletionStage<Long> firstEvent(String persistenceId, SeqRange range, PageToken start) {
        return log.read(persistenceId, range, start).thenCompose(page -> {
            PageToken next = page.next();
            if (page.events().isEmpty() && next != null) {
                return firstEvent(persistenceId, range, next);
            }
            return CompletableFuture.completedFuture(
                    page.events().isEmpty() ? 0L : page.events().get(0).seqNr());
        });
    }

    /** The next page, once this one is consumed; null at the end. A page that could not be read fails in its turn. */
    private CompletionStage<@Nullable CompletionStage<EventPage>> consume(
            String persistenceId,
            SeqRange range,
            EventPage page,
            Function<List<StoredEvent>, CompletionStage<Void>> consumer) {
        PageToken next = page.next();
        @Nullable CompletionStage<EventPage> nextPage = next == null ? null : log.read(persistenceId, range, next);
        return consumer.apply(page.events()).thenApply(consumed -> {
            checkEnd(persistenceId, range, page);
            return nextPage;
        });
    }

    private static void checkEnd(String persistenceId, SeqRange range, EventPage page) {
        if (page.next() == null && !page.cut() && page.coveredTo() < range.to()) {
            throw new StoreException.LogDamaged(
                    "The log of " + persistenceId + " ends at sequence number "
                            + page.coveredTo() + ", but " + range.to()
                            + " existed when the recovery began. Events were lost or removed by another process; recover again.");
        }
    }

    /**
     * Serializes and stores atomic writes of one writer, after all earlier writes of the persistence id. An atomic write
     * that is too large is left out, and the others are stored.
     *
     * @param reader who writes; see {@link #highestSeqNr}
     * @param serialized gives the batches; called on the executor when it is this write's turn
     * @return one failure for each atomic write that was left out
     */
    public CompletionStage<List<ItemTooLarge>> write(
            String persistenceId,
            String writer,
            Object reader,
            Supplier<? extends CompletionStage<List<EventBatch>>> serialized) {
        return inTurn(persistenceId, writer, reader, () -> serialized.get().thenCompose(this::appendAll));
    }

    /**
     * Notes that an event of this writer was rejected before it was sent: the writer continues with a sequence number that
     * leaves it out. A write that has failed in the meantime still stops the writer.
     */
    public void rejected(String persistenceId, String writer) {
        views.rejected(persistenceId, writer);
    }

    /** Stores a batch after all earlier writes of its persistence id. See {@link EventLog#append}. */
    public CompletionStage<Void> append(EventBatch batch, Object reader) {
        return inTurn(batch.persistenceId(), batch.writer(), reader, () -> appendNow(batch));
    }

    private <T> CompletionStage<T> inTurn(
            String persistenceId, String writer, Object reader, Supplier<? extends CompletionStage<T>> write) {
        // Now, not in turn: this entity must claim what it saw before another one recovers under the same name.
        views.claim(persistenceId, reader, writer);
        firstPages.forget(persistenceId);
        return writes.run(persistenceId, write);
    }

    private CompletionStage<List<ItemTooLarge>> appendAll(List<EventBatch> batches) {
        return batches.size() == 1
                ? appendFitting(batches.get(0))
                : Stages.inOrder(batches, this::appendFitting)
                        .thenApply(each -> each.stream().flatMap(List::stream).toList());
    }

    private CompletionStage<List<ItemTooLarge>> appendFitting(EventBatch batch) {
        return appendNow(batch)
                .handle((stored, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(List.<ItemTooLarge>of());
                    }
                    return Stages.unwrap(failure) instanceof ItemTooLarge tooLarge
                            ? appendWithout(batch, tooLarge)
                            : CompletableFuture.<List<ItemTooLarge>>failedFuture(failure);
                })
                .thenCompose(Function.identity());
    }

    /** Nothing of the batch was sent, so its other atomic writes still have to be. */
    private CompletionStage<List<ItemTooLarge>> appendWithout(EventBatch batch, ItemTooLarge tooLarge) {
        return appendAll(batch.without(tooLarge.seqNr())).thenApply(others -> {
            List<ItemTooLarge> all = new ArrayList<>(others);
            all.add(tooLarge);
            return all;
        });
    }

    private CompletionStage<Void> appendNow(EventBatch batch) {
        WriterViews.View view = views.of(batch.persistenceId(), batch.writer());
        if (view.stopped()) {
            return CompletableFuture.failedFuture(new StoreException.Unavailable(
                    "Not sent: an earlier write of " + batch.persistenceId() + " failed; sequence number "
                            + batch.firstSeqNr() + " would leave a gap. The entity must recover first. (Writer "
                            + batch.writer() + ".)",
                    null));
        }
        return log.append(batch, view.end())
                .handle((end, failure) -> {
                    if (failure == null) {
                        views.wrote(batch.persistenceId(), batch.writer(), end);
                        return CompletableFuture.<Void>completedFuture(null);
                    }
                    // Too large means that nothing was sent: a rejection, after which the entity continues.
                    if (Stages.unwrap(failure) instanceof ItemTooLarge) {
                        views.rejected(batch.persistenceId(), batch.writer());
                    } else {
                        views.stop(batch.persistenceId(), batch.writer());
                    }
                    return CompletableFuture.<Void>failedFuture(failure);
                })
                .thenCompose(Function.identity());
    }

    /** Deletes after all earlier deletes of the persistence id. See {@link EventLog#deleteTo}. */
    public CompletionStage<Void> deleteTo(String persistenceId, long toSeqNr) {
        return deleteInTurn(persistenceId, toSeqNr, () -> log.deleteTo(persistenceId, toSeqNr));
    }

    /** As {@link #deleteTo}, for a clean-up. See {@link EventLog#removeTo}. */
    public CompletionStage<Void> removeTo(String persistenceId, long toSeqNr) {
        return deleteInTurn(persistenceId, toSeqNr, () -> log.removeTo(persistenceId, toSeqNr));
    }

    /** Lets events expire. See {@link EventLog#expireTo}. */
    public CompletionStage<Void> expireTo(String persistenceId, long toSeqNr, long expirySeconds, boolean reset) {
        return deleteInTurn(persistenceId, toSeqNr, () -> log.expireTo(persistenceId, toSeqNr, expirySeconds, reset));
    }

    /** A page that was read before or during a delete must not be used after it. */
    private CompletionStage<Void> deleteInTurn(
            String persistenceId, long toSeqNr, Supplier<CompletionStage<Void>> delete) {
        return deletes.run(persistenceId, toSeqNr, delete)
                .whenComplete((deleted, failure) -> firstPages.forget(persistenceId));
    }

    /**
     * Resets a log after the writes and deletes of its persistence id that are in flight. An entity of this process that is
     * alive, or recovers meanwhile, has to recover: its next write fails with {@link StoreException.WriteConflict}. See {@link
     * EventLog#reset}.
     */
    public CompletionStage<Void> reset(String persistenceId) {
        return writes.run(
                        persistenceId,
                        () -> deletes.run(persistenceId, () -> {
                            views.reset(persistenceId);
                            return log.reset(persistenceId);
                        }))
                .whenComplete((reset, failure) -> firstPages.forget(persistenceId));
    }
}
