package io.dynajournal.internal.layout.akka1;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.PersistenceIds;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * The persistence ids of a journal, from the keys of all its items. (The predecessor lists those whose event 1 exists, so it
 * misses ids that have deleted it.) Items of other journals in the table are skipped. A persistence id has many items, so one
 * scan remembers those it has returned.
 */
final class Akka1PersistenceIds implements PersistenceIds {

    /** The position of a scan. Usable once: the next page changes the set. */
    private record Cursor(Map<String, AttributeValue> start, Set<String> returned) implements PageToken {}

    private final Dynamo dynamo;
    private final String table;
    private final Akka1Keys keys;

    Akka1PersistenceIds(Dynamo dynamo, Akka1Journal settings) {
        this.dynamo = dynamo;
        this.table = settings.tableName();
        this.keys = settings.keys();
    }

    @Override
    public CompletionStage<IdPage> read(@Nullable PageToken start) {
        Cursor cursor = (Cursor) start;
        Set<String> returned = cursor == null ? new HashSet<>() : cursor.returned();
        ScanRequest.Builder scan = ScanRequest.builder()
                .tableName(table)
                .consistentRead(true)
                .projectionExpression("#par, #id")
                .expressionAttributeNames(Map.of("#par", Akka1Items.PAR, "#id", Akka1Items.PERSISTENCE_ID))
                .exclusiveStartKey(cursor == null ? null : cursor.start());
        return dynamo.scan(scan).thenApply(page -> {
            List<String> ids = page.items().stream()
                    .flatMap(item -> id(item).stream())
                    .filter(returned::add)
                    .toList();
            return new IdPage(ids, page.next() == null ? null : new Cursor(page.next(), returned));
        });
    }

    private Optional<String> id(Item item) {
        return keys.persistenceId(item.text(Akka1Items.PAR), item.textOr(Akka1Items.PERSISTENCE_ID, null));
    }
}
