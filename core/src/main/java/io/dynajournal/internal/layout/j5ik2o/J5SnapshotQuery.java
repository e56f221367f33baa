package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.model.SnapshotCriteria;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * A query for snapshots of a persistence id in one partition of the table or the index.
 *
 * @param index the name of the index; null for the table, which is read consistently
 * @param hash the name of the hash key
 * @param hashValue the value of the hash key
 * @param sort the name of the sort key; null if it is not in the order of sequence numbers
 */
record J5SnapshotQuery(
        J5Snapshots settings,
        String persistenceId,
        @Nullable String index,
        String hash,
        AttributeValue hashValue,
        @Nullable String sort) {

    /**
     * The queries for the partitions in which the resolvers place snapshots: one partition, or one per shard. Other resolvers
     * need the sequence number to compute a partition, so only the index is left.
     */
    static List<J5SnapshotQuery> all(J5Snapshots settings, String persistenceId) {
        J5SnapshotColumns columns = settings.columns();
        J5Keys keys = settings.keys();
        if (settings.legacyFormat()) {
            return List.of(new J5SnapshotQuery(
                    settings,
                    persistenceId,
                    null,
                    columns.persistenceId(),
                    AttributeValue.fromS(persistenceId),
                    columns.sequenceNr()));
        }
        if (keys.isOnePartition() && keys.sortsBySeqNr()) {
            return List.of(partition(settings, persistenceId, keys.partitionKey(persistenceId, 0)));
        }
        if (keys.ownPartitions() > 0) {
            return IntStream.range(0, keys.ownPartitions())
                    .mapToObj(shard -> partition(settings, persistenceId, keys.ownPartition(persistenceId, shard)))
                    .toList();
        }
        return List.of(index(settings, persistenceId));
    }

    private static J5SnapshotQuery partition(J5Snapshots settings, String persistenceId, String key) {
        return new J5SnapshotQuery(
                settings,
                persistenceId,
                null,
                settings.columns().partitionKey(),
                AttributeValue.fromS(key),
                settings.keys().sortsBySeqNr() ? settings.columns().sortKey() : null);
    }

    static J5SnapshotQuery index(J5Snapshots settings, String persistenceId) {
        return new J5SnapshotQuery(
                settings,
                persistenceId,
                settings.indexName(),
                settings.columns().persistenceId(),
                AttributeValue.fromS(persistenceId),
                settings.columns().sequenceNr());
    }

    boolean isIndex() {
        return index != null;
    }

    boolean isInOrder() {
        return sort != null;
    }

    /** The request, with filters for what the key condition does not cover. */
    QueryRequest.Builder request(SnapshotCriteria criteria, @Nullable Map<String, AttributeValue> start) {
        J5SnapshotColumns columns = settings.columns();
        Map<String, String> names = new HashMap<>(Map.of("#hash", hash));
        Map<String, AttributeValue> values = new HashMap<>(Map.of(":hash", hashValue));
        StringBuilder filter = new StringBuilder();
        String condition = "#hash = :hash";
        if (sort != null) {
            condition += " AND #sort BETWEEN :min AND :max";
            names.put("#sort", sort);
            boolean byKey = sort.equals(columns.sortKey());
            values.put(":min", bound(byKey, criteria.minSeqNr()));
            values.put(":max", bound(byKey, criteria.maxSeqNr()));
        } else {
            filter.append("#number BETWEEN :min AND :max");
            names.put("#number", columns.sequenceNr());
            values.put(":min", bound(false, criteria.minSeqNr()));
            values.put(":max", bound(false, criteria.maxSeqNr()));
        }
        if (!hash.equals(columns.persistenceId())) {
            and(filter).append("#id = :id");
            names.put("#id", columns.persistenceId());
            values.put(":id", AttributeValue.fromS(persistenceId));
        }
        if (criteria.boundsTime()) {
            and(filter).append("#created BETWEEN :minTime AND :maxTime");
            names.put("#created", columns.created());
            values.put(":minTime", bound(false, criteria.minTimestamp()));
            values.put(":maxTime", bound(false, criteria.maxTimestamp()));
        }
        return QueryRequest.builder()
                .tableName(settings.tableName())
                .indexName(index)
                .consistentRead(index == null)
                .keyConditionExpression(condition)
                .filterExpression(filter.isEmpty() ? null : filter.toString())
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .exclusiveStartKey(start);
    }

    private static StringBuilder and(StringBuilder filter) {
        return filter.isEmpty() ? filter : filter.append(" AND ");
    }

    private AttributeValue bound(boolean byKey, long seqNr) {
        return byKey
                ? AttributeValue.fromS(settings.keys().sortKey(persistenceId, seqNr))
                : AttributeValue.fromN(Long.toString(seqNr));
    }
}
