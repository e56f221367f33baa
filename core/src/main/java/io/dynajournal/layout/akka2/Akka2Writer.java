package io.dynajournal.layout.akka2;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemSize;
import io.dynajournal.layout.akka2.Akka2Items.Row;
import io.dynajournal.layout.akka2.Akka2Table.WriteState;
import io.dynajournal.model.Event;
import io.dynajournal.model.EventBatch;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.store.LogEnd;
import io.dynajournal.store.Pages;
import io.dynajournal.store.StoreException;
import io.dynajournal.store.WritePlace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Appends events, with the predecessor's requests: a put for one event, a transaction for several, at the same price. What
 * is new is the condition: nothing may stand at a number that is written, except what has expired. The predecessor's
 * numbering begins anew when all events of an id have expired, while their items may still be there for days.
 *
 * <p>When numbers were rejected, the first of them gets a tombstone in the same transaction as the event behind them. Two
 * writers that saw the same end therefore always meet at the number behind it, whatever each had rejected. That is the one
 * case in which an event costs more than it did.
 *
 * <p>A write of more than 100 events or 4 MB, which the predecessor fails, takes several transactions: the first event is
 * stored as open, then the others, then the first one's mark is removed, and only that makes the write visible to our
 * readers: one update more than the events themselves. The next writer takes the place of a write that stays open. The
 * predecessor's reader knows no such mark: while the write is under way, or after it was given up, it sees the events
 * stored so far, in order and from the first on.
 */
final class Akka2Writer {

    /** DynamoDB's limit for one transaction. */
    private static final int TRANSACTION_ITEMS = 100;

    /** A little below DynamoDB's 4 MB. */
    private static final int TRANSACTION_BYTES = 4_000_000;

    /**
     * How old a view may be that is used unchecked. A hard delete leaves nothing below its tombstone that could stop a
     * writer who has missed both the events and their deletion, so one that was away for long looks first.
     */
    private static final long VIEW_MILLIS = Duration.ofMinutes(1).toMillis();

    /** Each attempt gets rid of leftovers of one writer or more; so many do not come together. */
    private static final int ATTEMPTS = 10;

    private final Dynamo dynamo;
    private final Akka2Journal settings;
    private final Akka2Table table;
    private final Akka2Reader reader;
    private final AtomicLong lastMicros = new AtomicLong();

    Akka2Writer(Dynamo dynamo, Akka2Journal settings, Akka2Table table, Akka2Reader reader) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.table = table;
        this.reader = reader;
    }

    CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen) {
        CompletionStage<LogEnd> place = new WritePlace(batch, batch.writer(), seen)
                .find(
                        dynamo.nowMicros() / 1000 - VIEW_MILLIS,
                        () -> reader.end(batch.persistenceId()),
                        Akka2Writer::isUnchanged);
        return place.thenCompose(last -> {
            List<Step> steps = steps(batch, last);
            AtomicReference<LogEnd> end = new AtomicReference<>(last);
            return Pages.drain(
                            0,
                            index -> index == steps.size()
                                    ? CompletableFuture.completedFuture(null)
                                    : run(batch, steps.get(index)).thenApply(row -> {
                                        end.set(new LogEnd(
                                                row.seqNr(), row.ts(), row.writer(), dynamo.nowMicros() / 1000));
                                        return index + 1;
                                    }))
                    .thenApply(done -> end.get());
        });
    }

    /** A lower number is no conflict: the last events may have expired. */
    private static boolean isUnchanged(LogEnd seen, LogEnd now) {
        return now.seqNr() <= seen.seqNr() && now.timestampMicros() <= seen.timestampMicros();
    }

    /** Items that go in one transaction, or those of a large write, which go in several. */
    private record Step(List<Item> items, boolean large) {}

    private List<Step> steps(EventBatch batch, LogEnd last) {
        Duration life = settings.timeToLive().of(batch.persistenceId()).events();
        // One more for the tombstone. Each event has a time of its own, as the predecessor's queries need it.
        long micros = Math.max(last.timestampMicros() + 1, reserveMicros(batch.size() + 1));
        List<Step> steps = new ArrayList<>();
        List<Item> gathered = new ArrayList<>();
        long gatheredBytes = 0;
        if (batch.firstSeqNr() > last.seqNr() + 1) {
            gathered.add(Akka2Items.rejected(
                    batch.persistenceId(), last.seqNr() + 1, batch.firstSeqNr() - 1, micros, batch.writer()));
        }
        long seqNr = batch.firstSeqNr();
        for (List<Event> write : batch.writes()) {
            List<Item> items = new ArrayList<>();
            long bytes = 0;
            long lastOfWrite = seqNr + write.size() - 1;
            for (Event event : write) {
                long time = micros + 1 + seqNr - batch.firstSeqNr();
                Item item = Akka2Items.event(
                        new StoredEvent(batch.persistenceId(), seqNr, time, batch.writer(), event), life);
                if (write.size() > 1) {
                    item.number(Akka2Items.LAST, lastOfWrite);
                }
                if (item.size() > ItemSize.LIMIT) {
                    throw new StoreException.ItemTooLarge(
                            settings.tableName(), batch.persistenceId(), seqNr, item.size(), ItemSize.LIMIT);
                }
                items.add(item);
                bytes += item.size();
                seqNr++;
            }
            boolean large = items.size() > TRANSACTION_ITEMS || bytes > TRANSACTION_BYTES;
            boolean full =
                    gathered.size() + items.size() > TRANSACTION_ITEMS || gatheredBytes + bytes > TRANSACTION_BYTES;
            if (large || full) {
                if (!gathered.isEmpty()) {
                    steps.add(new Step(gathered, false));
                }
                gathered = new ArrayList<>();
                gatheredBytes = 0;
            }
            if (large) {
                steps.add(new Step(marked(items), true));
            } else {
                gathered.addAll(items);
                gatheredBytes += bytes;
            }
        }
        if (!gathered.isEmpty()) {
            steps.add(new Step(gathered, false));
        }
        return steps;
    }

    private static List<Item> marked(List<Item> items) {
        String write = UUID.randomUUID().toString();
        long first = items.get(0).number(Akka2Items.SEQ_NR);
        items.forEach(item -> item.number(Akka2Items.FIRST, first).text(Akka2Items.WRITE, write));
        items.get(0).flag(Akka2Items.OPEN, true);
        return items;
    }

    /** Times that no other event of this process has. */
    private long reserveMicros(int count) {
        long now = dynamo.nowMicros();
        return lastMicros.updateAndGet(last -> Math.max(now, last + 1) + count - 1) - count + 1;
    }

    /** Gives the last item of the step as it is stored. */
    private CompletionStage<Row> run(EventBatch batch, Step step) {
        List<Item> items = step.items();
        if (!step.large()) {
            return store(batch, items);
        }
        return store(batch, items.subList(0, 1))
                .thenCompose(opened -> Pages.drain(1, from -> {
                    if (from == items.size()) {
                        return CompletableFuture.completedFuture(null);
                    }
                    int to = from;
                    long bytes = 0;
                    while (to < items.size()
                            && to - from < TRANSACTION_ITEMS
                            && bytes + items.get(to).size() <= TRANSACTION_BYTES) {
                        bytes += items.get(to).size();
                        to++;
                    }
                    int next = to;
                    return store(batch, items.subList(from, next)).thenApply(stored -> next);
                }))
                .thenCompose(stored -> commit(batch, Akka2Items.row(items.get(0))))
                .thenApply(committed -> Akka2Items.row(items.get(items.size() - 1)));
    }

    /** The one step that makes a large write visible. */
    private CompletionStage<Void> commit(EventBatch batch, Row first) {
        return dynamo.updateIf(UpdateItemRequest.builder()
                        .tableName(settings.tableName())
                        .key(Akka2Table.key(batch.persistenceId(), first.seqNr()))
                        .updateExpression("REMOVE #dj_open")
                        .conditionExpression("#dj_write = :write AND attribute_exists(#dj_open)")
                        .expressionAttributeNames(Akka2Table.names(List.of(Akka2Items.OPEN, Akka2Items.WRITE)))
                        .expressionAttributeValues(
                                Map.of(":write", AttributeValue.fromS(String.valueOf(first.write())))))
                .thenAccept(refusal -> {
                    if (refusal.isEmpty()) {
                        return;
                    }
                    // After a lost reply our own commit is what refuses the repetition.
                    boolean own =
                            String.valueOf(first.write()).equals(refusal.get().textOr(Akka2Items.WRITE, null));
                    if (!own) {
                        throw conflict(
                                batch,
                                String.valueOf(refusal.get().textOr(Akka2Items.WRITER, "")),
                                "It took the place of this write before it was complete.");
                    }
                });
    }

    /** One event by a put, several by a transaction; gives the last item as it is stored. */
    private CompletionStage<Row> store(EventBatch batch, List<Item> items) {
        Attempt first = new Attempt(Set.of(), 1);
        Row last = Akka2Items.row(items.get(items.size() - 1));
        AtomicReference<Row> stored = new AtomicReference<>(last);
        return Pages.<Attempt>drain(first, attempt -> {
                    Attempt now = attempt == null ? first : attempt;
                    return send(batch, items, now).thenCompose(refused -> {
                        List<Refusal> foreign = refused.stream()
                                .filter(refusal -> !refusal.ours().isSameAs(refusal.there()))
                                .toList();
                        if (!foreign.isEmpty()) {
                            return clear(batch, items, foreign, now);
                        }
                        refused.stream()
                                .map(Refusal::there)
                                .filter(there -> there.seqNr() == last.seqNr())
                                .forEach(stored::set);
                        return CompletableFuture.<@Nullable Attempt>completedFuture(null);
                    });
                })
                .thenApply(done -> stored.get());
    }

    /**
     * @param leftovers names of large writes whose items may be replaced
     * @param number from 1
     */
    private record Attempt(Set<String> leftovers, int number) {}

    private record Refusal(Row ours, Row there) {}

    private CompletionStage<List<Refusal>> send(EventBatch batch, List<Item> items, Attempt attempt) {
        Fence fence = fence(batch.persistenceId(), attempt.leftovers());
        if (items.size() == 1) {
            Item item = items.get(0);
            return dynamo.putIf(PutItemRequest.builder()
                            .tableName(settings.tableName())
                            .item(item.attributes())
                            .conditionExpression(fence.condition())
                            .expressionAttributeNames(fence.names())
                            .expressionAttributeValues(fence.valuesOrNull()))
                    .thenApply(refusal ->
                            refusal.map(there -> List.of(refusal(item, there))).orElse(List.of()));
        }
        // The token makes a repetition after a lost reply succeed instead of meeting itself.
        return dynamo.transact(
                        settings.tableName(),
                        TransactWriteItemsRequest.builder()
                                .clientRequestToken(UUID.randomUUID().toString())
                                .transactItems(items.stream()
                                        .map(item -> TransactWriteItem.builder()
                                                .put(put(item, fence))
                                                .build())
                                        .toList()))
                .thenApply(reasons -> refusals(batch, items, reasons));
    }

    private Put put(Item item, Fence fence) {
        return Put.builder()
                .tableName(settings.tableName())
                .item(item.attributes())
                .conditionExpression(fence.condition())
                .expressionAttributeNames(fence.names())
                .expressionAttributeValues(fence.valuesOrNull())
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
    }

    private List<Refusal> refusals(EventBatch batch, List<Item> items, List<CancellationReason> reasons) {
        List<Refusal> refusals = new ArrayList<>();
        for (int i = 0; i < reasons.size(); i++) {
            if ("ConditionalCheckFailed".equals(reasons.get(i).code())) {
                refusals.add(refusal(items.get(i), Item.of(reasons.get(i).item())));
            }
        }
        if (refusals.isEmpty() && !reasons.isEmpty()) {
            throw new StoreException.Refused(
                    "The transaction for " + batch.persistenceId() + " at " + batch.firstSeqNr() + " on table "
                            + settings.tableName() + " was cancelled: "
                            + reasons.stream()
                                    .map(reason -> reason.code() + " " + reason.message())
                                    .distinct()
                                    .toList(),
                    null);
        }
        return refusals;
    }

    private static Refusal refusal(Item ours, Item there) {
        Row row = Akka2Items.row(ours);
        // Without the item, all that is known is that there is one.
        return new Refusal(
                row, there.has(Akka2Items.SEQ_NR) ? Akka2Items.row(there) : new Row(there, row.seqNr(), 0, "", null));
    }

    /**
     * @param condition what must hold for each item that is put
     */
    private record Fence(String condition, Map<String, String> names, Map<String, AttributeValue> values) {

        /** DynamoDB takes no empty map. */
        @Nullable
        Map<String, AttributeValue> valuesOrNull() {
            return values.isEmpty() ? null : values;
        }
    }

    private Fence fence(String persistenceId, Set<String> leftovers) {
        StringBuilder condition = new StringBuilder("attribute_not_exists(#pid)");
        Map<String, String> names = new HashMap<>(Map.of("#pid", Akka2Items.PID));
        Map<String, AttributeValue> values = new HashMap<>();
        if (table.checksExpiry(persistenceId)) {
            condition.append(" OR (#expiry <= :now AND attribute_not_exists(#del))");
            names.putAll(Akka2Table.names(List.of(Akka2Items.EXPIRY, Akka2Items.DEL)));
            values.put(":now", Akka2Table.number(table.nowSeconds()));
        }
        if (!leftovers.isEmpty()) {
            // The first event of a large write may be replaced only while it is open.
            condition.append(" OR ((#dj_first <> #seq_nr OR attribute_exists(#dj_open)) AND #dj_write IN (");
            names.putAll(
                    Akka2Table.names(List.of(Akka2Items.FIRST, Akka2Items.SEQ_NR, Akka2Items.OPEN, Akka2Items.WRITE)));
            int number = 0;
            for (String leftover : leftovers) {
                condition.append(number == 0 ? "" : ", ").append(":w").append(number);
                values.put(":w" + number, AttributeValue.fromS(leftover));
                number++;
            }
            condition.append("))");
        }
        return new Fence(condition.toString(), names, values);
    }

    /** What to try next where something stands in the way: leftovers are no obstacle, everything else is a conflict. */
    private CompletionStage<@Nullable Attempt> clear(
            EventBatch batch, List<Item> items, List<Refusal> foreign, Attempt attempt) {
        Optional<Refusal> taken = foreign.stream()
                .filter(refusal -> refusal.there().write() == null)
                .findFirst();
        if (taken.isPresent()) {
            throw conflict(batch, taken.get().there());
        }
        if (attempt.number() == ATTEMPTS) {
            throw new StoreException.Unavailable(
                    "Number " + batch.firstSeqNr() + " of " + batch.persistenceId()
                            + " was not stored: leftovers of other writers came back " + ATTEMPTS + " times",
                    null);
        }
        Set<String> leftovers = new HashSet<>(attempt.leftovers());
        return Pages.drain(
                        0,
                        index -> index == foreign.size()
                                ? CompletableFuture.completedFuture(null)
                                : replaceable(batch, items, foreign.get(index).there(), leftovers)
                                        .thenApply(done -> index + 1))
                .thenApply(done -> new Attempt(Set.copyOf(leftovers), attempt.number() + 1));
    }

    private CompletionStage<Void> replaceable(EventBatch batch, List<Item> items, Row there, Set<String> leftovers) {
        String write = String.valueOf(there.write());
        // Met before and still there: its writer has committed it meanwhile, or is about to.
        if (leftovers.contains(write) && there.seqNr() != there.first()) {
            return CompletableFuture.completedFuture(null);
        }
        return table.state(batch.persistenceId(), there).thenCompose(state -> {
            if (state == WriteState.COMMITTED) {
                throw conflict(batch, there);
            }
            leftovers.add(write);
            boolean replaced = items.stream().anyMatch(item -> item.number(Akka2Items.SEQ_NR) == there.first());
            return state == WriteState.OPEN && !replaced
                    ? bury(batch.persistenceId(), there)
                    : CompletableFuture.completedFuture(null);
        });
    }

    /**
     * Ends an open write whose first event we do not replace ourselves: without that event nobody can commit it. The
     * predecessor has written behind it, so its number stays used.
     */
    private CompletionStage<Void> bury(String persistenceId, Row of) {
        Item tombstone = Akka2Items.tombstone(persistenceId, of.first(), of.ts(), of.writer());
        return dynamo.putIf(PutItemRequest.builder()
                        .tableName(settings.tableName())
                        .item(tombstone.attributes())
                        .conditionExpression("#dj_write = :write AND attribute_exists(#dj_open)")
                        .expressionAttributeNames(Akka2Table.names(List.of(Akka2Items.OPEN, Akka2Items.WRITE)))
                        .expressionAttributeValues(Map.of(":write", AttributeValue.fromS(String.valueOf(of.write())))))
                .thenAccept(refusal -> {});
    }

    private static StoreException.WriteConflict conflict(EventBatch batch, Row there) {
        return conflict(batch, there.writer(), "Its item has the number " + there.seqNr() + ".");
    }

    private static StoreException.WriteConflict conflict(EventBatch batch, String other, String detail) {
        return new StoreException.WriteConflict(
                batch.persistenceId(), batch.firstSeqNr(), batch.writer(), other.isEmpty() ? "unknown" : other, detail);
    }
}
