package io.dynajournal.testkit.simulator;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Sorted rows of a table, of an index, or of a replica of the table that lags. Changes that are announced become visible at
 * their time; of one item a later change is never replaced by an earlier one. Not thread-safe.
 */
final class Rows {

    /**
     * Where a row is within its partition. Rows of an index may have the same sort key.
     *
     * @param range null if the schema has no range key
     * @param item the primary key, which orders rows of the same sort key; null is before all of them
     */
    record Position(@Nullable KeyValue range, @Nullable ItemKey item) implements Comparable<Position> {

        private static final Comparator<Position> ORDER = Comparator.<Position, KeyValue>comparing(
                        Position::range, Comparator.nullsFirst(Comparator.<KeyValue>naturalOrder()))
                .thenComparing(Position::item, Comparator.nullsFirst(Comparator.<ItemKey>naturalOrder()));

        @Override
        public int compareTo(Position other) {
            return ORDER.compare(this, other);
        }
    }

    record Row(ItemKey key, Map<String, AttributeValue> item, int bytes) {}

    private record Place(KeyValue partition, Position position, long version) {}

    private record Change(
            long visibleNanos,
            long version,
            ItemKey key,
            @Nullable Map<String, AttributeValue> item) {}

    private static final Comparator<KeyValue> SCATTERED =
            Comparator.comparing(KeyValue::scattered).thenComparing(Comparator.naturalOrder());

    private final IndexShape shape;
    private final NavigableMap<KeyValue, NavigableMap<Position, Row>> partitions = new TreeMap<>(SCATTERED);
    private final Map<ItemKey, Place> places = new HashMap<>();
    private final PriorityQueue<Change> announced =
            new PriorityQueue<>(Comparator.comparingLong(Change::visibleNanos).thenComparingLong(Change::version));

    Rows(IndexShape shape) {
        this.shape = shape;
    }

    IndexShape shape() {
        return shape;
    }

    /** @param item null for a delete */
    void announce(long visibleNanos, long version, ItemKey key, @Nullable Map<String, AttributeValue> item) {
        announced.add(new Change(visibleNanos, version, key, item));
    }

    /** Makes visible what is due. */
    void catchUp(long nowNanos) {
        Change first = announced.peek();
        while (first != null && first.visibleNanos - nowNanos <= 0) {
            announced.remove();
            apply(first.version, first.key, first.item);
            first = announced.peek();
        }
    }

    /** @param item null for a delete */
    void apply(long version, ItemKey key, @Nullable Map<String, AttributeValue> item) {
        Place before = places.get(key);
        if (before != null && before.version > version) {
            return;
        }
        if (before != null) {
            remove(before);
        }
        ItemKey own = item == null ? null : shape.schema().find(item);
        if (own == null || item == null) {
            // The version stays, so that an earlier change that comes later has no effect.
            places.put(key, new Place(key.hash(), new Position(null, null), version));
            return;
        }
        Map<String, AttributeValue> row = shape.project(item);
        Place place = new Place(own.hash(), new Position(own.range(), key), version);
        places.put(key, place);
        partitions
                .computeIfAbsent(place.partition, added -> new TreeMap<>())
                .put(place.position, new Row(key, row, Values.bytes(row)));
    }

    private void remove(Place place) {
        NavigableMap<Position, Row> rows = partitions.get(place.partition);
        if (rows != null && place.position.item() != null) {
            rows.remove(place.position);
            if (rows.isEmpty()) {
                partitions.remove(place.partition);
            }
        }
    }

    /** The rows of a partition in order; empty if there is none. */
    NavigableMap<Position, Row> partition(KeyValue hash) {
        return partitions.getOrDefault(hash, new TreeMap<>());
    }

    /** All partitions, in the order of a scan. */
    NavigableMap<KeyValue, NavigableMap<Position, Row>> all() {
        return partitions;
    }
}
