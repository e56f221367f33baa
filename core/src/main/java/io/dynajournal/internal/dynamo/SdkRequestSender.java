package io.dynajournal.internal.dynamo;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** Sends requests through the SDK's client. */
final class SdkRequestSender implements RequestSender {

    private final DynamoDbAsyncClient client;
    private final Executor executor;

    /** @param executor completes the futures */
    SdkRequestSender(DynamoDbAsyncClient client, Executor executor) {
        this.client = client;
        this.executor = executor;
    }

    @Override
    public CompletableFuture<Answer<Map<String, AttributeValue>>> put(PutItemRequest request) {
        return answer(
                client.putItem(request), PutItemResponse::attributes, response -> list(response.consumedCapacity()));
    }

    @Override
    public CompletableFuture<Answer<RawPage>> query(QueryRequest request) {
        return answer(
                client.query(request),
                response -> new RawPage(
                        response.items(), response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : null),
                response -> list(response.consumedCapacity()));
    }

    @Override
    public CompletableFuture<Answer<List<BatchStatementResponse>>> execute(BatchExecuteStatementRequest request) {
        return answer(
                client.batchExecuteStatement(request),
                BatchExecuteStatementResponse::responses,
                BatchExecuteStatementResponse::consumedCapacity);
    }

    /** The answer to any other request. */
    <R extends DynamoDbResponse> CompletableFuture<Answer<R>> answer(
            CompletableFuture<R> sent, Function<R, List<ConsumedCapacity>> capacity) {
        return answer(sent, Function.identity(), capacity);
    }

    static List<ConsumedCapacity> list(@Nullable ConsumedCapacity consumed) {
        return consumed == null ? List.of() : List.of(consumed);
    }

    private <R extends DynamoDbResponse, T> CompletableFuture<Answer<T>> answer(
            CompletableFuture<R> sent, Function<R, T> value, Function<R, List<ConsumedCapacity>> capacity) {
        CompletableFuture<Answer<T>> answer = new CompletableFuture<>();
        // Not thenApplyAsync, which would pass a failure on in the HTTP client's thread.
        sent.whenCompleteAsync(
                (response, failure) -> {
                    if (failure != null) {
                        answer.completeExceptionally(failure);
                    } else {
                        answer.complete(new Answer<>(
                                value.apply(response),
                                capacity.apply(response),
                                response.sdkHttpResponse()
                                        .firstMatchingHeader("Date")
                                        .orElse(null)));
                    }
                },
                executor);
        return answer;
    }
}
