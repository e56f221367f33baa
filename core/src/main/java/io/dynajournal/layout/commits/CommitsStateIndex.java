package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.model.SliceRange;
import io.dynajournal.model.StoredState;
import io.dynajournal.store.PageToken;
import io.dynajournal.store.SlicePartition;
import io.dynajournal.store.SliceRow;
import io.dynajournal.store.StateIndex;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** The slice index of the table of durable states: a small row per id, which moves with every write. */
final class CommitsStateIndex implements StateIndex {

    private record Next(Map<String, AttributeValue> key) implements PageToken {}

    /** The state itself is always read from the table, so the row needs to hold nothing. */
    private static final SliceRow.Content NOTHING = new SliceRow.Content() {};

    private final Dynamo dynamo;
    private final CommitsStates settings;
    private final CommitsRegistry registry;
    private final StateReader reader;

    CommitsStateIndex(Dynamo dynamo, CommitsStates settings) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.registry = new CommitsRegistry(dynamo, settings.tableName(), settings.indexPartitions());
        this.reader = new StateReader(
                dynamo, settings.tableName(), new Parts(dynamo, settings.tableName(), settings.itemSize()));
    }

    @Override
    public long nowMicros() {
        return dynamo.nowMicros();
    }

    @Override
    public CompletionStage<List<SlicePartition>> partitions(String entityType, SliceRange slices) {
        return registry.partitions(entityType, slices);
    }

    @Override
    public CompletionStage<List<SlicePartition>> partitions(SliceRange slices) {
        return registry.partitions(slices);
    }

    @Override
    public CompletionStage<RowPage> read(
            SlicePartition partition, long fromMicros, long toMicros, @Nullable PageToken start, int limit) {
        return dynamo.query(QueryRequest.builder()
                        .tableName(settings.tableName())
                        .indexName(CommitsStates.SLICE_INDEX)
                        .keyConditionExpression("ix = :ix AND ts BETWEEN :from AND :to")
                        .expressionAttributeValues(Map.of(
                                ":ix", AttributeValue.fromS(partition.name()),
                                ":from", AttributeValue.fromN(Long.toString(fromMicros)),
                                ":to", AttributeValue.fromN(Long.toString(toMicros))))
                        .limit(limit)
                        .exclusiveStartKey(start == null ? null : ((Next) start).key()))
                .thenApply(page -> new RowPage(
                        page.items().stream().map(CommitsStateIndex::row).toList(),
                        page.next() == null ? null : new Next(page.next())));
    }

    private static SliceRow row(Item item) {
        long time = item.number(StateItems.TS);
        return new SliceRow(
                item.text(StateItems.PID),
                1,
                time,
                time,
                0,
                item.has(StateItems.TAG) ? Set.of(item.text(StateItems.TAG)) : Set.of(),
                NOTHING);
    }

    /** Nothing: a state has replaced those before it. */
    @Override
    public CompletionStage<List<SliceRow>> between(
            String persistenceId, long afterSeqNr, long beforeSeqNr, long fromMicros, int limit) {
        return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletionStage<List<Optional<StoredState>>> states(List<SliceRow> rows) {
        return reader.getAll(rows.stream().map(SliceRow::persistenceId).toList());
    }
}
