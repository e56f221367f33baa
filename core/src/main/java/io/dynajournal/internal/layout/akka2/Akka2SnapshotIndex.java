package io.dynajournal.internal.layout.akka2;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SnapshotIndex;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * The slice index of 2.x's snapshots: a partition for each slice of an entity type, a row for each persistence id. The time of
 * a row is that of the snapshot's event, or that of the save where queries from snapshots were off.
 */
final class Akka2SnapshotIndex implements SnapshotIndex {

    private record Next(Map<String, AttributeValue> key) implements PageToken {}

    private final Dynamo dynamo;
    private final Akka2Snapshots settings;
    private final Akka2SnapshotTable table;

    Akka2SnapshotIndex(Dynamo dynamo, Akka2Snapshots settings) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.table = new Akka2SnapshotTable(dynamo, settings);
    }

    @Override
    public List<SlicePartition> partitions(String entityType, SliceRange slices) {
        return Akka2Items.partitions(entityType, slices);
    }

    @Override
    public CompletionStage<KeyPage> read(SlicePartition partition, long fromMicros, @Nullable PageToken start) {
        return dynamo.query(QueryRequest.builder()
                        .tableName(settings.tableName())
                        .indexName(settings.sliceIndex())
                        .keyConditionExpression("#slice = :slice AND #time >= :from")
                        .projectionExpression("#pid, #seqNr")
                        .expressionAttributeNames(Map.of(
                                "#slice", Akka2Items.ENTITY_TYPE_SLICE,
                                "#time", Akka2SnapshotItems.EVENT_TIMESTAMP,
                                "#pid", Akka2Items.PID,
                                "#seqNr", Akka2Items.SEQ_NR))
                        .expressionAttributeValues(Map.of(
                                ":slice", AttributeValue.fromS(partition.name()),
                                ":from", Akka2Table.number(fromMicros)))
                        .exclusiveStartKey(start == null ? null : ((Next) start).key()))
                .thenApply(page -> new KeyPage(
                        page.items().stream().map(Akka2SnapshotIndex::key).toList(),
                        page.next() == null ? null : new Next(page.next())));
    }

    private static Key key(Item item) {
        return new Key(item.text(Akka2Items.PID), item.number(Akka2Items.SEQ_NR));
    }

    @Override
    public CompletionStage<List<StoredSnapshot>> load(List<Key> keys) {
        return dynamo.getAll(
                        settings.tableName(),
                        keys.stream()
                                .map(key -> Map.of(Akka2Items.PID, AttributeValue.fromS(key.persistenceId())))
                                .toList())
                .thenApply(items -> items.stream()
                        .map(table::visible)
                        .flatMap(Optional::stream)
                        .toList());
    }
}
