package io.dynajournal.internal.layout.sclasen;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.PersistenceIds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * Lists persistence ids by a scan of the whole table, because there is no index. The ids returned so far stay in memory. An id
 * is listed as long as one of its events is stored, marked as deleted or not.
 */
final class SclasenPersistenceIds implements PersistenceIds {

    private record Position(Map<String, AttributeValue> key, Set<String> seen) implements PageToken {
        @Override
        public long heldBytes() {
            return seen.stream().mapToLong(id -> 64 + 2L * id.length()).sum();
        }
    }

    private final Dynamo dynamo;
    private final String tableName;
    private final SclasenItems items;

    SclasenPersistenceIds(Dynamo dynamo, String tableName, SclasenItems items) {
        this.dynamo = dynamo;
        this.tableName = tableName;
        this.items = items;
    }

    @Override
    public CompletionStage<IdPage> read(@Nullable PageToken start) {
        Position position = (Position) start;
        return dynamo.scan(ScanRequest.builder()
                        .tableName(tableName)
                        .consistentRead(true)
                        .projectionExpression("#key")
                        .filterExpression("begins_with(#key, :events) AND attribute_exists(payload)")
                        .expressionAttributeNames(Map.of("#key", SclasenItems.KEY))
                        .expressionAttributeValues(Map.of(":events", AttributeValue.fromS(items.eventPrefix())))
                        .exclusiveStartKey(position == null ? null : position.key()))
                .thenApply(page -> {
                    Set<String> seen = new HashSet<>(position == null ? Set.of() : position.seen());
                    List<String> ids = new ArrayList<>();
                    for (Item item : page.items()) {
                        String id = items.persistenceId(item);
                        if (id != null && seen.add(id)) {
                            ids.add(id);
                        }
                    }
                    Map<String, AttributeValue> next = page.next();
                    return new IdPage(ids, next == null ? null : new Position(next, seen));
                });
    }
}
