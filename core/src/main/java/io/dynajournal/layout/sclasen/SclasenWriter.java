package io.dynajournal.layout.sclasen;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemSize;
import io.dynajournal.layout.sclasen.SclasenItems.Entry;
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
 * Appends events. A writer goes on at the number behind the end it saw, and each number is written only while it is free: two
 * writers with the same view meet at the same key. Where an event was rejected the writer leaves numbers out; it takes them
 * with items without payload, or another writer could stand there unseen.
 */
final class SclasenWriter {

    /** DynamoDB's bound on the actions of a transaction, less one for the high mark. */
    static final int MOST_EVENTS = 99;

    private static final int MOST_ACTIONS = 100;

    /** DynamoDB's bound on the items of a transaction together: 4 MB. */
    private static final long TRANSACTION_BYTES = 4L << 20;

    private static final String CONDITION_FAILED = "ConditionalCheckFailed";
    private static final Map<String, String> KEY_NAME = Map.of("#key", SclasenItems.KEY);

    /** A stub of 0.3 stands where something was deleted or confirmed that was never there: it holds no place. */
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

    /** Entries that are stored together. */
    private record Step(List<Entry> entries, boolean withMark) {
        boolean isOnePut() {
            return entries.size() == 1 && !withMark;
        }

        long last() {
            return entries.get(entries.size() - 1).seqNr();
        }
    }

    CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen) {
        long millis = Math.max(dynamo.nowMicros(), seen == null ? 0 : seen.timestampMicros()) / 1000;
        List<List<Entry>> writes = writes(batch, millis);
        // A view of any age will do: what stops a stale writer stays, and behind permanent deletes we look afterwards.
        return new WritePlace(batch, batch.writer(), seen)
                .find(Long.MIN_VALUE, () -> look(batch))
                .thenCompose(end -> {
                    List<Step> steps = steps(batch, end.seqNr(), writes);
                    return Pages.drain(
                            0,
                            at -> at == steps.size()
                                    ? CompletableFuture.completedFuture(null)
                                    : run(batch, steps.get(at)).thenApply(done -> at + 1));
                })
                .thenCompose(stored -> isOne(last(writes)) ? mark(batch) : CompletableFuture.completedFuture(null))
                .thenCompose(marked -> checkNotDeleted(batch))
                .thenApply(checked ->
                        new LogEnd(batch.lastSeqNr(), millis * 1000, batch.writer(), dynamo.nowMicros() / 1000));
    }

    private static boolean isOne(List<Entry> write) {
        return write.size() == 1;
    }

    private static <T> T last(List<T> list) {
        return list.get(list.size() - 1);
    }

    /** All that can be refused is refused here, before the first request. */
    private List<List<Entry>> writes(EventBatch batch, long millis) {
        List<List<Entry>> writes = new ArrayList<>();
        long number = batch.firstSeqNr();
        for (List<Event> write : batch.writes()) {
            if (write.size() > MOST_EVENTS) {
                throw refused(
                        batch,
                        number,
                        "has " + write.size() + " events in one persistAll; this layout stores up to " + MOST_EVENTS
                                + " of them as one. Persist fewer at a time, or move to the layout commits, which has no"
                                + " such limit.");
            }
            List<Entry> entries = new ArrayList<>();
            long size = 0;
            for (Event event : write) {
                if (!event.tags().isEmpty()) {
                    throw refused(
                            batch,
                            number,
                            "has the tags " + event.tags()
                                    + ", which this layout cannot store. Do not tag, or move to a"
                                    + " layout with tags.");
                }
                Item item = items.event(batch.persistenceId(), number, batch.writer(), millis, event);
                if (write.size() > 1) {
                    item.number(SclasenItems.IDX, entries.size()).number(SclasenItems.CNT, write.size());
                }
                if (item.size() > ItemSize.LIMIT) {
                    throw new StoreException.ItemTooLarge(
                            settings.tableName(), batch.persistenceId(), number, item.size(), ItemSize.LIMIT);
                }
                size += item.size();
                entries.add(new Entry(number, item));
                number++;
            }
            if (write.size() > 1 && size > TRANSACTION_BYTES) {
                throw refused(
                        batch,
                        entries.get(0).seqNr(),
                        "and what is persisted with it take " + size + " bytes; a transaction stores "
                                + TRANSACTION_BYTES + ". Persist less at a time, or move to the layout commits.");
            }
            writes.add(entries);
        }
        return writes;
    }

    private StoreException.Refused refused(EventBatch batch, long number, String why) {
        return new StoreException.Refused(
                "Event " + number + " of " + batch.persistenceId() + " for table " + settings.tableName() + " " + why
                        + " Nothing was stored.",
                null);
    }

    /** Where the log of a writer ends that does not know. All marks would cost a thousand units. */
    private CompletionStage<LogEnd> look(EventBatch batch) {
        long before = batch.firstSeqNr() - 1;
        LogEnd right = new LogEnd(before, 0, "", 0);
        if (before == 0) {
            return CompletableFuture.completedFuture(right);
        }
        // If the number before is there, nothing lies between.
        return reader.entries(batch.persistenceId(), LongStream.of(before))
                .thenCompose(entries -> entries.stream().anyMatch(Entry::isTaken)
                        ? CompletableFuture.completedFuture(right)
                        : reader.look(batch.persistenceId()).thenApply(view -> view.logEnd(0)));
    }

    /** What is sent, in order. Left-out numbers go with the first write if there is room. */
    private List<Step> steps(EventBatch batch, long end, List<List<Entry>> writes) {
        List<Step> steps = new ArrayList<>();
        List<Entry> fillers = LongStream.range(end + 1, batch.firstSeqNr())
                .mapToObj(number -> new Entry(number, items.filler(batch.persistenceId(), number, batch.writer())))
                .toList();
        int room = MOST_EVENTS - writes.get(0).size();
        int before = fillers.size() > room ? fillers.size() : 0;
        for (int from = 0; from < before; from += MOST_ACTIONS) {
            steps.add(new Step(fillers.subList(from, Math.min(before, from + MOST_ACTIONS)), false));
        }
        for (int i = 0; i < writes.size(); i++) {
            List<Entry> entries = new ArrayList<>(i == 0 ? fillers.subList(before, fillers.size()) : List.of());
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
                .thenAccept(refusal -> refusal.ifPresent(there -> checkOwn(batch, entry, there)));
    }

    private void checkOwn(EventBatch batch, Entry ours, Item item) {
        Entry there = new Entry(ours.seqNr(), item);
        if (!ours.isSameAs(there)) {
            throw conflict(batch, there.writer(), "Number " + there.seqNr() + " is taken.");
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
        // The token is the same for all repetitions, so DynamoDB itself recognises one whose first reply was lost.
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
                // Checked last: if the events are our own, so is the mark.
                if (own < step.entries().size()) {
                    throw conflict(batch, "", "A high mark says that number " + step.last() + " was used.");
                }
            } else {
                checkOwn(batch, step.entries().get(i), Item.of(reason.item()));
                own++;
            }
        }
        if (own < step.entries().size()) {
            throw new StoreException.Refused(
                    "The transaction with number " + batch.firstSeqNr() + " of " + batch.persistenceId() + " on table "
                            + settings.tableName() + " was refused: "
                            + reasons.stream()
                                    .map(CancellationReason::code)
                                    .distinct()
                                    .toList(),
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

    /** An update, because the mark of shard 0 also tells what is deleted. */
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

    /** The condition fails for a repetition, and for one that comes so late that the mark is higher: both are well. */
    private CompletionStage<Void> mark(EventBatch batch) {
        Update mark = markOf(batch.persistenceId(), batch.lastSeqNr());
        return dynamo.updateIf(UpdateItemRequest.builder()
                        .tableName(mark.tableName())
                        .key(mark.key())
                        .updateExpression(mark.updateExpression())
                        .conditionExpression(mark.conditionExpression())
                        .expressionAttributeValues(mark.expressionAttributeValues()))
                .thenAccept(marked -> {});
    }

    /**
     * Where deletes remove items, a number that another writer wrote and deleted is free again. What a stale writer puts there
     * is behind {@code deletedTo}, so nobody sees it; it is taken away, and its writer learns of it.
     */
    private CompletionStage<Void> checkNotDeleted(EventBatch batch) {
        if (!settings.permanentDeletes()) {
            return CompletableFuture.completedFuture(null);
        }
        return reader.deletedTo(batch.persistenceId()).thenCompose(deletedTo -> {
            if (deletedTo < batch.firstSeqNr()) {
                return CompletableFuture.completedFuture(null);
            }
            List<Map<String, AttributeValue>> keys = LongStream.rangeClosed(
                            batch.firstSeqNr(), Math.min(deletedTo, batch.lastSeqNr()))
                    .mapToObj(number -> items.eventKey(batch.persistenceId(), number))
                    .map(key -> Map.of(SclasenItems.KEY, AttributeValue.fromS(key)))
                    .toList();
            return dynamo.deleteAll(settings.tableName(), keys).thenAccept(removed -> {
                throw conflict(batch, "", "The log is deleted up to " + deletedTo + ".");
            });
        });
    }

    private static StoreException.WriteConflict conflict(EventBatch batch, String other, String detail) {
        return new StoreException.WriteConflict(
                batch.persistenceId(), batch.firstSeqNr(), batch.writer(), other, detail);
    }
}
