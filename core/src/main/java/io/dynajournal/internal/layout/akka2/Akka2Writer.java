package io.dynajournal.internal.layout.akka2;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.akka2.Akka2Items.Row;
import io.dynajournal.internal.layout.akka2.Akka2Table.WriteState;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.AppendPosition;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.Pages;
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
 * Appends events with the predecessor's requests and write units: a put for one event, a transaction for several. New is the
 * condition: no item may exist at a sequence number that is written, unless it has expired. (When all events of a persistence
 * id have expired, the predecessor starts again at 1, and the expired items may stay for days.)
 *
 * <p>After rejected events, a tombstone at the first of their sequence numbers goes into the same transaction as the next
 * event. So two writers that saw the same end always collide at the sequence number after it. Only then does an event cost
 * more than with the predecessor.
 *
 * <p>A write of more than 100 events or 4 MB, on which the predecessor fails, takes several transactions: the first event is
 * stored with the attribute {@code dj_open}, then the others, then one update removes {@code dj_open}, which makes the write
 * visible to our readers. The next writer replaces a write that stays open. The predecessor ignores {@code dj_open}: until
 * the write is complete it returns the events stored so far, in order and from the first.
 */
final class Akka2Writer {

    /** DynamoDB's limit for one transaction. */
    private static final int TRANSACTION_ITEMS = 100;

    /** Slightly below DynamoDB's limit of 4 MB. */
    private static final int TRANSACTION_BYTES = 4_000_000;

    /**
     * After this time a writer's view of the end of the log is compared with the table before it is used. A hard delete keeps
     * the items that stop a stale writer for a limited time: see {@link Akka2Deleter}.
     */
    private static final long VIEW_LIFETIME_MILLIS = Duration.ofMinutes(1).toMillis();

    /** Each attempt replaces the abandoned writes of at least one writer. */
    private static final int MAX_ATTEMPTS = 10;

    private final Dynamo dynamo;
    private final Akka2Journal settings;
    private final Akka2Table table;
    private final Akka2Reader reader;
    private final AtomicLong lastMicros = new AtomicLong();

    Akka2Writer(Dynamo dynamo, Akka2Journal settings, Akka2Reader reader) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.table = new Akka2Table(dynamo, settings);
        this.reader = reader;
    }

    CompletionStage<LogEnd> append(EventBatch batch, @Nullable LogEnd seen) {
        CompletionStage<LogEnd> position = new AppendPosition(batch, batch.writer(), seen)
                .find(
                        dynamo.nowMicros() / 1000 - VIEW_LIFETIME_MILLIS,
                        () -> reader.end(batch.persistenceId()),
                        Akka2Writer::isUnchanged);
        return position.thenCompose(last -> {
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

    /** A lower sequence number is no conflict: the last events may have expired. */
    private static boolean isUnchanged(LogEnd seen, LogEnd now) {
        return now.seqNr() <= seen.seqNr() && now.timestampMicros() <= seen.timestampMicros();
    }

    /** The items of one transaction, or those of a large write, which takes several. */
    private record Step(List<Item> items, boolean large) {}

    private List<Step> steps(EventBatch batch, LogEnd last) {
        Duration life = settings.timeToLive().of(batch.persistenceId()).events();
        // One more for the tombstone. The predecessor's queries need a different time for each event.
        boolean rejected = batch.firstSeqNr() > last.seqNr() + 1;
        long written = batch.timestampMicros() > 0 ? batch.timestampMicros() - 1 : reserveMicros(batch.size() + 1);
        long micros = Math.max(last.timestampMicros() + (rejected ? 1 : 0), written);
        List<Step> steps = new ArrayList<>();
        List<Item> transaction = new ArrayList<>();
        long transactionBytes = 0;
        if (rejected) {
            transaction.add(Akka2Items.rejected(
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
                if (item.size() > JournalLayout.MAX_UPDATABLE_BYTES) {
                    throw new StoreException.ItemTooLarge(
                            settings.tableName(),
                            batch.persistenceId(),
                            seqNr,
                            item.size(),
                            JournalLayout.MAX_UPDATABLE_BYTES);
                }
                items.add(item);
                bytes += item.size();
                seqNr++;
            }
            boolean large = items.size() > TRANSACTION_ITEMS || bytes > TRANSACTION_BYTES;
            boolean full = transaction.size() + items.size() > TRANSACTION_ITEMS
                    || transactionBytes + bytes > TRANSACTION_BYTES;
            if (large || full) {
                if (!transaction.isEmpty()) {
                    steps.add(new Step(transaction, false));
                }
                transaction = new ArrayList<>();
                transactionBytes = 0;
            }
            if (large) {
                steps.add(new Step(asLargeWrite(items), true));
            } else {
                transaction.addAll(items);
                transactionBytes += bytes;
            }
        }
        if (!transaction.isEmpty()) {
            steps.add(new Step(transaction, false));
        }
        return steps;
    }

    /** Names the write on each item and marks the first one as open. */
    private static List<Item> asLargeWrite(List<Item> items) {
        String write = UUID.randomUUID().toString();
        long first = items.get(0).number(Akka2Items.SEQ_NR);
        items.forEach(item -> item.number(Akka2Items.FIRST, first).text(Akka2Items.WRITE, write));
        items.get(0).flag(Akka2Items.OPEN, true);
        return items;
    }

    /** Reserves times that no other event of this process has; the first of them. */
    private long reserveMicros(int count) {
        long now = dynamo.nowMicros();
        return lastMicros.updateAndGet(last -> Math.max(now, last + 1) + count - 1) - count + 1;
    }

    /** Stores the items of a step; the last one as it is stored. */
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

    /** Makes a large write visible. */
    private CompletionStage<Void> commit(EventBatch batch, Row first) {
        return dynamo.updateIf(UpdateItemRequest.builder()
                        .tableName(settings.tableName())
                        .key(Akka2Table.key(batch.persistenceId(), first.seqNr()))
                        .updateExpression("REMOVE #dj_open")
                        .conditionExpression("#dj_write = :write AND attribute_exists(#dj_open)")
                        .expressionAttributeNames(Akka2Table.names(List.of(Akka2Items.OPEN, Akka2Items.WRITE)))
                        .expressionAttributeValues(
                                Map.of(":write", AttributeValue.fromS(String.valueOf(first.write())))))
                .thenAccept(conflicting -> {
                    if (conflicting.isEmpty()) {
                        return;
                    }
                    // After a lost reply the retry fails on our own commit.
                    boolean own = String.valueOf(first.write())
                            .equals(conflicting.get().textOr(Akka2Items.WRITE, null));
                    if (!own) {
                        throw conflict(
                                batch,
                                String.valueOf(conflicting.get().textOr(Akka2Items.WRITER, "")),
                                "It replaced this write in table " + settings.tableName()
                                        + " before the write was complete.");
                    }
                });
    }

    /** Stores one event with a put, several with a transaction; the last item as it is stored. */
    private CompletionStage<Row> store(EventBatch batch, List<Item> items) {
        Attempt first = new Attempt(Set.of(), 1);
        Row last = Akka2Items.row(items.get(items.size() - 1));
        AtomicReference<Row> stored = new AtomicReference<>(last);
        return Pages.<Attempt>drain(first, attempt -> {
                    Attempt now = attempt == null ? first : attempt;
                    return send(batch, items, now).thenCompose(conflicts -> {
                        List<Conflict> foreign = conflicts.stream()
                                .filter(conflict -> !conflict.ours().isSameAs(conflict.existing()))
                                .toList();
                        if (!foreign.isEmpty()) {
                            return nextAttempt(batch, items, foreign, now);
                        }
                        conflicts.stream()
                                .map(Conflict::existing)
                                .filter(existing -> existing.seqNr() == last.seqNr())
                                .forEach(stored::set);
                        return CompletableFuture.<@Nullable Attempt>completedFuture(null);
                    });
                })
                .thenApply(done -> stored.get());
    }

    /**
     * An attempt to store items.
     *
     * @param abandoned the names of large writes whose items may be replaced
     * @param number from 1
     */
    private record Attempt(Set<String> abandoned, int number) {}

    /** An item that was not stored because another exists at its sequence number. */
    private record Conflict(Row ours, Row existing) {}

    private CompletionStage<List<Conflict>> send(EventBatch batch, List<Item> items, Attempt attempt) {
        Fence fence = fence(batch.persistenceId(), attempt.abandoned());
        if (items.size() == 1) {
            Item item = items.get(0);
            return dynamo.putIf(PutItemRequest.builder()
                            .tableName(settings.tableName())
                            .item(item.attributes())
                            .conditionExpression(fence.condition())
                            .expressionAttributeNames(fence.names())
                            .expressionAttributeValues(fence.valuesOrNull()))
                    .thenApply(existing -> existing.map(found -> List.of(conflict(item, found)))
                            .orElse(List.of()));
        }
        // With the token DynamoDB recognises a retry after a lost reply.
        return dynamo.transact(
                        settings.tableName(),
                        TransactWriteItemsRequest.builder()
                                .clientRequestToken(UUID.randomUUID().toString())
                                .transactItems(items.stream()
                                        .map(item -> TransactWriteItem.builder()
                                                .put(put(item, fence))
                                                .build())
                                        .toList()))
                .thenApply(reasons -> conflicts(batch, items, reasons));
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

    private List<Conflict> conflicts(EventBatch batch, List<Item> items, List<CancellationReason> reasons) {
        List<Conflict> conflicts = new ArrayList<>();
        for (int i = 0; i < reasons.size(); i++) {
            if ("ConditionalCheckFailed".equals(reasons.get(i).code())) {
                conflicts.add(conflict(items.get(i), Item.of(reasons.get(i).item())));
            }
        }
        if (conflicts.isEmpty() && !reasons.isEmpty()) {
            throw new StoreException.Refused(
                    "DynamoDB cancelled the transaction of " + batch.persistenceId() + " at sequence number "
                            + batch.firstSeqNr() + " on table " + settings.tableName() + ": "
                            + reasons.stream()
                                    .map(reason -> reason.code() + " " + reason.message())
                                    .distinct()
                                    .toList()
                            + ". Nothing of this transaction was stored.",
                    null);
        }
        return conflicts;
    }

    private static Conflict conflict(Item ours, Item existing) {
        Row row = Akka2Items.row(ours);
        // Some servers do not return the existing item.
        return new Conflict(
                row,
                existing.has(Akka2Items.SEQ_NR)
                        ? Akka2Items.row(existing)
                        : new Row(existing, row.seqNr(), 0, "", null));
    }

    /** The condition of each put. */
    private record Fence(String condition, Map<String, String> names, Map<String, AttributeValue> values) {

        /** DynamoDB rejects an empty map. */
        @Nullable
        Map<String, AttributeValue> valuesOrNull() {
            return values.isEmpty() ? null : values;
        }
    }

    private Fence fence(String persistenceId, Set<String> abandoned) {
        StringBuilder condition = new StringBuilder("attribute_not_exists(#pid)");
        Map<String, String> names = new HashMap<>(Map.of("#pid", Akka2Items.PID));
        Map<String, AttributeValue> values = new HashMap<>();
        if (table.checksExpiry(persistenceId)) {
            condition.append(" OR (#expiry <= :now AND attribute_not_exists(#del))");
            names.putAll(Akka2Table.names(List.of(Akka2Items.EXPIRY, Akka2Items.DEL)));
            values.put(":now", Akka2Table.number(table.nowSeconds()));
        }
        if (!abandoned.isEmpty()) {
            // The first event of a large write may be replaced only while it is open.
            condition.append(" OR ((#dj_first <> #seq_nr OR attribute_exists(#dj_open)) AND #dj_write IN (");
            names.putAll(
                    Akka2Table.names(List.of(Akka2Items.FIRST, Akka2Items.SEQ_NR, Akka2Items.OPEN, Akka2Items.WRITE)));
            int number = 0;
            for (String write : abandoned) {
                condition.append(number == 0 ? "" : ", ").append(":w").append(number);
                values.put(":w" + number, AttributeValue.fromS(write));
                number++;
            }
            condition.append("))");
        }
        return new Fence(condition.toString(), names, values);
    }

    /** The next attempt after a conflict: items of abandoned large writes may be replaced, any other item is final. */
    private CompletionStage<@Nullable Attempt> nextAttempt(
            EventBatch batch, List<Item> items, List<Conflict> foreign, Attempt attempt) {
        Optional<Conflict> taken = foreign.stream()
                .filter(conflict -> conflict.existing().write() == null)
                .findFirst();
        if (taken.isPresent()) {
            throw conflict(batch, taken.get().existing());
        }
        if (attempt.number() == MAX_ATTEMPTS) {
            throw new StoreException.Unavailable(
                    "Sequence number " + batch.firstSeqNr() + " of " + batch.persistenceId()
                            + " could not be stored in table " + settings.tableName() + ": in each of " + MAX_ATTEMPTS
                            + " attempts incomplete writes of other writers were there. Earlier writes of the same batch"
                            + " may have been stored; the entity will find out when it recovers.",
                    null,
                    StoreException.Outcome.UNKNOWN);
        }
        Set<String> abandoned = new HashSet<>(attempt.abandoned());
        return Pages.drain(
                        0,
                        index -> index == foreign.size()
                                ? CompletableFuture.completedFuture(null)
                                : checkAbandoned(
                                                batch, items, foreign.get(index).existing(), abandoned)
                                        .thenApply(done -> index + 1))
                .thenApply(done -> new Attempt(Set.copyOf(abandoned), attempt.number() + 1));
    }

    private CompletionStage<Void> checkAbandoned(
            EventBatch batch, List<Item> items, Row existing, Set<String> abandoned) {
        String write = String.valueOf(existing.write());
        // Found by an earlier attempt and still there: its writer has committed it in the meantime, or is about to.
        if (abandoned.contains(write) && existing.seqNr() != existing.first()) {
            return CompletableFuture.completedFuture(null);
        }
        return table.writeState(batch.persistenceId(), existing).thenCompose(state -> {
            if (state == WriteState.COMMITTED) {
                throw conflict(batch, existing);
            }
            abandoned.add(write);
            boolean replaced = items.stream().anyMatch(item -> item.number(Akka2Items.SEQ_NR) == existing.first());
            return state == WriteState.OPEN && !replaced
                    ? putTombstone(batch.persistenceId(), existing)
                    : CompletableFuture.completedFuture(null);
        });
    }

    /**
     * Replaces the first event of an open write by a tombstone, so that the write can no longer be committed. The predecessor
     * has written after it, so the sequence number stays used.
     */
    private CompletionStage<Void> putTombstone(String persistenceId, Row open) {
        Item tombstone = Akka2Items.tombstone(persistenceId, open.first(), open.ts(), open.writer());
        return dynamo.putIf(PutItemRequest.builder()
                        .tableName(settings.tableName())
                        .item(tombstone.attributes())
                        .conditionExpression("#dj_write = :write AND attribute_exists(#dj_open)")
                        .expressionAttributeNames(Akka2Table.names(List.of(Akka2Items.OPEN, Akka2Items.WRITE)))
                        .expressionAttributeValues(
                                Map.of(":write", AttributeValue.fromS(String.valueOf(open.write())))))
                .thenAccept(existing -> {});
    }

    private StoreException.WriteConflict conflict(EventBatch batch, Row existing) {
        return conflict(
                batch,
                existing.writer(),
                "Table " + settings.tableName() + " already holds sequence number " + existing.seqNr() + ".");
    }

    private static StoreException.WriteConflict conflict(EventBatch batch, String other, String detail) {
        return new StoreException.WriteConflict(
                batch.persistenceId(), batch.firstSeqNr(), batch.writer(), other.isEmpty() ? "unknown" : other, detail);
    }
}
