package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.model.SliceRange;
import io.dynajournal.model.Slices;
import io.dynajournal.model.SnapshotCriteria;
import io.dynajournal.model.StoredSnapshot;
import io.dynajournal.store.PageToken;
import io.dynajournal.store.Pages;
import io.dynajournal.store.SlicePartition;
import io.dynajournal.store.SnapshotIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** The slice index of the native snapshot table: a row of keys for each snapshot. */
final class CommitsSnapshotIndex implements SnapshotIndex {

    private record Next(Map<String, AttributeValue> key) implements PageToken {}

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
        int count = SnapshotItems.PARTITIONS;
        return IntStream.rangeClosed(slices.min() * count / Slices.COUNT, slices.max() * count / Slices.COUNT)
                .mapToObj(partition -> CommitItems.slicePartition(entityType, count, partition))
                .toList();
    }

    @Override
    public CompletionStage<KeyPage> read(SlicePartition partition, long fromMicros, @Nullable PageToken start) {
        return dynamo.query(QueryRequest.builder()
                        .tableName(tableName)
                        .indexName(CommitsSnapshots.SLICE_INDEX)
                        .keyConditionExpression("ix = :ix AND saved >= :from")
                        .expressionAttributeValues(
                                Map.of(":ix", AttributeValue.fromS(partition.name()), ":from", number(fromMicros)))
                        .exclusiveStartKey(start == null ? null : ((Next) start).key()))
                .thenApply(page -> new KeyPage(
                        page.items().stream().map(CommitsSnapshotIndex::key).toList(),
                        page.next() == null ? null : new Next(page.next())));
    }

    private static Key key(Item item) {
        return new Key(item.text(SnapshotItems.PID), item.number(SnapshotItems.SEQ));
    }

    @Override
    public CompletionStage<List<StoredSnapshot>> load(List<Key> keys) {
        return dynamo.getAll(
                        tableName,
                        keys.stream().map(CommitsSnapshotIndex::attributes).toList())
                .thenCompose(items -> {
                    Map<Key, Item> heads = new HashMap<>();
                    items.forEach(item -> heads.put(key(item), item));
                    List<StoredSnapshot> loaded = new ArrayList<>();
                    return Pages.drain(
                                    0,
                                    index -> index == keys.size()
                                            ? CompletableFuture.completedFuture(null)
                                            : load(keys.get(index), heads).thenApply(found -> {
                                                found.ifPresent(loaded::add);
                                                return index + 1;
                                            }))
                            .thenApply(done -> loaded);
                });
    }

    private CompletionStage<Optional<StoredSnapshot>> load(Key key, Map<Key, Item> heads) {
        Item head = heads.get(key);
        CompletionStage<Optional<StoredSnapshot>> found =
                head == null ? CompletableFuture.completedFuture(Optional.empty()) : table.whole(head);
        return found.thenCompose(snapshot -> snapshot.isPresent()
                ? CompletableFuture.completedFuture(snapshot)
                : table.load(key.persistenceId(), SnapshotCriteria.ALL));
    }

    private static Map<String, AttributeValue> attributes(Key key) {
        return Map.of(
                SnapshotItems.PID, AttributeValue.fromS(key.persistenceId()), SnapshotItems.SEQ, number(key.seqNr()));
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }
}
