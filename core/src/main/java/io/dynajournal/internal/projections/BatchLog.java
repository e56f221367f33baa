package io.dynajournal.internal.projections;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.store.Stages;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * The layout {@code packed}: each save is one row with the last sequence numbers of its entities, and rows that are older than
 * the window are deleted. A range of slices has one log. Its rows have consecutive numbers and are written only where none
 * is, so that of two instances that know the same rows only one can store the next. A log has an owner, and only its owner
 * commits: an instance that starts becomes the owner of its log and of those of other ranges with the same slices before it
 * reads them, so that no transaction of another instance can follow what it has read. Thread-safe.
 */
public final class BatchLog {

    /** A row of the own log. */
    private record Batch(long number, long newestMicros) {}

    private final OffsetTable table;
    private final SliceRange range;
    private final String owner;
    private final SequenceReset reset;
    // The rest is guarded by this.
    private final Map<String, SeqNrRow> window = new HashMap<>();
    private final Deque<Batch> batches = new ArrayDeque<>();
    private long next = 1;
    private CompletableFuture<@Nullable Void> writing = CompletableFuture.completedFuture(null);

    private BatchLog(OffsetTable table, SliceRange range, String owner, SequenceReset reset) {
        this.table = table;
        this.range = range;
        this.owner = owner;
        this.reset = reset;
    }

    /** Reads the log of a range, and those of other ranges with the same slices. */
    public static CompletionStage<BatchLog> read(
            OffsetTable table, StoredOffsets stored, String owner, SequenceReset reset) {
        BatchLog log = new BatchLog(table, stored.range(), owner, reset);
        List<SliceRange> ranges = new ArrayList<>(stored.otherLogs());
        ranges.add(stored.range());
        return Stages.inOrder(ranges, each -> table.batches(each).thenApply(rows -> log.add(stored, each, rows)))
                .thenApply(added -> log);
    }

    private synchronized boolean add(StoredOffsets stored, SliceRange of, List<Item> rows) {
        long last = 0;
        for (Item row : rows) {
            last = OffsetRows.batchNumber(row);
            List<BatchItems.Entry> entries = OffsetRows.batch(row);
            entries.stream()
                    .filter(entry -> range.contains(entry.persistenceId()) && isKnown(stored, entry))
                    .forEach(this::keep);
            if (of.equals(range) && last > 0) {
                batches.add(new Batch(last, newest(entries)));
            }
        }
        if (of.equals(range)) {
            next = last + 1;
        }
        return !rows.isEmpty();
    }

    /** Another range may have projected later events of the entity, and have deleted them from its log. */
    private static boolean isKnown(StoredOffsets stored, BatchItems.Entry entry) {
        return entry.row().micros() >= stored.horizon(Slices.of(entry.persistenceId()));
    }

    private void keep(BatchItems.Entry entry) {
        window.merge(entry.persistenceId(), entry.row(), reset::later);
    }

    private static long newest(List<BatchItems.Entry> entries) {
        return entries.stream().mapToLong(entry -> entry.row().micros()).max().orElse(0);
    }

    /** The last events of all entities with an event in the window. */
    public synchronized Map<String, SeqNrRow> window() {
        return Map.copyOf(window);
    }

    /** The rows of entities that are in the window. */
    public synchronized Map<String, SeqNrRow> find(Collection<String> persistenceIds) {
        Map<String, SeqNrRow> found = new HashMap<>();
        for (String id : persistenceIds) {
            SeqNrRow row = window.get(id);
            if (row != null) {
                found.put(id, row);
            }
        }
        return found;
    }

    private CompletionStage<Void> insert(Item row) {
        return table.insert(row)
                .thenAccept(found -> found.ifPresent(other -> {
                    if (!isOwn(other, row)) {
                        throw conflict(row);
                    }
                }));
    }

    /** After a lost reply the row of the first attempt is there. */
    private boolean isOwn(Item found, Item row) {
        return owner.equals(found.textOr(OffsetRows.OWNER, null))
                && Arrays.equals(OffsetRows.batchBytes(found), OffsetRows.batchBytes(row));
    }

    private StoreException.OffsetConflict conflict(Item row) {
        return new StoreException.OffsetConflict("Projection " + table.projection() + ", slices " + range.min() + " to "
                + range.max() + ": batch " + OffsetRows.batchNumber(row) + " in table " + table.name()
                + " was rejected, because another instance has stored one or has started. Nothing was stored, neither the"
                + " offsets nor the handler's items. This instance stops here; the toolkit starts it again from the stored offsets."
                + " Make sure that only one instance of each slice range runs.");
    }

    /** Number of items that a batch takes of a transaction: two, unless its persistence ids have more than 256 KB. */
    public static int actions(Map<String, SeqNrRow> entities) {
        return BatchItems.encode(entries(entities)).size() + 1;
    }

    private static List<BatchItems.Entry> entries(Map<String, SeqNrRow> entities) {
        return entities.entrySet().stream()
                .map(entity -> new BatchItems.Entry(entity.getKey(), entity.getValue()))
                .toList();
    }

    /** Stores a batch. */
    public CompletionStage<Void> append(Map<String, SeqNrRow> entities) {
        return inTurn(entities, rows -> Stages.inOrder(rows, this::insert).thenAccept(stored -> {}));
    }

    /** Stores a batch and the handler's items, all or nothing. */
    public CompletionStage<Void> commit(List<TransactWriteItem> handlersItems, Map<String, SeqNrRow> entities) {
        return inTurn(
                entities,
                rows -> table.commitRows(range, owner, handlersItems, rows)
                        .thenAccept(reasons -> check(handlersItems, rows, reasons)));
    }

    private void check(List<TransactWriteItem> handlersItems, List<Item> rows, List<CancellationReason> reasons) {
        for (int i = handlersItems.size(); i < reasons.size(); i++) {
            CancellationReason reason = reasons.get(i);
            if (OffsetTable.isConditionFailed(reason)) {
                // The last reason is that of the log's owner.
                Item row = rows.get(Math.min(i - handlersItems.size(), rows.size() - 1));
                if (reason.hasItem() && isOwn(Item.of(reason.item()), row)) {
                    return; // an earlier attempt of the same handler call, whose reply was lost
                }
                throw conflict(row);
            }
        }
        table.checkHandlers(reasons, rows.size() + " batch" + (rows.size() == 1 ? "" : "es"));
    }

    private interface Writer {
        CompletionStage<Void> write(List<Item> rows);
    }

    /** Numbers are consecutive, so the next batch waits for the one before. */
    private synchronized CompletionStage<Void> inTurn(Map<String, SeqNrRow> entities, Writer writer) {
        List<BatchItems.Entry> entries = entries(entities);
        CompletableFuture<Void> stored = writing.thenCompose(before -> {
                    List<Item> rows = new ArrayList<>();
                    long number = nextNumber();
                    for (byte[] bytes : BatchItems.encode(entries)) {
                        rows.add(table.batchItem(range, number++, owner, bytes));
                    }
                    return writer.write(rows).thenRun(() -> stored(rows.size(), entries));
                })
                .toCompletableFuture();
        writing = stored.handle((done, failure) -> (Void) null);
        return stored;
    }

    private synchronized long nextNumber() {
        return next;
    }

    private synchronized void stored(int rows, List<BatchItems.Entry> entries) {
        for (int i = 0; i < rows; i++) {
            batches.add(new Batch(next++, newest(entries)));
        }
        entries.forEach(this::keep);
    }

    /**
     * Deletes what only has events before a time. The newest row stays: without it numbers would start again, and a stale
     * instance could store its next batch.
     */
    public CompletionStage<Void> forget(long horizonMicros) {
        List<Long> numbers = new ArrayList<>();
        synchronized (this) {
            window.values().removeIf(row -> row.micros() < horizonMicros);
            for (Batch oldest = batches.peek();
                    oldest != null && oldest.newestMicros() < horizonMicros && batches.size() > 1;
                    oldest = batches.peek()) {
                batches.remove();
                numbers.add(oldest.number());
            }
        }
        return table.deleteBatches(range, numbers);
    }
}
