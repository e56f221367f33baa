package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.SliceRows;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** Reads the index {@code slices} of a native table of events or states, keyed by {@code ix} and {@code ts}. */
abstract class CommitsSliceRows implements SliceRows {

    static final String INDEX = "slices";

    /** The index of a table, sorted by a number. */
    static TableSpec.Index index(String sortKey, List<String> projected) {
        return new TableSpec.Index(
                INDEX, new TableSpec.Key(CommitItems.INDEX_PARTITION, "S"), new TableSpec.Key(sortKey, "N"), projected);
    }

    private final Dynamo dynamo;
    private final String table;
    private final CommitsRegistry registry;

    CommitsSliceRows(Dynamo dynamo, String table, int indexPartitions) {
        this.dynamo = dynamo;
        this.table = table;
        this.registry = new CommitsRegistry(dynamo, table, indexPartitions);
    }

    /** What a row of the index shows. */
    abstract SliceRow row(Item item);

    @Override
    public final long nowMicros() {
        return dynamo.nowMicros();
    }

    @Override
    public final CompletionStage<List<SlicePartition>> partitions(String entityType, SliceRange slices) {
        return registry.partitions(entityType, slices);
    }

    @Override
    public final CompletionStage<List<SlicePartition>> partitions(SliceRange slices) {
        return registry.partitions(slices);
    }

    @Override
    public final CompletionStage<RowPage> read(
            SlicePartition partition, long fromMicros, long toMicros, @Nullable PageToken start, int limit) {
        return dynamo.query(QueryRequest.builder()
                        .tableName(table)
                        .indexName(INDEX)
                        .keyConditionExpression("ix = :ix AND ts BETWEEN :from AND :to")
                        .expressionAttributeValues(Map.of(
                                ":ix", AttributeValue.fromS(partition.name()),
                                ":from", ItemKey.number(fromMicros),
                                ":to", ItemKey.number(toMicros)))
                        .limit(limit)
                        .exclusiveStartKey(NextKey.startKey(start)))
                .thenApply(page -> new RowPage(
                        page.items().stream()
                                .map(item -> row(ItemKey.named(table, item)))
                                .toList(),
                        NextKey.after(page)));
    }
}
