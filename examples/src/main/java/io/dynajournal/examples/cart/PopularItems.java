package io.dynajournal.examples.cart;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbAsyncWaiter;

/** The read model: how often each item was put into a cart, in a table of the application's own. */
public final class PopularItems {

    static final String TABLE = "item_popularity";

    private final DynamoDbAsyncClient client;

    public PopularItems(DynamoDbAsyncClient client) {
        this.client = client;
    }

    /**
     * An item of the shop.
     *
     * @param quantity the pieces that were put into carts
     * @param additions the number of events
     */
    public record Count(String item, long quantity, long additions) {

        Count plus(Count other) {
            return new Count(item, quantity + other.quantity, additions + other.additions);
        }
    }

    /** Creates the table unless it exists. */
    public CompletionStage<Void> create() {
        return client.createTable(table -> table.tableName(TABLE)
                        .billingMode(BillingMode.PAY_PER_REQUEST)
                        .attributeDefinitions(AttributeDefinition.builder()
                                .attributeName("item")
                                .attributeType(ScalarAttributeType.S)
                                .build())
                        .keySchema(KeySchemaElement.builder()
                                .attributeName("item")
                                .keyType(KeyType.HASH)
                                .build()))
                .<Void>thenApply(created -> null)
                .exceptionally(failure -> {
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    if (cause instanceof ResourceInUseException) {
                        return null;
                    }
                    throw new CompletionException(cause);
                })
                .thenCompose(there -> untilActive());
    }

    private CompletionStage<Void> untilActive() {
        DynamoDbAsyncWaiter waiter = client.waiter();
        // Its threads would keep the JVM alive.
        return waiter.waitUntilTableExists(table -> table.tableName(TABLE))
                .whenComplete((active, failure) -> waiter.close())
                .thenApply(active -> null);
    }

    /** All items, the most popular first. */
    public CompletionStage<List<Count>> all() {
        List<Count> counts = new ArrayList<>();
        return client.scanPaginator(scan -> scan.tableName(TABLE).consistentRead(true))
                .items()
                .subscribe(item -> counts.add(count(item)))
                .thenApply(done -> counts.stream()
                        .sorted(Comparator.comparingLong(Count::quantity)
                                .reversed()
                                .thenComparing(Count::item))
                        .toList());
    }

    private static Count count(Map<String, AttributeValue> item) {
        AttributeValue none = AttributeValue.fromN("0");
        return new Count(
                item.getOrDefault("item", AttributeValue.fromS("")).s(),
                Long.parseLong(item.getOrDefault("quantity", none).n()),
                Long.parseLong(item.getOrDefault("additions", none).n()));
    }
}
