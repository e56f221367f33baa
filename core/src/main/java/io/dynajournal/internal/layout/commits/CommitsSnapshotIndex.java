package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SnapshotIndex;
import io.dynajournal.internal.store.Stages;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** The slice index of the native snapshot table: a row of keys for each snapshot. */
final class CommitsSnapshotIndex implements SnapshotIndex {

    private final Dynamo dynamo;
    private final String tableName;
    private final CommitsSnapshotTable table;

    CommitsSnapshotIndex(Dynamo dynamo, CommitsSnapshots settings) {
        this.dynamo = dynamo;
        this.tableName = settings.tableName();
        this.table = new CommitsSnapshotTable(dynamo, settings);
    }

    @Override
    public List<SlicePartition> partitions(String entityType, SliceRange slices) {
        return CommitItems.slicePartitions(entityType, SnapshotItems.INDEX_PARTITIONS, slices);
    }

    @Override
    public CompletionStage<KeyPage> read(SlicePartition partition, long fromMicros, @Nullable PageToken start) {
        return dynamo.query(QueryRequest.builder()
                        .tableName(tableName)
                        .indexName(CommitsSliceRows.INDEX)
                        .keyConditionExpression("ix = :ix AND saved >= :from")
                        .expressionAttributeValues(Map.of(
                                ":ix", AttributeValue.fromS(partition.name()), ":from", ItemKey.number(fromMicros)))
                        .exclusiveStartKey(NextKey.startKey(start)))
                .thenApply(page -> new KeyPage(
                        page.items().stream().map(CommitsSnapshotIndex::key).toList(), NextKey.after(page)));
    }

    private static Key key(Item item) {
        return new Key(item.text(ItemKey.PID), item.number(ItemKey.SEQ));
    }

    @Override
    public CompletionStage<List<StoredSnapshot>> load(List<Key> keys) {
        return dynamo.getAll(
                        tableName,
                        keys.stream()
                                .map(key -> new ItemKey(key.persistenceId(), key.seqNr()).attributes())
                                .toList())
                .thenCompose(items -> {
                    Map<Key, Item> heads = new HashMap<>();
                    items.forEach(item -> heads.put(key(item), ItemKey.named(tableName, item)));
                    return Stages.inOrder(keys, key -> load(key, heads))
                            .thenApply(found ->
                                    found.stream().flatMap(Optional::stream).toList());
                });
    }

    /** The snapshot of a key, or the newest of its persistence id if that one was deleted or replaced meanwhile. */
    private CompletionStage<Optional<StoredSnapshot>> load(Key key, Map<Key, Item> heads) {
        Item head = heads.get(key);
        CompletionStage<Optional<StoredSnapshot>> found = head == null || table.isExpired(head)
                ? CompletableFuture.completedFuture(Optional.empty())
                : table.whole(head);
        return found.thenCompose(snapshot -> snapshot.isPresent()
                ? CompletableFuture.completedFuture(snapshot)
                : table.load(key.persistenceId(), SnapshotCriteria.ALL));
    }
}
