package io.dynajournal.internal.projections;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.internal.store.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** The requests on the offsets of one projection. Thread-safe. */
public final class OffsetTable {

    /** DynamoDB's limit for a transaction. */
    public static final int MAX_ACTIONS = 100;

    private static final String CONDITION_FAILED = "ConditionalCheckFailed";

    private final Dynamo dynamo;
    private final String table;
    private final String projection;
    private final @Nullable Duration timeToLive;
    private final OffsetRows items;

    /**
     * The offsets of a projection.
     *
     * @param timeToLive of the rows of entities; null: they are kept
     */
    public OffsetTable(Dynamo dynamo, String table, String projection, @Nullable Duration timeToLive) {
        this.dynamo = dynamo;
        this.table = table;
        this.projection = projection;
        this.timeToLive = timeToLive;
        this.items = new OffsetRows(projection);
    }

    public long nowMicros() {
        return dynamo.nowMicros();
    }

    String projection() {
        return projection;
    }

    public String name() {
        return table;
    }

    /** The rows of all slices of a range, 100 per request: 11 requests for all slices. */
    public CompletionStage<StoredOffsets> read(SliceRange range) {
        List<Integer> starts = IntStream.concat(IntStream.of(range.min()), widerStarts(range))
                .boxed()
                .toList();
        List<Map<String, AttributeValue>> keys = new ArrayList<>();
        IntStream.concat(IntStream.rangeClosed(range.min(), range.max()), widerStarts(range))
                .forEach(slice -> keys.add(items.key(slice, OffsetRows.SLICE)));
        starts.forEach(slice -> keys.add(items.key(slice, OffsetRows.MANAGEMENT)));
        return dynamo.getAll(table, keys).thenApply(found -> stored(range, found));
    }

    private StoredOffsets stored(SliceRange range, List<Item> found) {
        Map<Integer, SliceRow> rows = new HashMap<>();
        Map<Integer, SliceRow> wider = new HashMap<>();
        TreeMap<Integer, Item> management = new TreeMap<>();
        @Nullable String owner = null;
        for (Item item : found) {
            int slice = items.slice(item);
            if (item.text(OffsetRows.PID).equals(OffsetRows.MANAGEMENT)) {
                management.put(slice, item);
            } else {
                (slice < range.min() ? wider : rows).put(slice, OffsetRows.sliceRow(item));
                owner = slice == range.min() ? item.textOr(OffsetRows.OWNER, null) : owner;
            }
        }
        return new StoredOffsets(range, rows, wider, isPaused(range, management), owner);
    }

    /** The nearest row decides: it was written after the range of the others was split. */
    private static boolean isPaused(SliceRange range, NavigableMap<Integer, Item> management) {
        return management.descendingMap().entrySet().stream()
                .filter(entry -> entry.getKey() == range.min()
                        || OffsetRows.lastPaused(entry.getValue(), entry.getKey()) >= range.max())
                .findFirst()
                .map(entry -> OffsetRows.isPaused(entry.getValue()))
                .orElse(false);
    }

    /** Whether a tool has paused or resumed the range, or has set its offset, since it was read. One request. */
    public CompletionStage<Boolean> isChanged(StoredOffsets since) {
        SliceRange range = since.range();
        List<Map<String, AttributeValue>> keys = new ArrayList<>();
        keys.add(items.key(range.min(), OffsetRows.SLICE));
        IntStream.concat(IntStream.of(range.min()), widerStarts(range))
                .forEach(slice -> keys.add(items.key(slice, OffsetRows.MANAGEMENT)));
        return dynamo.getAll(table, keys).thenApply(found -> {
            StoredOffsets now = stored(range, found);
            return now.paused() != since.paused()
                    || (OffsetRows.isTool(now.owner()) && !Objects.equals(now.owner(), since.owner()));
        });
    }

    /**
     * The first slices of the wider ranges that a range can be a part of. The toolkits split all slices into equal ranges, so
     * every range has a power of two of slices.
     */
    private static IntStream widerStarts(SliceRange range) {
        return IntStream.iterate(2, size -> size <= Slices.COUNT, size -> size * 2)
                .map(size -> range.min() / size * size)
                .filter(start -> start < range.min())
                .distinct();
    }

    /** The rows of entities, 100 per request; those that exist. */
    public CompletionStage<Map<String, SeqNrRow>> seqNrs(Collection<String> persistenceIds) {
        return dynamo.getAll(
                        table,
                        persistenceIds.stream()
                                .map(id -> items.key(Slices.of(id), id))
                                .toList())
                .thenApply(found -> {
                    Map<String, SeqNrRow> rows = new HashMap<>();
                    found.forEach(item -> rows.put(item.text(OffsetRows.PID), OffsetRows.seqNr(item)));
                    return rows;
                });
    }

    /** Puts without a condition, 25 per request. */
    public CompletionStage<Void> putSeqNrs(Map<String, SeqNrRow> rows) {
        return dynamo.putAll(
                table,
                rows.entrySet().stream()
                        .map(row -> seqNrItem(row.getKey(), row.getValue()))
                        .toList());
    }

    private Item seqNrItem(String persistenceId, SeqNrRow row) {
        @Nullable Long expiry = timeToLive == null ? null : nowMicros() / 1_000_000 + timeToLive.toSeconds();
        return items.seqNr(Slices.of(persistenceId), persistenceId, row, expiry);
    }

    /** As {@link #putSeqNrs}. */
    public CompletionStage<Void> putSlices(Map<Integer, SliceRow> rows) {
        return dynamo.putAll(
                table,
                rows.entrySet().stream()
                        .map(row -> items.slice(row.getKey(), row.getValue(), null))
                        .toList());
    }

    /**
     * Makes an instance the owner of a range; the others find out when they store their next offsets of slices. Only if the row
     * has still the owner that was read: it must not replace the row of an offset that was set meanwhile.
     *
     * @param expected null if the row had no owner
     */
    public CompletionStage<Void> own(SliceRange range, SliceRow row, @Nullable String expected, String owner) {
        PutItemRequest.Builder put = PutItemRequest.builder()
                .tableName(table)
                .item(items.slice(range.min(), row, owner).attributes())
                .conditionExpression(ownerIs(expected))
                .expressionAttributeNames(Map.of("#o", OffsetRows.OWNER))
                .expressionAttributeValues(owners(expected));
        return dynamo.putIf(put).thenAccept(found -> {
            // After a lost reply the owner is this instance.
            if (found.isPresent() && !owner.equals(found.get().textOr(OffsetRows.OWNER, null))) {
                throw otherOwner(range);
            }
        });
    }

    /** Puts the row of the first slice of a range; fails with {@link StoreException.OffsetConflict} if it has another owner. */
    public CompletionStage<Void> putOwned(SliceRange range, SliceRow row, String owner) {
        return dynamo.putIf(PutItemRequest.builder()
                        .tableName(table)
                        .item(items.slice(range.min(), row, owner).attributes())
                        .conditionExpression("attribute_not_exists(#o) OR #o = :o")
                        .expressionAttributeNames(Map.of("#o", OffsetRows.OWNER))
                        .expressionAttributeValues(Map.of(":o", AttributeValue.fromS(owner))))
                .thenAccept(conflict -> {
                    if (conflict.isPresent()) {
                        throw otherOwner(range);
                    }
                });
    }

    private static String ownerIs(@Nullable String expected) {
        return expected == null ? "attribute_not_exists(#o)" : "#o = :o";
    }

    /** DynamoDB rejects values that no expression uses. */
    private static @Nullable Map<String, AttributeValue> owners(@Nullable String expected) {
        return expected == null ? null : Map.of(":o", AttributeValue.fromS(expected));
    }

    private StoreException.OffsetConflict otherOwner(SliceRange range) {
        return new StoreException.OffsetConflict("Projection " + projection + ", slices " + range.min() + " to "
                + range.max() + ": another instance has started and owns the offsets in table " + table
                + ". This one stops here; the toolkit starts it again from the stored offsets. Make sure that only one"
                + " instance of each slice range runs.");
    }

    /** A row to be stored in place of the one that this instance knows, which is null if there is none. */
    public record Write(
            Position position, SeqNrRow row, @Nullable SeqNrRow known) {}

    /**
     * Stores rows of entities and the handler's items, all or nothing. Fails with {@link StoreException.OffsetConflict} if a
     * row is not the known one, and with {@link StoreException.Refused} if a condition of the handler's items fails.
     */
    public CompletionStage<Void> commit(List<TransactWriteItem> handlersItems, List<Write> writes) {
        List<TransactWriteItem> actions = new ArrayList<>(handlersItems);
        writes.forEach(write -> actions.add(action(write)));
        return transact(actions).thenAccept(reasons -> check(reasons, handlersItems.size(), writes));
    }

    private TransactWriteItem action(Write write) {
        Put.Builder put = Put.builder()
                .tableName(table)
                .item(seqNrItem(write.position().persistenceId(), write.row()).attributes())
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
        SeqNrRow known = write.known();
        if (known == null) {
            put.conditionExpression("attribute_not_exists(" + OffsetRows.PID + ")");
        } else {
            // DynamoDB may delete an expired row at any time. After a clear or a set, an instance from before it has a
            // lower generation, and must not replace what was projected since.
            boolean cleared = known.generation() > 0;
            Map<String, AttributeValue> values = new HashMap<>(Map.of(
                    ":n", AttributeValue.fromN(Long.toString(known.seqNr())),
                    ":t", AttributeValue.fromN(Long.toString(known.micros()))));
            if (cleared) {
                values.put(":g", AttributeValue.fromN(Long.toString(known.generation())));
            }
            put.conditionExpression((timeToLive == null ? "" : "attribute_not_exists(" + OffsetRows.PID + ") OR ")
                            + "(#n = :n AND #t = :t AND " + (cleared ? "#g = :g" : "attribute_not_exists(#g)") + ")")
                    .expressionAttributeNames(
                            Map.of("#n", OffsetRows.SEQ_NR, "#t", OffsetRows.TIMESTAMP, "#g", OffsetRows.GENERATION))
                    .expressionAttributeValues(values);
        }
        return TransactWriteItem.builder().put(put.build()).build();
    }

    private void check(List<CancellationReason> reasons, int handlersItems, List<Write> writes) {
        for (int i = handlersItems; i < reasons.size(); i++) {
            if (isConditionFailed(reasons.get(i))) {
                throw conflict(writes.get(i - handlersItems), reasons.get(i));
            }
        }
        Position first = writes.get(0).position();
        checkHandlers(
                reasons,
                first.persistenceId() + ", sequence number " + first.seqNr()
                        + (writes.size() == 1 ? "" : " and " + (writes.size() - 1) + " more entities"));
    }

    static boolean isConditionFailed(CancellationReason reason) {
        return CONDITION_FAILED.equals(reason.code());
    }

    /**
     * Fails with {@link StoreException.Refused} if there are reasons.
     *
     * @param what was to be stored, for the message
     */
    void checkHandlers(List<CancellationReason> reasons, String what) {
        if (reasons.isEmpty()) {
            return;
        }
        List<String> rejected = new ArrayList<>();
        for (int i = 0; i < reasons.size(); i++) {
            if (reasons.get(i).code() != null && !reasons.get(i).code().equals("None")) {
                rejected.add("item " + i + ": " + reasons.get(i).code());
            }
        }
        throw new StoreException.Refused(
                "Projection " + projection + ": DynamoDB rejected the transaction with the handler's items for " + what
                        + " ("
                        + String.join(", ", rejected)
                        + ", counted from 0 in the order of the handler). Nothing was stored, neither the offset nor"
                        + " the items.",
                TransactionCanceledException.builder()
                        .cancellationReasons(reasons)
                        .message("The transaction was rejected")
                        .build());
    }

    private StoreException.OffsetConflict conflict(Write write, CancellationReason reason) {
        SeqNrRow known = write.known();
        String found = reason.hasItem() && !reason.item().isEmpty()
                ? "sequence number " + Item.of(table, reason.item()).number(OffsetRows.SEQ_NR)
                : "no sequence number";
        return new StoreException.OffsetConflict("Projection " + projection + ": the offset of "
                + write.position().persistenceId() + ", sequence number "
                + write.position().seqNr() + ", was rejected. Table " + table + " has " + found
                + " for it, where this instance expected "
                + (known == null ? "none" : "sequence number " + known.seqNr())
                + ": another instance has projected it. Nothing was stored, neither the offset nor the handler's items."
                + " This instance stops here; the toolkit starts it again from the stored offsets. Make sure that only"
                + " one instance of each slice range runs.");
    }

    // ---- The layout packed ----

    /** The rows of a log in the order of their numbers, read consistently. */
    CompletionStage<List<Item>> batches(SliceRange of) {
        List<Item> found = new ArrayList<>();
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> dynamo.query(batchesFrom(of, start)).thenApply(page -> {
                            found.addAll(page.items());
                            return page.next();
                        }))
                .thenApply(done -> found);
    }

    private QueryRequest.Builder batchesFrom(SliceRange of, @Nullable Map<String, AttributeValue> start) {
        return QueryRequest.builder()
                .tableName(table)
                .consistentRead(true)
                .exclusiveStartKey(start)
                .keyConditionExpression("#h = :h AND begins_with(#r, :r)")
                .expressionAttributeNames(Map.of("#h", OffsetRows.NAME_SLICE, "#r", OffsetRows.PID))
                .expressionAttributeValues(Map.of(
                        ":h", items.hash(of.min()),
                        ":r", AttributeValue.fromS(OffsetRows.logPrefix(of))));
    }

    Item batchItem(SliceRange of, long number, String owner, byte[] bytes) {
        return items.batch(of, number, owner, bytes);
    }

    /**
     * Makes an instance the owner of logs: from now on no other one commits to them. In transactions, because DynamoDB executes
     * one of these once: a put whose reply was lost could take effect again, after another instance has become the owner.
     */
    public CompletionStage<Void> ownLogs(Collection<SliceRange> logs, String owner) {
        List<TransactWriteItem> puts = logs.stream()
                .map(log -> TransactWriteItem.builder()
                        .put(put -> put.tableName(table)
                                .item(items.logOwner(log, owner).attributes()))
                        .build())
                .toList();
        List<List<TransactWriteItem>> transactions = new ArrayList<>();
        for (int from = 0; from < puts.size(); from += MAX_ACTIONS) {
            transactions.add(puts.subList(from, Math.min(puts.size(), from + MAX_ACTIONS)));
        }
        return Stages.inOrder(transactions, this::transact).thenAccept(replaced -> {});
    }

    private CompletionStage<List<CancellationReason>> transact(List<TransactWriteItem> actions) {
        return dynamo.transact(
                table,
                TransactWriteItemsRequest.builder()
                        .clientRequestToken(UUID.randomUUID().toString())
                        .transactItems(actions));
    }

    /** Whether an instance still owns all of these logs. */
    public CompletionStage<Boolean> ownsLogs(Collection<SliceRange> logs, String owner) {
        return dynamo.getAll(table, logs.stream().map(items::logOwnerKey).toList())
                .thenApply(found -> found.size() == logs.size()
                        && found.stream().allMatch(item -> owner.equals(item.textOr(OffsetRows.OWNER, null))));
    }

    /**
     * Reads the rows again that instances of other ranges store. Once their logs have another owner, these rows do not change any
     * more.
     */
    public CompletionStage<StoredOffsets> readFirstRowsAgain(StoredOffsets before) {
        SliceRange range = before.range();
        Set<Integer> slices = new TreeSet<>(Set.of(range.min()));
        before.otherLogs().forEach(log -> slices.add(log.min()));
        List<Map<String, AttributeValue>> keys =
                slices.stream().map(slice -> items.key(slice, OffsetRows.SLICE)).toList();
        return dynamo.getAll(table, keys)
                .thenApply(found -> stored(range, found))
                .thenApply(before::withRows);
    }

    /**
     * Puts the row of the first slice if the row has still the owner that is expected, and the log of the range that of the
     * instance. A row without what another range has stored in it would hide that range's log.
     *
     * @param expected null if the row had no owner
     */
    public CompletionStage<Void> putOwnedWithLog(
            SliceRange range, SliceRow row, @Nullable String expected, String owner) {
        Put.Builder put = Put.builder()
                .tableName(table)
                .item(items.slice(range.min(), row, owner).attributes())
                .conditionExpression(ownerIs(expected))
                .expressionAttributeNames(Map.of("#o", OffsetRows.OWNER))
                .expressionAttributeValues(owners(expected));
        return transact(List.of(TransactWriteItem.builder().put(put.build()).build(), owned(range, owner)))
                .thenAccept(reasons -> {
                    if (!reasons.isEmpty()) {
                        throw otherOwner(range);
                    }
                });
    }

    /** Rejects a transaction of an instance that does not own the log any more. */
    private TransactWriteItem owned(SliceRange log, String owner) {
        return TransactWriteItem.builder()
                .put(put -> put.tableName(table)
                        .item(items.logOwner(log, owner).attributes())
                        .conditionExpression("#o = :o")
                        .expressionAttributeNames(Map.of("#o", OffsetRows.OWNER))
                        .expressionAttributeValues(Map.of(":o", AttributeValue.fromS(owner))))
                .build();
    }

    /** Puts a row where none is. Empty if it was stored; otherwise the row that is there. */
    CompletionStage<Optional<Item>> insert(Item row) {
        return dynamo.putIf(PutItemRequest.builder()
                .tableName(table)
                .item(row.attributes())
                .conditionExpression("attribute_not_exists(" + OffsetRows.PID + ")"));
    }

    /**
     * Stores the handler's items and rows where none are, all or nothing, while the instance owns the log; the reasons if it
     * was rejected, that of the log's owner last.
     */
    CompletionStage<List<CancellationReason>> commitRows(
            SliceRange log, String owner, List<TransactWriteItem> handlersItems, List<Item> rows) {
        List<TransactWriteItem> actions = new ArrayList<>(handlersItems);
        rows.forEach(row -> actions.add(TransactWriteItem.builder()
                .put(put -> put.tableName(table)
                        .item(row.attributes())
                        .conditionExpression("attribute_not_exists(" + OffsetRows.PID + ")")
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD))
                .build()));
        actions.add(owned(log, owner));
        return transact(actions);
    }

    /** Deletes rows of a log, 25 per request. */
    CompletionStage<Void> deleteBatches(SliceRange of, List<Long> numbers) {
        return dynamo.deleteAll(
                table,
                numbers.stream()
                        .map(number -> items.key(of.min(), OffsetRows.logKey(of, number)))
                        .toList());
    }

    /** Stores whether the projection is paused. */
    public CompletionStage<Void> pause(SliceRange range, boolean paused) {
        return dynamo.put(PutItemRequest.builder()
                        .tableName(table)
                        .item(items.management(range.min(), paused, range.max()).attributes()))
                .thenAccept(replaced -> {});
    }
}
