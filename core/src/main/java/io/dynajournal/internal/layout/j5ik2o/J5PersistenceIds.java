package io.dynajournal.internal.layout.j5ik2o;

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

/** Lists persistence ids by a scan. The rows of one are in any order, so those that were returned are remembered. */
final class J5PersistenceIds implements PersistenceIds {

    private record Position(Map<String, AttributeValue> key, Set<String> known) implements PageToken {
        @Override
        public long heldBytes() {
            return known.stream().mapToLong(id -> 2L * id.length() + 64).sum();
        }
    }

    private final Dynamo dynamo;
    private final String table;
    private final String column;

    J5PersistenceIds(Dynamo dynamo, String table, String column) {
        this.dynamo = dynamo;
        this.table = table;
        this.column = column;
    }

    @Override
    public CompletionStage<IdPage> read(@Nullable PageToken start) {
        @Nullable Position position = (Position) start;
        return dynamo.scan(ScanRequest.builder()
                        .tableName(table)
                        .consistentRead(true)
                        .projectionExpression("#id")
                        .expressionAttributeNames(Map.of("#id", column))
                        .exclusiveStartKey(position == null ? null : position.key()))
                .thenApply(page -> {
                    Set<String> known = position == null ? new HashSet<>() : new HashSet<>(position.known());
                    List<String> ids = new ArrayList<>();
                    for (Item row : page.items()) {
                        String id = row.text(column);
                        if (known.add(id)) {
                            ids.add(id);
                        }
                    }
                    return new IdPage(ids, page.next() == null ? null : new Position(page.next(), known));
                });
    }
}
