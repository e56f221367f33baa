package io.dynajournal.layout.j5ik2o;

import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.Item;
import io.dynajournal.dynamo.ItemPage;
import io.dynajournal.store.Pages;
import io.dynajournal.store.StoreException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * The index by id and number. It may be behind the table, so it only tells where to look, and it finds rows whose keys our
 * resolvers do not make.
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

    CompletionStage<ItemPage> page(
            String persistenceId, long from, long to, @Nullable Map<String, AttributeValue> start) {
        return dynamo.query(
                query(persistenceId, from, to).limit(settings.pageItems()).exclusiveStartKey(start));
    }

    /** The first row in the range whose key our resolvers make. */
    CompletionStage<Optional<Item>> lowestOfOurs(String persistenceId, long from, long to) {
        AtomicReference<@Nullable Item> found = new AtomicReference<>();
        return Pages.<Map<String, AttributeValue>>drain(
                        null,
                        start -> dynamo.query(query(persistenceId, from, to)
                                        .limit(start == null ? 1 : settings.pageItems())
                                        .exclusiveStartKey(start))
                                .thenApply(page -> {
                                    page.items().stream()
                                            .filter(row -> items.otherOrigin(row) == null)
                                            .findFirst()
                                            .ifPresent(found::set);
                                    return found.get() == null ? page.next() : null;
                                }))
                .thenApply(done -> Optional.ofNullable(found.get()));
    }

    CompletionStage<ItemPage> highest(String persistenceId) {
        return dynamo.query(
                query(persistenceId, 0, Long.MAX_VALUE).scanIndexForward(false).limit(1));
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

    /** A log whose newest rows have other keys would go on under ours, and nobody could fence it or delete its rows. */
    void checkKey(Item row) {
        String origin = items.otherOrigin(row);
        if (origin != null) {
            throw new StoreException.Refused(
                    "Number " + items.seqNr(row) + " of " + items.persistenceId(row) + " in table "
                            + settings.tableName()
                            + " has a key that the resolvers set here do not make. It was made by "
                            + origin + ". Set partition-key-resolver-class-name, sort-key-resolver-class-name,"
                            + " shard-count and persistence-id-separator to what wrote this table"
                            + " (up to 1.11 PartitionKeyResolver$SequenceNumberBased was the default).",
                    null);
        }
    }
}
