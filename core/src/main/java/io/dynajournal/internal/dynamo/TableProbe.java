package io.dynajournal.internal.dynamo;

import io.dynajournal.listener.Operation;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** The cheapest read of a table: eventually consistent, of a key that no item has. It costs half a read unit. */
final class TableProbe {

    /** The toolkits' Management waits a second for a health check by default. */
    private static final Duration PATIENCE = Duration.ofMillis(900);

    private static final String NO_SUCH_KEY = "#dynajournal/health";

    private final RequestExecutor executor;
    private final DynamoDbAsyncClient client;
    private final RequestSender sender;
    private final SdkRequestSender sdk;

    TableProbe(RequestExecutor executor, DynamoDbAsyncClient client, RequestSender sender, SdkRequestSender sdk) {
        this.executor = executor;
        this.client = client;
        this.sender = sender;
        this.sdk = sdk;
    }

    CompletionStage<?> send(TableSpec table, boolean mayQuery) {
        return mayQuery ? send(query(table)) : send(batchGet(table));
    }

    private CompletionStage<?> send(Request<?, ?> request) {
        long deadline = executor.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE.toMillis());
        return executor.call(request, deadline).start();
    }

    private Request<QueryRequest, RawPage> query(TableSpec table) {
        QueryRequest query = QueryRequest.builder()
                .tableName(table.name())
                .keyConditionExpression("#k = :k")
                .expressionAttributeNames(Map.of("#k", table.hash().name()))
                .expressionAttributeValues(Map.of(":k", value(table.hash())))
                .limit(1)
                .returnConsumedCapacity(executor.capacity())
                .build();
        return new Request<>(Operation.QUERY, table.name(), query, sender::query);
    }

    private Request<BatchGetItemRequest, BatchGetItemResponse> batchGet(TableSpec table) {
        Map<String, AttributeValue> key = new HashMap<>();
        key.put(table.hash().name(), value(table.hash()));
        TableSpec.Key range = table.range();
        if (range != null) {
            key.put(range.name(), value(range));
        }
        BatchGetItemRequest get = BatchGetItemRequest.builder()
                .requestItems(Map.of(
                        table.name(),
                        KeysAndAttributes.builder().keys(List.of(key)).build()))
                .returnConsumedCapacity(executor.capacity())
                .build();
        return new Request<>(
                Operation.BATCH_GET,
                table.name(),
                get,
                request -> sdk.answer(client.batchGetItem(request), BatchGetItemResponse::consumedCapacity));
    }

    private static AttributeValue value(TableSpec.Key key) {
        return "N".equals(key.type()) ? AttributeValue.fromN("-1") : AttributeValue.fromS(NO_SUCH_KEY);
    }
}
