package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemSize;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.store.AppendPosition;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.Pages;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * Appends rows, each on the condition that its key is free.
 *
 * <p><b>The fence.</b> Every write uses the sequence number right after the end that its writer has seen: for its first event,
 * or, after rejected events, for a tombstone that is marked as deleted, so that the predecessor skips it. Two writers with the
 * same view collide there, and the second is rejected. A row of another persistence id under the same key is not changed; the
 * error names both.
 *
 * <p><b>Atomic writes.</b> One event is one put, at the predecessor's cost. Several go into one transaction, at twice the
 * write units in the table; the predecessor reads it as a whole too. A transaction has at most 100 rows and 4 MB; a larger
 * write is rejected before a request is sent, because the format cannot keep the predecessor from reading half of it. Each row
 * of the write holds its extent in an attribute of ours, so that a replay with an upper bound does not cut it. With {@code
 * atomic-writes = off} rows are stored one by one in order.
 *
 * <p>Atomic writes of one batch are stored one after another, so that a failure leaves no gap.
 */
final class J5Writer {

    private static final int TRANSACTION_ROWS = 100;
    private static final int TRANSACTION_BYTES = 4 << 20;
    /**
     * After this time a writer's view of the end of the log is compared with the table before it is used: hard deletes keep
     * the rows that stop a stale writer for a limited time, see {@link J5Deleter}.
     */
    private static final long VIEW_LIFETIME_MILLIS = TimeUnit.MINUTES.toMillis(1);

    private final Dynamo dynamo;
    private final J5Journal settings;
    private final J5Items items;
    private final J5Reader reader;

    J5Writer(Dynamo dynamo, J5Journal settings, J5Reader reader) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.items = settings.items();
        this.reader = reader;
    }

    CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen) {
        long freshSince = settings.softDelete() ? Long.MIN_VALUE : dynamo.nowMicros() / 1000 - VIEW_LIFETIME_MILLIS;
        CompletionStage<LogEnd> position = new AppendPosition(batch, batch.writer(), seen)
                .find(freshSince, () -> reader.end(batch.persistenceId()));
        return position.thenCompose(last -> {
            List<List<Item>> writes = rows(batch, last);
            return putAll(batch, writes).thenApply(done -> end(batch, writes));
        });
    }

    /** The rows of each atomic write. Rejects what cannot be stored before a request is sent. */
    private List<List<Item>> rows(EventBatch batch, LogEnd last) {
        long ordering = Math.max(batch.timeOr(dynamo.nowMicros()) / 1000, last.timestampMicros() / 1000 + 1);
        long seqNr = batch.firstSeqNr();
        List<List<Item>> writes = new ArrayList<>();
        for (List<Event> write : batch.writes()) {
            List<Item> rows = new ArrayList<>();
            if (writes.isEmpty() && seqNr > last.seqNr() + 1) {
                rows.add(items.tombstoneOfRejected(
                        batch.persistenceId(), batch.writer(), last.seqNr() + 1, seqNr - 1, ordering));
            }
            J5Items.Extent extent = new J5Items.Extent(seqNr, write.size());
            for (Event event : write) {
                // Without a transaction a write may stay incomplete, so its rows do not claim an extent.
                J5Items.Extent stored = settings.atomicWrites() ? extent : new J5Items.Extent(seqNr, 1);
                rows.add(items.event(batch, seqNr, ordering, event, stored));
                seqNr++;
            }
            check(batch, rows, extent);
            writes.add(rows);
            ordering++;
        }
        return writes;
    }

    private void check(EventBatch batch, List<Item> rows, J5Items.Extent extent) {
        long bytes = 0;
        for (Item row : rows) {
            int size = row.size();
            if (size > ItemSize.LIMIT) {
                throw new StoreException.ItemTooLarge(
                        settings.tableName(), batch.persistenceId(), items.seqNr(row), size, ItemSize.LIMIT);
            }
            bytes += size;
        }
        if (settings.atomicWrites()
                && (rows.size() > TRANSACTION_ROWS || (rows.size() > 1 && bytes > TRANSACTION_BYTES))) {
            throw new StoreException.Refused(
                    "The atomic write of " + extent.count() + " events from sequence number " + extent.first() + " of "
                            + batch.persistenceId() + " to table " + settings.tableName() + " takes " + rows.size()
                            + " items of " + bytes
                            + " bytes; the layout j5ik2o stores at most " + TRANSACTION_ROWS + " items and "
                            + TRANSACTION_BYTES + " bytes atomically. Persist fewer events at a time, set"
                            + " atomic-writes = off (rows are then stored one by one, as j5ik2o's plugin does), or move"
                            + " to the layout commits, which has no such limit. Nothing of this write was stored.",
                    null);
        }
    }

    private CompletionStage<Void> putAll(EventBatch batch, List<List<Item>> writes) {
        return Pages.drain(
                0,
                index -> index == writes.size()
                        ? CompletableFuture.completedFuture(null)
                        : put(batch, writes.get(index)).thenApply(done -> index + 1));
    }

    private CompletionStage<Void> put(EventBatch batch, List<Item> rows) {
        if (rows.size() > 1 && settings.atomicWrites()) {
            return putInTransaction(batch, rows);
        }
        return Pages.drain(
                0,
                index -> index == rows.size()
                        ? CompletableFuture.completedFuture(null)
                        : putOne(batch, rows.get(index)).thenApply(done -> index + 1));
    }

    private CompletionStage<Void> putOne(EventBatch batch, Item row) {
        return dynamo.putIf(PutItemRequest.builder()
                        .tableName(settings.tableName())
                        .item(row.attributes())
                        .conditionExpression("attribute_not_exists(#key)")
                        .expressionAttributeNames(keyName()))
                .thenAccept(conflicting -> conflicting.ifPresent(existing -> checkOwn(batch, row, row, existing)));
    }

    private CompletionStage<Void> putInTransaction(EventBatch batch, List<Item> rows) {
        List<TransactWriteItem> puts = rows.stream()
                .map(row -> TransactWriteItem.builder()
                        .put(Put.builder()
                                .tableName(settings.tableName())
                                .item(row.attributes())
                                .conditionExpression("attribute_not_exists(#key)")
                                .expressionAttributeNames(keyName())
                                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                                .build())
                        .build())
                .toList();
        // With the token DynamoDB recognises a retry after a lost reply.
        return dynamo.transact(
                        settings.tableName(),
                        TransactWriteItemsRequest.builder()
                                .transactItems(puts)
                                .clientRequestToken(UUID.randomUUID().toString()))
                .thenAccept(reasons -> {
                    for (int i = 0; i < reasons.size(); i++) {
                        checkReason(batch, rows.get(0), rows.get(i), reasons.get(i));
                    }
                });
    }

    private void checkReason(EventBatch batch, Item first, Item row, CancellationReason reason) {
        if ("ConditionalCheckFailed".equals(reason.code())) {
            checkOwn(batch, first, row, Item.of(reason.item()));
        } else if (!"None".equals(reason.code())) {
            throw new StoreException.Refused(
                    "DynamoDB cancelled the transaction of " + batch.persistenceId() + " at sequence number "
                            + batch.firstSeqNr() + " on table " + settings.tableName() + ": " + reason.code() + " "
                            + reason.message() + ". Nothing of this transaction was stored.",
                    null);
        }
    }

    private Map<String, String> keyName() {
        return Map.of("#key", settings.columns().partitionKey());
    }

    /**
     * After a lost reply the existing row is our own; any other row is a conflict.
     *
     * @param first of the request, of which nothing is stored; earlier atomic writes of the batch may be
     */
    private void checkOwn(EventBatch batch, Item first, Item row, Item existing) {
        String other = items.persistenceId(existing);
        if (!other.equals(batch.persistenceId())) {
            throw J5Collision.of(settings.tableName(), batch.persistenceId(), items.seqNr(row), other);
        }
        if (!items.isSame(row, existing)) {
            throw conflict(
                    batch,
                    items.seqNr(first),
                    items.writer(existing),
                    "Table " + settings.tableName() + " already holds sequence number " + items.seqNr(existing) + ".");
        }
    }

    private LogEnd end(EventBatch batch, List<List<Item>> writes) {
        List<Item> lastWrite = writes.get(writes.size() - 1);
        Item last = lastWrite.get(lastWrite.size() - 1);
        return new LogEnd(items.seqNr(last), items.ordering(last) * 1000, batch.writer(), dynamo.nowMicros() / 1000);
    }

    private static StoreException.WriteConflict conflict(EventBatch batch, long seqNr, String other, String detail) {
        return new StoreException.WriteConflict(
                batch.persistenceId(), Math.max(seqNr, batch.firstSeqNr()), batch.writer(), other, detail);
    }
}
