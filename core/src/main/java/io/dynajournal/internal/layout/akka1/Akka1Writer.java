package io.dynajournal.internal.layout.akka1;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.akka1.Akka1Items.Entry;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.AppendPosition;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.Pages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * Appends events.
 *
 * <p><b>One event</b> is one conditional put: the second writer of a sequence number is rejected. It costs the same as the
 * predecessor's unconditional put.
 *
 * <p><b>Several events</b> cost the predecessor's write units, in three steps: a conditional put of the first item,
 * conditional puts of the items between, {@value #CONCURRENT_PUTS} at a time, a conditional put of the last item. Its readers
 * and ours return a write only when all its items are stored, so the last item makes the write visible. The predecessor sends
 * batches of 25, which cannot have conditions: a stale writer would overwrite events of another one.
 *
 * <ul>
 *   <li><i>The first item comes first</i>, because it is the fence: of two writers with the same view one is rejected before it
 *       has stored anything.
 *   <li><i>The last item comes last and is conditional</i>, because its writer may be slow rather than dead. A recovery in the
 *       meantime does not replay the incomplete write and continues with the sequence number of its last item: one of the two
 *       writers gets it, the other is rejected. So a write that a recovery has not seen never appears later.
 *   <li>After a crash in between, the first items stay. No reader returns them, and their sequence numbers are not reused.
 * </ul>
 *
 * <p><b>Rejected events.</b> A writer that skips the sequence numbers of rejected events could miss another writer that used
 * them. So it first puts a tombstone at the first of them, one write unit, after a rejection only.
 *
 * <p><b>High marks</b> are written when the log reaches another partition, before the event that a reader finds by them: a
 * mark may be too high, never too low. When a recovery finds a mark missing, the next write repairs it.
 *
 * <p>A delete keeps an item wherever a writer took over from another, for longer than a view is used: see {@link
 * Akka1Deleter}. So a stale writer is rejected in the deleted range too. A view that is older than an hour is compared with
 * the table.
 *
 * <p>A writer that the one before it outlived was never overtaken: nothing in the log shows that it recovered. Its first write
 * therefore reads the low mark when it is stored, once in its life: a delete raises the mark before it removes an item.
 *
 * <p>The format cannot hold tags or the metadata of replicated events. The predecessor fails on the first and drops the
 * second; here both are rejected before a request is sent.
 */
final class Akka1Writer {

    /** After this time a writer's view of the end of the log is compared with the table before it is used. */
    static final long VIEW_LIFETIME_MILLIS = Duration.ofHours(1).toMillis();

    /** As many as the predecessor sends in one request. */
    private static final int CONCURRENT_PUTS = 25;

    private final Dynamo dynamo;
    private final Akka1Journal settings;
    private final Akka1Keys keys;
    private final Akka1Marks marks;
    private final Akka1Reader reader;
    private final Akka1LostMarks lostMarks;
    private final Akka1FormatChoice format;

    Akka1Writer(Dynamo dynamo, Akka1Journal settings, Akka1Reader reader, Akka1LostMarks lostMarks) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.keys = settings.keys();
        this.marks = new Akka1Marks(dynamo, settings);
        this.reader = reader;
        this.lostMarks = lostMarks;
        this.format = settings.format(dynamo);
    }

    /** Fails before an item is sent if an event cannot be stored. */
    CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen) {
        checkStorable(batch);
        return format.get().thenCompose(form -> append(batch, seen, entries(batch, form)));
    }

    private CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen, List<List<Entry>> writes) {
        CompletionStage<LogEnd> position = new AppendPosition(batch, batch.writer(), seen)
                .find(
                        dynamo.nowMicros() / 1000 - VIEW_LIFETIME_MILLIS,
                        () -> reader.tail(batch.persistenceId()).thenApply(Akka1Reader.Tail::end));
        return position.thenCompose(last -> {
            AtomicReference<LogEnd> end = new AtomicReference<>(last);
            return Pages.drain(
                            0,
                            index -> index == writes.size()
                                    ? CompletableFuture.completedFuture(null)
                                    : write(batch, writes.get(index), Objects.requireNonNull(end.get()))
                                            .thenApply(written -> {
                                                end.set(written);
                                                return index + 1;
                                            }))
                    .thenCompose(done -> last.writer().equals(batch.writer())
                            ? CompletableFuture.completedFuture(null)
                            : checkNotDeleted(batch, last.seqNr() + 1))
                    .thenApply(done -> end.get());
        });
    }

    private CompletionStage<Void> checkNotDeleted(EventBatch batch, long first) {
        return marks.read(batch.persistenceId()).thenAccept(now -> {
            if (now.low() > first) {
                throw StoreException.WriteConflict.afterDelete(
                        batch.persistenceId(),
                        batch.firstSeqNr(),
                        batch.writer(),
                        "The log in table " + settings.tableName() + " is deleted up to sequence number "
                                + (now.low() - 1) + ".");
            }
        });
    }

    private List<List<Entry>> entries(EventBatch batch, Akka1EventFormat form) {
        List<List<Entry>> writes = new ArrayList<>();
        long seqNr = batch.firstSeqNr();
        for (List<Event> write : batch.writes()) {
            List<Entry> entries = new ArrayList<>(write.size());
            for (Event event : write) {
                StoredEvent stored = new StoredEvent(batch.persistenceId(), seqNr++, 0, batch.writer(), event);
                entries.add(entry(form, stored, entries.size(), write.size() - 1));
            }
            writes.add(entries);
        }
        return writes;
    }

    private void checkStorable(EventBatch batch) {
        long seqNr = batch.firstSeqNr();
        for (List<Event> write : batch.writes()) {
            for (Event event : write) {
                if (!event.tags().isEmpty() || event.metadata() != null) {
                    throw new StoreException.Refused(
                            "Event " + seqNr + " of " + batch.persistenceId() + " has "
                                    + (event.tags().isEmpty() ? "metadata of a replicated event" : "tags")
                                    + ", which the layout akka1 of table " + settings.tableName()
                                    + " cannot store. Remove them, or use the layout commits or akka2. Nothing was stored.",
                            null);
                }
                seqNr++;
            }
        }
    }

    private Entry entry(Akka1EventFormat form, StoredEvent stored, int index, int last) {
        Entry entry = Akka1Items.event(keys, form, stored, index, last);
        int size = entry.item().size();
        if (size > settings.maxItemSize()) {
            throw new StoreException.ItemTooLarge(
                    settings.tableName(), stored.persistenceId(), stored.seqNr(), size, settings.maxItemSize());
        }
        return entry;
    }

    private CompletionStage<LogEnd> write(EventBatch batch, List<Entry> items, LogEnd last) {
        String persistenceId = batch.persistenceId();
        long first = items.get(0).seqNr();
        long high = first + items.size() - 1;
        boolean marked =
                Akka1Keys.partition(last.seqNr()) == Akka1Keys.partition(high) && !lostMarks.contains(persistenceId);
        return putTombstone(batch, last.seqNr() + 1, first)
                .thenCompose(fenced -> items.size() == 1
                        ? mark(persistenceId, high, marked).thenCompose(done -> put(batch, first, items.get(0)))
                        : put(batch, first, items.get(0))
                                .thenCompose(done -> mark(persistenceId, high, marked))
                                .thenCompose(done -> putAll(batch, first, items.subList(1, items.size() - 1)))
                                .thenCompose(done -> put(batch, first, items.get(items.size() - 1))))
                .thenApply(stored -> new LogEnd(high, 0, batch.writer(), dynamo.nowMicros() / 1000));
    }

    /** Puts a tombstone over the sequence numbers of rejected events before {@code first}, if there are any. */
    private CompletionStage<Void> putTombstone(EventBatch batch, long from, long first) {
        return from == first
                ? CompletableFuture.completedFuture(null)
                : put(batch, first, Akka1Items.tombstone(keys, batch.persistenceId(), from, first, batch.writer()));
    }

    private CompletionStage<Void> mark(String persistenceId, long seqNr, boolean marked) {
        return marked
                ? CompletableFuture.completedFuture(null)
                : marks.raiseHigh(persistenceId, seqNr).thenRun(() -> lostMarks.set(persistenceId, false));
    }

    private CompletionStage<Void> putAll(EventBatch batch, long first, List<Entry> items) {
        return Pages.drain(0, from -> {
            if (from >= items.size()) {
                return CompletableFuture.completedFuture(null);
            }
            int next = Math.min(items.size(), from + CONCURRENT_PUTS);
            // Completes after the last of them, also if one fails: no put is in flight when the write has failed.
            return CompletableFuture.allOf(items.subList(from, next).stream()
                            .map(item -> put(batch, first, item).toCompletableFuture())
                            .toArray(CompletableFuture[]::new))
                    .thenApply(stored -> next);
        });
    }

    /** @param first the first sequence number of the atomic write; earlier ones of the batch may be stored */
    private CompletionStage<Void> put(EventBatch batch, long first, Entry entry) {
        return dynamo.putIf(PutItemRequest.builder()
                        .tableName(settings.tableName())
                        .item(entry.item().attributes())
                        .conditionExpression("attribute_not_exists(par)"))
                .thenAccept(existing -> existing.ifPresent(item -> checkOwn(batch, first, entry, item)));
    }

    private void checkOwn(EventBatch batch, long first, Entry ours, Item item) {
        Entry existing = Akka1Items.entry(item, Akka1Keys.partition(ours.seqNr()));
        if (!isOwn(existing, ours)) {
            throw new StoreException.WriteConflict(
                    batch.persistenceId(),
                    first,
                    batch.writer(),
                    existing.writer(),
                    "Table " + settings.tableName() + " already holds sequence number " + ours.seqNr() + ".");
        }
    }

    /** Whether the stored item is our own earlier attempt, or the tombstone of it. */
    private static boolean isOwn(Entry stored, Entry ours) {
        return stored.item().attributes().equals(ours.item().attributes())
                || (stored.isTombstone()
                        && !ours.isTombstone()
                        && stored.writer().equals(ours.writer()));
    }
}
