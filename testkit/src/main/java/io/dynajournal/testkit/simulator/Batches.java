package io.dynajournal.testkit.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** BatchGetItem and BatchWriteItem. What a fault leaves unprocessed is at the end of the request. */
final class Batches {

    private static final int MAX_READS = 100;
    private static final int MAX_WRITES = 25;
    private static final int MAX_READ_BYTES = 16 << 20;

    private final Tables tables;

    Batches(Tables tables) {
        this.tables = tables;
    }

    /** @param most how many keys are processed at most */
    BatchGetItemResponse get(BatchGetItemRequest request, int most) {
        check(
                request.requestItems().values().stream()
                        .mapToInt(of -> of.keys().size())
                        .sum(),
                MAX_READS);
        Map<String, List<Map<String, AttributeValue>>> found = new LinkedHashMap<>();
        Map<String, KeysAndAttributes> unprocessed = new LinkedHashMap<>();
        List<ConsumedCapacity> capacity = new ArrayList<>();
        int left = most;
        int bytes = 0;
        for (Map.Entry<String, KeysAndAttributes> of : request.requestItems().entrySet()) {
            Table table = tables.named(of.getKey());
            checkDistinct(table, of.getValue().keys());
            Placeholders placeholders = new Placeholders(of.getValue().expressionAttributeNames(), Map.of());
            List<Path> projection = Reads.projection(of.getValue().projectionExpression(), placeholders);
            placeholders.checkAllUsed(projection != null);
            boolean consistent = Boolean.TRUE.equals(of.getValue().consistentRead());
            List<Map<String, AttributeValue>> items = new ArrayList<>();
            List<Map<String, AttributeValue>> skipped = new ArrayList<>();
            double units = 0;
            for (Map<String, AttributeValue> key : of.getValue().keys()) {
                Map<String, AttributeValue> item = Reads.item(table, key, consistent);
                int size = Values.bytes(item);
                if (left == 0 || bytes + size > MAX_READ_BYTES) {
                    skipped.add(key);
                    continue;
                }
                left--;
                bytes += size;
                units += Units.reads(size, consistent);
                if (!item.isEmpty()) {
                    items.add(Reads.projected(item, projection));
                }
            }
            found.put(of.getKey(), items);
            if (!skipped.isEmpty()) {
                unprocessed.put(
                        of.getKey(), of.getValue().toBuilder().keys(skipped).build());
            }
            add(capacity, Units.ofTable(units).report(table, request.returnConsumedCapacity()));
        }
        return BatchGetItemResponse.builder()
                .responses(found)
                .unprocessedKeys(unprocessed)
                .consumedCapacity(capacity.isEmpty() ? null : capacity)
                .build();
    }

    private static void add(List<ConsumedCapacity> all, @Nullable ConsumedCapacity one) {
        if (one != null) {
            all.add(one);
        }
    }

    private static void check(int count, int max) {
        if (count == 0) {
            throw Errors.validation(
                    "1 validation error detected: Value at 'requestItems' failed to satisfy constraint: Member must have"
                            + " length greater than or equal to 1");
        }
        if (count > max) {
            throw Errors.validation("Too many items requested for the batch call: " + count + ", at most " + max);
        }
    }

    private static void checkDistinct(Table table, List<Map<String, AttributeValue>> keys) {
        Set<ItemKey> distinct = new HashSet<>();
        for (Map<String, AttributeValue> key : keys) {
            if (!distinct.add(table.schema().exactly(Values.normal(key)))) {
                throw Errors.validation("Provided list of item keys contains duplicates");
            }
        }
    }

    /** @param most how many items are processed at most */
    BatchWriteItemResponse write(BatchWriteItemRequest request, int most) {
        check(request.requestItems().values().stream().mapToInt(List::size).sum(), MAX_WRITES);
        // Everything is checked before anything is written.
        Map<String, List<ItemChange>> changes = new LinkedHashMap<>();
        request.requestItems().forEach((table, writes) -> changes.put(table, changes(tables.named(table), writes)));
        Map<String, List<WriteRequest>> unprocessed = new HashMap<>();
        List<ConsumedCapacity> capacity = new ArrayList<>();
        int left = most;
        for (Map.Entry<String, List<ItemChange>> ofTable : changes.entrySet()) {
            int processed = Math.min(left, ofTable.getValue().size());
            left -= processed;
            List<WriteRequest> requests =
                    Objects.requireNonNull(request.requestItems().get(ofTable.getKey()));
            if (processed < requests.size()) {
                unprocessed.put(ofTable.getKey(), requests.subList(processed, requests.size()));
            }
            Units units = Units.ofTable(0);
            for (ItemChange change : ofTable.getValue().subList(0, processed)) {
                units = units.plus(change.apply().units());
            }
            add(capacity, units.report(tables.named(ofTable.getKey()), request.returnConsumedCapacity()));
        }
        return BatchWriteItemResponse.builder()
                .unprocessedItems(unprocessed)
                .consumedCapacity(capacity.isEmpty() ? null : capacity)
                .build();
    }

    private static List<ItemChange> changes(Table table, List<WriteRequest> writes) {
        List<ItemChange> changes = new ArrayList<>();
        Set<ItemKey> keys = new HashSet<>();
        for (WriteRequest write : writes) {
            ItemChange change = write.putRequest() != null
                    ? ItemChange.put(table, write.putRequest().item(), ItemChange.Expressions.NONE)
                    : ItemChange.delete(table, write.deleteRequest().key(), ItemChange.Expressions.NONE);
            if (!keys.add(change.key())) {
                throw Errors.validation("Provided list of item keys contains duplicates");
            }
            changes.add(change.checked());
        }
        return changes;
    }
}
