package io.dynajournal.layout.commits;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.ItemPage;
import io.dynajournal.store.PageToken;
import io.dynajournal.store.PersistenceIds;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** Ids from their index, one partition after another. An id that was first written a moment ago may still be missing. */
final class CommitsPersistenceIds implements PersistenceIds {

    /** A partition of the index, and where it goes on. */
    private record At(int partition, @Nullable Map<String, AttributeValue> start) implements PageToken {}

    private final Dynamo dynamo;
    private final String table;

    CommitsPersistenceIds(Dynamo dynamo, String table) {
        this.dynamo = dynamo;
        this.table = table;
    }

    @Override
    public CompletionStage<IdPage> read(@Nullable PageToken start) {
        At at = start == null ? new At(0, null) : (At) start;
        return dynamo.query(QueryRequest.builder()
                        .tableName(table)
                        .indexName(CommitsJournal.ID_INDEX)
                        .keyConditionExpression("id = :partition")
                        .expressionAttributeValues(
                                Map.of(":partition", AttributeValue.fromS(Integer.toHexString(at.partition()))))
                        .exclusiveStartKey(at.start()))
                .thenApply(page -> new IdPage(ids(page), next(at, page)));
    }

    /** The floor and the first commit of a log are two rows. */
    private static List<String> ids(ItemPage page) {
        return page.items().stream()
                .map(item -> item.text(CommitItems.PID))
                .distinct()
                .toList();
    }

    private static @Nullable At next(At at, ItemPage page) {
        if (page.next() != null) {
            return new At(at.partition(), page.next());
        }
        return at.partition() + 1 < CommitItems.ID_PARTITIONS ? new At(at.partition() + 1, null) : null;
    }
}
