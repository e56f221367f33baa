package io.dynajournal.layout.akka1;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.store.PageToken;
import io.dynajournal.store.PersistenceIds;
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
 * The ids of a journal, from the keys of all its items: the predecessor looks for event 1, and loses ids that have deleted
 * it. Other journals of the table are passed over. An id has many items, so the ids that have been named are remembered
 * over the pages of one scan.
 */
final class Akka1PersistenceIds implements PersistenceIds {

    /** Where the scan goes on. A page may be asked for once: the set goes with it. */
    private record Cursor(Map<String, AttributeValue> start, Set<String> named) implements PageToken {}

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
        Set<String> named = cursor == null ? new HashSet<>() : cursor.named();
        ScanRequest.Builder scan = ScanRequest.builder()
                .tableName(table)
                .consistentRead(true)
                .projectionExpression("#par, #id")
                .expressionAttributeNames(Map.of("#par", Akka1Items.PAR, "#id", Akka1Items.PERSISTENCE_ID))
                .exclusiveStartKey(cursor == null ? null : cursor.start());
        return dynamo.scan(scan).thenApply(page -> {
            List<String> ids = page.items().stream()
                    .flatMap(item -> id(item).stream())
                    .filter(named::add)
                    .toList();
            return new IdPage(ids, page.next() == null ? null : new Cursor(page.next(), named));
        });
    }

    private Optional<String> id(Item item) {
        return keys.persistenceId(item.text(Akka1Items.PAR), item.textOr(Akka1Items.PERSISTENCE_ID, null));
    }
}
