package io.dynajournal.internal.layout.sclasen;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.sclasen.SclasenItems.Entry;
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
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Appends events. A writer continues at the sequence number after the end it saw, and stores each item only if its key is
 * free: two writers with the same view collide at the same key. The sequence numbers of rejected events get tombstones, so
 * that no other writer can use them unseen.
 */
final class SclasenWriter {

    /** DynamoDB's limit of actions per transaction, less one for the high mark. */
    static final int MAX_EVENTS = 99;

    private static final int MAX_ACTIONS = 100;

    /** DynamoDB's limit for all items of a transaction: 4 MB. */
    private static final long MAX_TRANSACTION_BYTES = 4L << 20;

    private static final String CONDITION_FAILED = "ConditionalCheckFailed";
    private static final Map<String, String> KEY_NAME = Map.of("#key", SclasenItems.KEY);

    /** 0.3 creates an item without payload when it deletes or confirms an event that does not exist; it counts as free. */
    private static final String IS_FREE =
            "attribute_not_exists(#key) OR (attribute_not_exists(payload) AND attribute_not_exists(writer))";

    private static final String RISES = "attribute_not_exists(sequenceNr) OR sequenceNr < :n";

    private final Dynamo dynamo;
    private final SclasenJournal settings;
    private final SclasenItems items;
    private final SclasenReader reader;

    SclasenWriter(Dynamo dynamo, SclasenJournal settings, SclasenReader reader) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.items = settings.items();
        this.reader = reader;
    }

    /** Items that are stored together. */
    private record Step(List<Entry> entries, boolean withMark) {
        boolean isOnePut() {
            return entries.size() == 1 && !withMark;
        }

        long last() {
            return entries.get(entries.size() - 1).seqNr();
        }
    }

    CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen) {
        long millis = Math.max(batch.timeOr(dynamo.nowMicros()), seen == null ? 0 : seen.timestampMicros()) / 1000;
        List<List<Entry>> writes = writes(batch, millis);
        // A view of any age is safe: marked items stop a stale writer, and with permanent deletes the write is checked
        // after.
        return new AppendPosition(batch, batch.writer(), seen)
                .find(Long.MIN_VALUE, () -> endBefore(batch))
                .thenCompose(end -> {
                    List<Step> steps = steps(batch, end.seqNr(), writes);
                    return Pages.drain(
                                    0,
                                    at -> at == steps.size()
                                            ? CompletableFuture.completedFuture(null)
                                            : run(batch, steps.get(at)).thenApply(done -> at + 1))
                            .thenCompose(stored ->
                                    isOne(last(writes)) ? mark(batch) : CompletableFuture.completedFuture(null))
                            .thenCompose(marked -> checkNotDeleted(batch, end.seqNr() + 1));
                })
                .thenApply(checked ->
                        new LogEnd(batch.lastSeqNr(), millis * 1000, batch.writer(), dynamo.nowMicros() / 1000));
    }

    private static boolean isOne(List<Entry> write) {
        return write.size() == 1;
    }

    private static <T> T last(List<T> list) {
        return list.get(list.size() - 1);
    }

    /** The items of each atomic write. Rejects what cannot be stored before a request is sent. */
    private List<List<Entry>> writes(EventBatch batch, long millis) {
        List<List<Entry>> writes = new ArrayList<>();
        long seqNr = batch.firstSeqNr();
        for (List<Event> write : batch.writes()) {
            if (write.size() > MAX_EVENTS) {
                throw rejected(
                        batch,
                        seqNr,
                        "is the first of " + write.size()
                                + " events of one persistAll; the layout sclasen stores at most "
                                + MAX_EVENTS + " atomically. Persist fewer events at a time, or move to the layout"
                                + " commits, which has no such limit.");
            }
            List<Entry> entries = new ArrayList<>();
            long size = 0;
            for (Event event : write) {
                if (!event.tags().isEmpty()) {
                    throw rejected(
                            batch,
                            seqNr,
                            "has tags, which the layout sclasen cannot store. Remove the tags, or"
                                    + " move to the layout commits.");
                }
                Item item = items.event(batch.persistenceId(), seqNr, batch.writer(), millis, event);
                if (write.size() > 1) {
                    item.number(SclasenItems.IDX, entries.size()).number(SclasenItems.CNT, write.size());
                }
                if (item.size() > JournalLayout.MAX_UPDATABLE_BYTES) {
                    throw new StoreException.ItemTooLarge(
                            settings.tableName(),
                            batch.persistenceId(),
                            seqNr,
                            item.size(),
                            JournalLayout.MAX_UPDATABLE_BYTES);
                }
                size += item.size();
                entries.add(new Entry(seqNr, item));
                seqNr++;
            }
            if (write.size() > 1 && size > MAX_TRANSACTION_BYTES) {
                throw rejected(
                        batch,
                        entries.get(0).seqNr(),
                        "and the events persisted with it take " + size + " bytes; a transaction stores at most "
                                + MAX_TRANSACTION_BYTES
                                + ". Persist fewer events at a time, or move to the layout commits.");
            }
            writes.add(entries);
        }
        return writes;
    }

    private StoreException.Refused rejected(EventBatch batch, long seqNr, String why) {
        return new StoreException.Refused(
                "Event " + seqNr + " of " + batch.persistenceId() + " for table " + settings.tableName() + " " + why
                        + " Nothing was stored.",
                null);
    }

    /** The end of the log for a writer without a view. Reads all marks, a thousand units, only if one item does not do. */
    private CompletionStage<LogEnd> endBefore(EventBatch batch) {
        long before = batch.firstSeqNr() - 1;
        if (before == 0) {
            return CompletableFuture.completedFuture(new LogEnd(0, 0, "", 0));
        }
        return reader.entries(batch.persistenceId(), LongStream.of(before))
                .thenCompose(entries -> entries.stream()
                        .filter(Entry::isTaken)
                        .findFirst()
                        .<CompletionStage<LogEnd>>map(
                                entry -> CompletableFuture.completedFuture(new LogEnd(before, 0, entry.writer(), 0)))
                        .orElseGet(() -> reader.view(batch.persistenceId()).thenApply(view -> view.logEnd(0))));
    }

    /** The requests in order. The tombstones of rejected events go with the first write if they fit. */
    private List<Step> steps(EventBatch batch, long end, List<List<Entry>> writes) {
        List<Step> steps = new ArrayList<>();
        List<Entry> tombstones = LongStream.range(end + 1, batch.firstSeqNr())
                .mapToObj(seqNr -> new Entry(seqNr, items.tombstone(batch.persistenceId(), seqNr, batch.writer())))
                .toList();
        int room = MAX_EVENTS - writes.get(0).size();
        int before = tombstones.size() > room ? tombstones.size() : 0;
        for (int from = 0; from < before; from += MAX_ACTIONS) {
            steps.add(new Step(tombstones.subList(from, Math.min(before, from + MAX_ACTIONS)), false));
        }
        for (int i = 0; i < writes.size(); i++) {
            List<Entry> entries = new ArrayList<>(i == 0 ? tombstones.subList(before, tombstones.size()) : List.of());
            entries.addAll(writes.get(i));
            steps.add(new Step(entries, i == writes.size() - 1 && !isOne(writes.get(i))));
        }
        return steps;
    }

    private CompletionStage<Void> run(EventBatch batch, Step step) {
        return step.isOnePut() ? put(batch, step.entries().get(0)) : transact(batch, step);
    }

    private CompletionStage<Void> put(EventBatch batch, Entry entry) {
        return dynamo.putIf(PutItemRequest.builder()
                        .tableName(settings.tableName())
                        .item(entry.item().attributes())
                        .conditionExpression(IS_FREE)
                        .expressionAttributeNames(KEY_NAME))
                .thenAccept(conflicting ->
                        conflicting.ifPresent(existing -> checkOwn(batch, entry.seqNr(), entry, existing)));
    }

    /** @param first the first sequence number of the request, of which nothing is stored; earlier ones of the batch may be */
    private void checkOwn(EventBatch batch, long first, Entry ours, Item item) {
        Entry existing = new Entry(ours.seqNr(), item);
        if (!ours.isSameAs(existing)) {
            throw conflict(
                    batch,
                    first,
                    existing.writer(),
                    "Table " + settings.tableName() + " already holds sequence number " + existing.seqNr() + ".");
        }
    }

    private CompletionStage<Void> transact(EventBatch batch, Step step) {
        List<TransactWriteItem> actions = new ArrayList<>();
        for (Entry entry : step.entries()) {
            actions.add(TransactWriteItem.builder().put(putOf(entry)).build());
        }
        if (step.withMark()) {
            actions.add(TransactWriteItem.builder()
                    .update(markOf(batch.persistenceId(), step.last()))
                    .build());
        }
        // With the token DynamoDB recognises a retry after a lost reply.
        return dynamo.transact(
                        settings.tableName(),
                        TransactWriteItemsRequest.builder()
                                .transactItems(actions)
                                .clientRequestToken(UUID.randomUUID().toString()))
                .thenAccept(reasons -> checkStored(batch, step, reasons));
    }

    private void checkStored(EventBatch batch, Step step, List<CancellationReason> reasons) {
        if (reasons.isEmpty()) {
            return;
        }
        int own = 0;
        for (int i = 0; i < reasons.size(); i++) {
            CancellationReason reason = reasons.get(i);
            if (!CONDITION_FAILED.equals(reason.code())) {
                continue;
            }
            if (i == step.entries().size()) {
                // Checked after the events: if these are our own, so is the mark.
                if (own < step.entries().size()) {
                    throw conflict(
                            batch,
                            step.entries().get(0).seqNr(),
                            "",
                            "A high mark in table " + settings.tableName() + " shows that sequence number "
                                    + step.last() + " was used.");
                }
            } else {
                checkOwn(batch, step.entries().get(0).seqNr(), step.entries().get(i), Item.of(reason.item()));
                own++;
            }
        }
        if (own < step.entries().size()) {
            throw new StoreException.Refused(
                    "DynamoDB cancelled the transaction of " + batch.persistenceId() + " at sequence number "
                            + batch.firstSeqNr() + " on table " + settings.tableName() + ": "
                            + reasons.stream()
                                    .map(CancellationReason::code)
                                    .distinct()
                                    .toList()
                            + ". Nothing of this transaction was stored.",
                    null);
        }
    }

    private Put putOf(Entry entry) {
        return Put.builder()
                .tableName(settings.tableName())
                .item(entry.item().attributes())
                .conditionExpression(IS_FREE)
                .expressionAttributeNames(KEY_NAME)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
    }

    /** An update instead of a put, because the mark of shard 0 also holds {@code deletedTo}. */
    private Update markOf(String persistenceId, long seqNr) {
        return Update.builder()
                .tableName(settings.tableName())
                .key(markKey(persistenceId, seqNr))
                .updateExpression("SET sequenceNr = :n")
                .conditionExpression(RISES)
                .expressionAttributeValues(Map.of(":n", AttributeValue.fromN(Long.toString(seqNr))))
                .build();
    }

    private Map<String, AttributeValue> markKey(String persistenceId, long seqNr) {
        return Map.of(SclasenItems.KEY, AttributeValue.fromS(items.highMarkKey(persistenceId, seqNr)));
    }

    /** The condition fails for a retry, and for a late request that finds a higher mark; neither is an error. */
    private CompletionStage<Void> mark(EventBatch batch) {
        return mark(batch.persistenceId(), batch.lastSeqNr());
    }

    /** Raises the high mark to a sequence number. Does nothing if it is as high already. */
    CompletionStage<Void> mark(String persistenceId, long seqNr) {
        Update mark = markOf(persistenceId, seqNr);
        return dynamo.updateIf(UpdateItemRequest.builder()
                        .tableName(mark.tableName())
                        .key(mark.key())
                        .updateExpression(mark.updateExpression())
                        .conditionExpression(mark.conditionExpression())
                        .expressionAttributeValues(mark.expressionAttributeValues()))
                .thenAccept(existing -> {});
    }

    /**
     * With permanent deletes, a sequence number that another writer used and deleted more than a day ago is free again: see
     * {@link SclasenDeleter}. What a stale writer stores there is removed as a whole, and the write fails.
     *
     * @param first the first sequence number of the write, tombstones of rejected events included
     */
    private CompletionStage<Void> checkNotDeleted(EventBatch batch, long first) {
        if (!settings.permanentDeletes()) {
            return CompletableFuture.completedFuture(null);
        }
        return reader.deletedTo(batch.persistenceId()).thenCompose(deletedTo -> {
            if (deletedTo < first) {
                return CompletableFuture.completedFuture(null);
            }
            List<Map<String, AttributeValue>> keys = LongStream.rangeClosed(first, batch.lastSeqNr())
                    .mapToObj(seqNr -> items.eventKey(batch.persistenceId(), seqNr))
                    .map(key -> Map.of(SclasenItems.KEY, AttributeValue.fromS(key)))
                    .toList();
            return dynamo.deleteAll(settings.tableName(), keys).thenAccept(removed -> {
                throw StoreException.WriteConflict.afterDelete(
                        batch.persistenceId(),
                        batch.firstSeqNr(),
                        batch.writer(),
                        "The log in table " + settings.tableName() + " is deleted up to sequence number " + deletedTo
                                + ".");
            });
        });
    }

    private static StoreException.WriteConflict conflict(EventBatch batch, long seqNr, String other, String detail) {
        return new StoreException.WriteConflict(
                batch.persistenceId(), Math.max(seqNr, batch.firstSeqNr()), batch.writer(), other, detail);
    }
}
