package io.dynajournal.internal.layout.commits;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.PersistenceIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * Reads persistence ids by a scan of the table, for when the index may not be trusted. A scan returns the items of one
 * persistence id together, so only the last one has to be remembered.
 */
final class CommitsScannedIds implements PersistenceIds {

    private record Token(
            Map<String, AttributeValue> next, @Nullable String last) implements PageToken {}

    private final Dynamo dynamo;
    private final String table;

    CommitsScannedIds(Dynamo dynamo, String table) {
        this.dynamo = dynamo;
        this.table = table;
    }

    @Override
    public CompletionStage<IdPage> read(@Nullable PageToken start) {
        @Nullable Token token = (Token) start;
        return dynamo.scan(ScanRequest.builder()
                        .tableName(table)
                        .consistentRead(true)
                        .projectionExpression("pid")
                        .filterExpression("NOT begins_with(pid, :reserved)")
                        .expressionAttributeValues(Map.of(":reserved", AttributeValue.fromS(ReservedIds.PREFIX)))
                        .exclusiveStartKey(token == null ? null : token.next()))
                .thenApply(page -> {
                    List<String> ids = new ArrayList<>();
                    String last = token == null ? null : token.last();
                    for (Item item : page.items()) {
                        String id = item.text(ItemKey.PID);
                        if (!id.equals(last)) {
                            ids.add(id);
                            last = id;
                        }
                    }
                    return new IdPage(ids, page.next() == null ? null : new Token(page.next(), last));
                });
    }
}
