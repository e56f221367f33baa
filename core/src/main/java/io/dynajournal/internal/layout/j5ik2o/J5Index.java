package io.dynajournal.internal.layout.j5ik2o;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.ItemPage;
import io.dynajournal.internal.store.Pages;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * The index by persistence id and sequence number. It may lag behind the table, so it is used only for hints and for rows
 * under keys of other resolvers.
 */
final class J5Index {

    private final Dynamo dynamo;
    private final J5Journal settings;
    private final J5Items items;

    J5Index(Dynamo dynamo, J5Journal settings) {
        this.dynamo = dynamo;
        this.settings = settings;
        this.items = settings.items();
    }

    /** The rows from a sequence number on, under whatever keys. */
    CompletionStage<ItemPage> page(String persistenceId, long from, long to) {
        return dynamo.query(query(persistenceId, from, to).limit(settings.pageItems()));
    }

    /** The first row in the range under a key of the configured resolvers. */
    CompletionStage<Optional<Item>> lowestOfOurs(String persistenceId, long from, long to) {
        return lowest(persistenceId, from, to, row -> !items.hasOtherKey(row));
    }

    /** The first row in the range under a key of other resolvers. */
    CompletionStage<Optional<Item>> lowestOfOthers(String persistenceId, long from, long to) {
        return lowest(persistenceId, from, to, items::hasOtherKey);
    }

    private CompletionStage<Optional<Item>> lowest(String persistenceId, long from, long to, Predicate<Item> wanted) {
        AtomicReference<@Nullable Item> found = new AtomicReference<>();
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> dynamo.query(query(persistenceId, from, to)
                                        .limit(start == null ? 1 : settings.pageItems())
                                        .exclusiveStartKey(start))
                                .thenApply(page -> {
                                    page.items().stream()
                                            .filter(wanted)
                                            .findFirst()
                                            .ifPresent(found::set);
                                    return found.get() == null ? page.next() : null;
                                }))
                .thenApply(done -> Optional.ofNullable(found.get()));
    }

    /** The row with the highest sequence number that the index shows. */
    CompletionStage<Optional<Item>> highest(String persistenceId) {
        return dynamo.query(query(persistenceId, 0, Long.MAX_VALUE)
                        .scanIndexForward(false)
                        .limit(1))
                .thenApply(page -> page.items().stream().findFirst());
    }

    private QueryRequest.Builder query(String persistenceId, long from, long to) {
        return QueryRequest.builder()
                .tableName(settings.tableName())
                .indexName(settings.indexName())
                .keyConditionExpression("#id = :id AND #number BETWEEN :from AND :to")
                .expressionAttributeNames(Map.of(
                        "#id", settings.columns().persistenceId(),
                        "#number", settings.columns().sequenceNr()))
                .expressionAttributeValues(Map.of(
                        ":id", AttributeValue.fromS(persistenceId),
                        ":from", AttributeValue.fromN(Long.toString(from)),
                        ":to", AttributeValue.fromN(Long.toString(to))));
    }
}
