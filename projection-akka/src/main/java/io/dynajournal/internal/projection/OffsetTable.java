package io.dynajournal.internal.projection;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.Slices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
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
final class OffsetTable {

    /** DynamoDB's limit for a transaction. */
    static final int MAX_ACTIONS = 100;

    private static final String CONDITION_FAILED = "ConditionalCheckFailed";

    private final Dynamo dynamo;
    private final String table;
    private final String projection;
    private final @Nullable Duration timeToLive;
    private final OffsetItems items;

    /** @param timeToLive of the rows of entities; null: they are kept */
    OffsetTable(Dynamo dynamo, String table, String projection, @Nullable Duration timeToLive) {
        this.dynamo = dynamo;
        this.table = table;
        this.projection = projection;
        this.timeToLive = timeToLive;
        this.items = new OffsetItems(projection);
    }

    long nowMicros() {
        return dynamo.nowMicros();
    }

    /** For messages. */
    String projection() {
        return projection;
    }

    /** For messages. */
    String name() {
        return table;
    }

    /** The rows of all slices of a range, 100 per request: 11 requests for all slices. */
    CompletionStage<StoredOffsets> read(SliceRange range) {
        List<Integer> starts = IntStream.concat(IntStream.of(range.min()), widerStarts(range))
                .boxed()
                .toList();
        List<Map<String, AttributeValue>> keys = new ArrayList<>();
        IntStream.concat(IntStream.rangeClosed(range.min(), range.max()), widerStarts(range))
                .forEach(slice -> keys.add(items.key(slice, OffsetItems.SLICE)));
        starts.forEach(slice -> keys.add(items.key(slice, OffsetItems.MANAGEMENT)));
        return dynamo.getAll(table, keys).thenApply(found -> stored(range, found));
    }

    private StoredOffsets stored(SliceRange range, List<Item> found) {
        Map<Integer, SliceRow> rows = new HashMap<>();
        Map<Integer, SliceRow> wider = new HashMap<>();
        TreeMap<Integer, Item> management = new TreeMap<>();
        @Nullable String owner = null;
        for (Item item : found) {
            int slice = items.slice(item);
            if (item.text(OffsetItems.PID).equals(OffsetItems.MANAGEMENT)) {
                management.put(slice, item);
            } else {
                (slice < range.min() ? wider : rows).put(slice, OffsetItems.sliceRow(item));
                owner = slice == range.min() ? item.textOr(OffsetItems.OWNER, null) : owner;
            }
        }
        // The nearest one decides: it was written after the range of the others was split.
        boolean paused = management.descendingMap().entrySet().stream()
                .filter(entry -> entry.getKey() == range.min()
                        || OffsetItems.lastPaused(entry.getValue(), entry.getKey()) >= range.max())
                .findFirst()
                .map(entry -> OffsetItems.isPaused(entry.getValue()))
                .orElse(false);
        return new StoredOffsets(range, rows, wider, paused, owner);
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
    CompletionStage<Map<String, SeqNrRow>> seqNrs(Collection<String> persistenceIds) {
        return dynamo.getAll(
                        table,
                        persistenceIds.stream()
                                .map(id -> items.key(Slices.of(id), id))
                                .toList())
                .thenApply(found -> {
                    Map<String, SeqNrRow> rows = new HashMap<>();
                    found.forEach(item -> rows.put(item.text(OffsetItems.PID), OffsetItems.seqNr(item)));
                    return rows;
                });
    }

    /** Puts without a condition, 25 per request. */
    CompletionStage<Void> putSeqNrs(Map<String, SeqNrRow> rows) {
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

    /** Puts without conditions, 25 per request. */
    CompletionStage<Void> putSlices(Map<Integer, SliceRow> rows) {
        return dynamo.putAll(
                table,
                rows.entrySet().stream()
                        .map(row -> items.slice(row.getKey(), row.getValue(), null))
                        .toList());
    }

    /** Makes an instance the owner of a range; the others find out when they store their next offsets of slices. */
    CompletionStage<Void> own(int firstSlice, SliceRow row, String owner) {
        return dynamo.put(PutItemRequest.builder()
                        .tableName(table)
                        .item(items.slice(firstSlice, row, owner).attributes()))
                .thenAccept(replaced -> {});
    }

    /**
     * Like {@link #own}, if the row has still the owner that was read: a row without what another range has stored in it
     * would hide that range's log.
     */
    CompletionStage<Void> ownAfter(@Nullable String read, SliceRange range, SliceRow row, String owner) {
        PutItemRequest.Builder put = PutItemRequest.builder()
                .tableName(table)
                .item(items.slice(range.min(), row, owner).attributes())
                .expressionAttributeNames(Map.of("#o", OffsetItems.OWNER));
        if (read == null) {
            put.conditionExpression("attribute_not_exists(#o)");
        } else {
            put.conditionExpression("#o = :o").expressionAttributeValues(Map.of(":o", AttributeValue.fromS(read)));
        }
        return dynamo.putIf(put).thenAccept(conflict -> {
            // After a lost reply the owner is this instance.
            if (conflict.isPresent() && !owner.equals(conflict.get().textOr(OffsetItems.OWNER, null))) {
                throw new StoreException.OffsetConflict("Projection " + projection + ", slices " + range.min() + " to "
                        + range.max() + ": another instance has started at the same time and owns the offsets in table "
                        + table + ". Nothing was projected. The toolkit starts this one again.");
            }
        });
    }

    /** Puts the row of the first slice of a range; fails with {@link StoreException.OffsetConflict} if it has another owner. */
    CompletionStage<Void> putOwned(SliceRange range, SliceRow row, String owner) {
        return dynamo.putIf(PutItemRequest.builder()
                        .tableName(table)
                        .item(items.slice(range.min(), row, owner).attributes())
                        .conditionExpression("attribute_not_exists(#o) OR #o = :o")
                        .expressionAttributeNames(Map.of("#o", OffsetItems.OWNER))
                        .expressionAttributeValues(Map.of(":o", AttributeValue.fromS(owner))))
                .thenAccept(conflict -> {
                    if (conflict.isPresent()) {
                        throw new StoreException.OffsetConflict("Projection " + projection + ", slices " + range.min()
                                + " to " + range.max() + ": another instance has started and owns the offsets in table "
                                + table + ". This one stops here; the toolkit starts it again from the stored offsets."
                                + " Make sure that only one instance of each slice range runs.");
                    }
                });
    }

    /** A row to be stored in place of the one that this instance knows, which is null if there is none. */
    record Write(Position position, SeqNrRow row, @Nullable SeqNrRow known) {}

    /**
     * Stores rows of entities and the handler's items, all or nothing. Fails with {@link StoreException.OffsetConflict} if a
     * row is not the known one, and with {@link StoreException.Refused} if a condition of the handler's items fails.
     */
    CompletionStage<Void> commit(List<TransactWriteItem> handlersItems, List<Write> writes) {
        List<TransactWriteItem> actions = new ArrayList<>(handlersItems);
        writes.forEach(write -> actions.add(action(write)));
        return dynamo.transact(
                        table,
                        TransactWriteItemsRequest.builder()
                                .clientRequestToken(UUID.randomUUID().toString())
                                .transactItems(actions))
                .thenAccept(reasons -> check(reasons, handlersItems.size(), writes));
    }

    private TransactWriteItem action(Write write) {
        Put.Builder put = Put.builder()
                .tableName(table)
                .item(seqNrItem(write.position().persistenceId(), write.row()).attributes())
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
        SeqNrRow known = write.known();
        if (known == null) {
            put.conditionExpression("attribute_not_exists(" + OffsetItems.PID + ")");
        } else {
            // DynamoDB may delete an expired row at any time.
            // An instance from before a clear or a set has another generation, and must not replace what was projected
            // since.
            boolean cleared = known.generation() > 0;
            Map<String, AttributeValue> values = new HashMap<>(Map.of(
                    ":n", AttributeValue.fromN(Long.toString(known.seqNr())),
                    ":t", AttributeValue.fromN(Long.toString(known.micros()))));
            if (cleared) {
                values.put(":g", AttributeValue.fromN(Long.toString(known.generation())));
            }
            put.conditionExpression((timeToLive == null ? "" : "attribute_not_exists(" + OffsetItems.PID + ") OR ")
                            + "(#n = :n AND #t = :t AND " + (cleared ? "#g = :g" : "attribute_not_exists(#g)") + ")")
                    .expressionAttributeNames(
                            Map.of("#n", OffsetItems.SEQ_NR, "#t", OffsetItems.TIMESTAMP, "#g", OffsetItems.GENERATION))
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
                ? "sequence number " + Item.of(table, reason.item()).number(OffsetItems.SEQ_NR)
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
        return batches(of, new ArrayList<>(), null);
    }

    private CompletionStage<List<Item>> batches(
            SliceRange of, List<Item> found, @Nullable Map<String, AttributeValue> after) {
        return dynamo.query(QueryRequest.builder()
                        .tableName(table)
                        .consistentRead(true)
                        .exclusiveStartKey(after)
                        .keyConditionExpression("#h = :h AND begins_with(#r, :r)")
                        .expressionAttributeNames(Map.of("#h", OffsetItems.NAME_SLICE, "#r", OffsetItems.PID))
                        .expressionAttributeValues(Map.of(
                                ":h", items.hash(of.min()),
                                ":r", AttributeValue.fromS(OffsetItems.logPrefix(of)))))
                .thenCompose(page -> {
                    found.addAll(page.items());
                    return page.next() == null
                            ? CompletableFuture.completedFuture(found)
                            : batches(of, found, page.next());
                });
    }

    /** @param bytes the entities of a batch; null closes the log */
    Item batchItem(SliceRange of, long number, String owner, byte @Nullable [] bytes) {
        return items.batch(of, number, owner, bytes);
    }

    /** Puts a row where none is. Empty if it was stored; otherwise the row that is there. */
    CompletionStage<Optional<Item>> insert(Item row) {
        return dynamo.putIf(PutItemRequest.builder()
                .tableName(table)
                .item(row.attributes())
                .conditionExpression("attribute_not_exists(" + OffsetItems.PID + ")"));
    }

    /** Stores the handler's items and rows where none are, all or nothing; the reasons if it was rejected. */
    CompletionStage<List<CancellationReason>> commitRows(List<TransactWriteItem> handlersItems, List<Item> rows) {
        List<TransactWriteItem> actions = new ArrayList<>(handlersItems);
        rows.forEach(row -> actions.add(TransactWriteItem.builder()
                .put(put -> put.tableName(table)
                        .item(row.attributes())
                        .conditionExpression("attribute_not_exists(" + OffsetItems.PID + ")")
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD))
                .build()));
        return dynamo.transact(
                table,
                TransactWriteItemsRequest.builder()
                        .clientRequestToken(UUID.randomUUID().toString())
                        .transactItems(actions));
    }

    /** Deletes rows of a log, 25 per request. */
    CompletionStage<Void> deleteBatches(SliceRange of, List<Long> numbers) {
        return dynamo.deleteAll(
                table,
                numbers.stream()
                        .map(number -> items.key(of.min(), OffsetItems.logKey(of, number)))
                        .toList());
    }

    /** Stores whether the projection is paused. */
    CompletionStage<Void> pause(SliceRange range, boolean paused) {
        return dynamo.put(PutItemRequest.builder()
                        .tableName(table)
                        .item(items.management(range.min(), paused, range.max()).attributes()))
                .thenAccept(replaced -> {});
    }
}
