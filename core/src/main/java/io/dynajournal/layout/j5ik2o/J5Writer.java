package io.dynajournal.layout.j5ik2o;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemSize;
import io.dynajournal.model.Event;
import io.dynajournal.model.EventBatch;
import io.dynajournal.store.LogEnd;
import io.dynajournal.store.Pages;
import io.dynajournal.store.StoreException;
import io.dynajournal.store.WritePlace;
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
 * Appends rows, each under the condition that its key is free.
 *
 * <p><b>The fence.</b> Every write claims the number right behind what its writer has seen: with its first event, or, where
 * numbers of rejected events lie between, with a row that holds no event and is marked as deleted, so that the predecessor
 * passes over it. Two writers with the same view meet there, and the second is refused. A row of another id that stands
 * there is a collision of keys: it is left alone, and the error tells what to do.
 *
 * <p><b>Atomic writes.</b> One event is one put and costs what the predecessor's does. Several go in one transaction, which
 * its reader sees whole as well, at twice the write units in the table. DynamoDB takes up to 100 rows and 4 MB in one; a
 * larger write is refused before anything is sent, because the format knows no mark that would keep the predecessor from
 * reading half of it. {@code atomic-writes = off} gives up the transaction: rows go one by one, upwards. Each row of such a write has an attribute of our own with its extent, so that a replay with an upper
 * bound does not cut it.
 *
 * <p>Atomic writes that arrive together are stored one after another, so that a failure leaves no hole.
 */
final class J5Writer {

    private static final int TRANSACTION_ROWS = 100;
    private static final int TRANSACTION_BYTES = 4 << 20;
    /** Hard deletes remove the rows that stop a stale writer, so an old view is checked before it is used. */
    private static final long VIEW_LIVES_MILLIS = TimeUnit.MINUTES.toMillis(1);

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
        long freshSince = settings.softDelete() ? Long.MIN_VALUE : dynamo.nowMicros() / 1000 - VIEW_LIVES_MILLIS;
        CompletionStage<LogEnd> place =
                new WritePlace(batch, batch.writer(), seen).find(freshSince, () -> reader.end(batch.persistenceId()));
        return place.thenCompose(last -> {
            List<List<Item>> writes = rows(batch, last);
            return putAll(batch, writes).thenApply(done -> end(batch, writes));
        });
    }

    /** The rows of each atomic write, checked before any is sent. */
    private List<List<Item>> rows(EventBatch batch, LogEnd last) {
        long ordering = Math.max(dynamo.nowMicros() / 1000, last.timestampMicros() / 1000 + 1);
        long seqNr = batch.firstSeqNr();
        List<List<Item>> writes = new ArrayList<>();
        for (List<Event> write : batch.writes()) {
            List<Item> rows = new ArrayList<>();
            if (writes.isEmpty() && seqNr > last.seqNr() + 1) {
                rows.add(items.skip(batch.persistenceId(), batch.writer(), last.seqNr() + 1, seqNr - 1, ordering));
            }
            J5Items.Place place = new J5Items.Place(seqNr, write.size());
            for (Event event : write) {
                // Without a transaction a write may stay unfinished, and its extent would never be true.
                J5Items.Place marked = settings.atomicWrites() ? place : new J5Items.Place(seqNr, 1);
                rows.add(items.event(batch.persistenceId(), batch.writer(), seqNr, ordering, event, marked));
                seqNr++;
            }
            check(batch, rows, place);
            writes.add(rows);
            ordering++;
        }
        return writes;
    }

    private void check(EventBatch batch, List<Item> rows, J5Items.Place place) {
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
                    "An atomic write of " + place.count() + " events from number " + place.first() + " of "
                            + batch.persistenceId() + " in table " + settings.tableName() + " makes " + rows.size()
                            + " items of " + bytes
                            + " bytes; in j5ik2o's tables at most " + TRANSACTION_ROWS + " items and "
                            + TRANSACTION_BYTES + " bytes can be stored together. Persist fewer events at once, set"
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
            return putTogether(batch, rows);
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
                .thenAccept(refusal -> refusal.ifPresent(there -> checkOwn(batch, row, there)));
    }

    private CompletionStage<Void> putTogether(EventBatch batch, List<Item> rows) {
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
        // With a token of its own a repetition after a lost reply is one transaction to DynamoDB.
        return dynamo.transact(
                        settings.tableName(),
                        TransactWriteItemsRequest.builder()
                                .transactItems(puts)
                                .clientRequestToken(UUID.randomUUID().toString()))
                .thenAccept(reasons -> {
                    for (int i = 0; i < reasons.size(); i++) {
                        checkReason(batch, rows.get(i), reasons.get(i));
                    }
                });
    }

    private void checkReason(EventBatch batch, Item row, CancellationReason reason) {
        if ("ConditionalCheckFailed".equals(reason.code())) {
            checkOwn(batch, row, Item.of(reason.item()));
        } else if (!"None".equals(reason.code())) {
            throw new StoreException.Refused(
                    "The atomic write from number " + batch.firstSeqNr() + " of " + batch.persistenceId() + " to table "
                            + settings.tableName() + " was refused: " + reason.code() + " " + reason.message(),
                    null);
        }
    }

    private Map<String, String> keyName() {
        return Map.of("#key", settings.columns().partitionKey());
    }

    /** Our own row is there after a lost reply; any other stops us. */
    private void checkOwn(EventBatch batch, Item row, Item there) {
        String other = items.persistenceId(there);
        if (!other.equals(batch.persistenceId())) {
            throw J5Collision.of(settings.tableName(), batch.persistenceId(), items.seqNr(row), other);
        }
        if (!items.isSame(row, there)) {
            throw conflict(batch, items.writer(there), "Number " + items.seqNr(there) + " is taken.");
        }
    }

    private LogEnd end(EventBatch batch, List<List<Item>> writes) {
        List<Item> lastWrite = writes.get(writes.size() - 1);
        Item last = lastWrite.get(lastWrite.size() - 1);
        return new LogEnd(items.seqNr(last), items.ordering(last) * 1000, batch.writer(), dynamo.nowMicros() / 1000);
    }

    private static StoreException.WriteConflict conflict(EventBatch batch, String other, String detail) {
        return new StoreException.WriteConflict(
                batch.persistenceId(), batch.firstSeqNr(), batch.writer(), other, detail);
    }
}
