package io.dynajournal.testkit.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** The items of a table, its indexes, and a replica for eventually consistent reads. Not thread-safe. */
final class Table {

    static final int MAX_ITEM_BYTES = 409_600;

    /** DynamoDB does not expire items whose time is more than five years ago. */
    private static final long OLDEST_EXPIRY_SECONDS = 5L * 365 * 24 * 3600;

    private record Expiry(long removalNanos, ItemKey key, AttributeValue at) {}

    private TableDescription description;
    private final KeySchema schema;
    private final Lags lags;
    private final Map<ItemKey, Map<String, AttributeValue>> items = new HashMap<>();
    private final Rows main;
    private final Rows replica;
    private final Map<String, Rows> indexes = new LinkedHashMap<>();
    private final PriorityQueue<Expiry> expiries =
            new PriorityQueue<>(Comparator.comparingLong(Expiry::removalNanos).thenComparing(Expiry::key));
    private @Nullable String timeToLive;
    private long version;

    Table(TableDescription description, KeySchema schema, List<IndexShape> shapes, Lags lags) {
        this.description = description;
        this.schema = schema;
        this.lags = lags;
        IndexShape whole = new IndexShape("", schema, false, null);
        this.main = new Rows(whole);
        this.replica = new Rows(whole);
        shapes.forEach(shape -> indexes.put(shape.name(), new Rows(shape)));
    }

    TableDescription description() {
        return description;
    }

    String name() {
        return description.tableName();
    }

    KeySchema schema() {
        return schema;
    }

    List<IndexShape> indexShapes() {
        return indexes.values().stream().map(Rows::shape).toList();
    }

    int size() {
        return items.size();
    }

    @Nullable
    String timeToLive() {
        return timeToLive;
    }

    void timeToLive(@Nullable String attribute) {
        timeToLive = attribute;
        if (attribute != null) {
            items.forEach(this::scheduleExpiry);
        }
    }

    /** The item now; empty if there is none. */
    Map<String, AttributeValue> get(ItemKey key) {
        removeExpired();
        return items.getOrDefault(key, Map.of());
    }

    /** The item as an eventually consistent read may see it. */
    Map<String, AttributeValue> getStale(ItemKey key) {
        Rows.Row row = rows(null, false).partition(key.hash()).get(new Rows.Position(key.range(), key));
        return row == null ? Map.of() : row.item();
    }

    /** What a query reads. */
    Rows rows(@Nullable String index, boolean consistent) {
        removeExpired();
        if (index != null) {
            Rows rows = indexes.get(index);
            if (rows == null) {
                throw Errors.validation("The table does not have the specified index: " + index);
            }
            if (isBuilding(rows.shape())) {
                throw Errors.indexBackfilling(index);
            }
            rows.catchUp(lags.nanoTime());
            return rows;
        }
        replica.catchUp(lags.nanoTime());
        return consistent ? main : replica;
    }

    boolean isBuilding(IndexShape index) {
        return !index.local() && lags.isBuilding(name(), index.name());
    }

    /** Adds a global index with the items that are there. */
    void addIndex(IndexShape shape, TableDescription changed) {
        Rows rows = new Rows(shape);
        items.forEach((key, item) -> rows.apply(version, key, item));
        indexes.put(shape.name(), rows);
        description = changed;
    }

    void removeIndex(String index, TableDescription changed) {
        indexes.remove(index);
        description = changed;
    }

    /** @param item null to delete it */
    void set(ItemKey key, @Nullable Map<String, AttributeValue> item) {
        version++;
        if (item == null) {
            items.remove(key);
        } else {
            items.put(key, item);
            scheduleExpiry(key, item);
        }
        main.apply(version, key, item);
        long now = lags.nanoTime();
        replica.catchUp(now);
        replica.announce(now + lags.replicaNanos(name()), version, key, item);
        for (Rows index : indexes.values()) {
            long lag = index.shape().local()
                    ? 0
                    : lags.indexNanos(name(), index.shape().name());
            index.catchUp(now);
            index.announce(now + lag, version, key, item);
        }
    }

    private void scheduleExpiry(ItemKey key, Map<String, AttributeValue> item) {
        AttributeValue at = timeToLive == null ? null : item.get(timeToLive);
        if (at != null && at.n() != null) {
            long left = Values.number(at.n()).longValue() - lags.epochSeconds();
            if (left > -OLDEST_EXPIRY_SECONDS) {
                long nanos = Math.max(0, Math.min(left, OLDEST_EXPIRY_SECONDS)) * 1_000_000_000L;
                expiries.add(new Expiry(lags.nanoTime() + nanos + lags.expiryNanos(name()), key, at));
            }
        }
    }

    private void removeExpired() {
        Expiry first = expiries.peek();
        while (first != null && first.removalNanos - lags.nanoTime() <= 0) {
            expiries.remove();
            Map<String, AttributeValue> item = items.get(first.key);
            if (timeToLive != null && item != null && first.at.equals(item.get(timeToLive))) {
                set(first.key, null);
            }
            first = expiries.peek();
        }
    }

    void checkItem(Map<String, AttributeValue> item, boolean update) {
        for (Rows index : indexes.values()) {
            index.shape().schema().checkIndexed(item, index.shape().name());
        }
        int bytes = Values.bytes(item);
        for (Rows index : indexes.values()) {
            if (index.shape().local() && index.shape().schema().find(item) != null) {
                bytes += Values.bytes(index.shape().project(item));
            }
        }
        if (bytes > MAX_ITEM_BYTES) {
            throw Errors.validation(
                    update
                            ? "Item size to update has exceeded the maximum allowed size"
                            : "Item size has exceeded the maximum allowed size");
        }
    }

    /** Write units of the table alone, and of each index by name, for replacing one item by another. */
    Units units(Map<String, AttributeValue> before, @Nullable Map<String, AttributeValue> after) {
        int bytes = Math.max(Values.bytes(before), after == null ? 0 : Values.bytes(after));
        Map<String, Double> ofIndexes = new LinkedHashMap<>();
        for (Rows index : indexes.values()) {
            double units = indexUnits(index.shape(), before, after == null ? Map.of() : after);
            if (units > 0) {
                ofIndexes.put(index.shape().name(), units);
            }
        }
        return new Units(Units.writes(bytes), ofIndexes);
    }

    private static double indexUnits(
            IndexShape index, Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
        ItemKey keyBefore = index.schema().find(before);
        ItemKey keyAfter = index.schema().find(after);
        Map<String, AttributeValue> rowBefore = keyBefore == null ? Map.of() : index.project(before);
        Map<String, AttributeValue> rowAfter = keyAfter == null ? Map.of() : index.project(after);
        if (rowBefore.equals(rowAfter)) {
            return 0;
        }
        if (keyBefore != null && keyAfter != null && keyBefore.equals(keyAfter)) {
            return Units.writes(Math.max(Values.bytes(rowBefore), Values.bytes(rowAfter)));
        }
        return (keyBefore == null ? 0 : Units.writes(Values.bytes(rowBefore)))
                + (keyAfter == null ? 0 : Units.writes(Values.bytes(rowAfter)));
    }

    /** All items, in no order that means anything. */
    List<Map<String, AttributeValue>> allItems() {
        removeExpired();
        return new ArrayList<>(items.values());
    }
}
