package io.dynajournal.dynamo;

import io.dynajournal.dynamo.direct.Answer;
import io.dynajournal.dynamo.direct.Page;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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

/** By the SDK's client. */
final class SdkRequests implements Requests {

    private final DynamoDbAsyncClient client;

    SdkRequests(DynamoDbAsyncClient client) {
        this.client = client;
    }

    @Override
    public CompletableFuture<Answer<Map<String, AttributeValue>>> put(PutItemRequest request) {
        return answer(
                client.putItem(request), PutItemResponse::attributes, response -> list(response.consumedCapacity()));
    }

    @Override
    public CompletableFuture<Answer<Page>> query(QueryRequest request) {
        return answer(
                client.query(request),
                response ->
                        new Page(response.items(), response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : null),
                response -> list(response.consumedCapacity()));
    }

    @Override
    public CompletableFuture<Answer<List<BatchStatementResponse>>> execute(BatchExecuteStatementRequest request) {
        return answer(
                client.batchExecuteStatement(request),
                BatchExecuteStatementResponse::responses,
                BatchExecuteStatementResponse::consumedCapacity);
    }

    static List<ConsumedCapacity> list(@Nullable ConsumedCapacity consumed) {
        return consumed == null ? List.of() : List.of(consumed);
    }

    /** The same answer; whoever gives up waiting for it gives up the request. */
    static <R extends DynamoDbResponse, T> CompletableFuture<Answer<T>> answer(
            CompletableFuture<R> sent, Function<R, T> value, Function<R, List<ConsumedCapacity>> capacity) {
        CompletableFuture<Answer<T>> answer = sent.thenApply(response -> new Answer<>(
                value.apply(response),
                capacity.apply(response),
                response.sdkHttpResponse().firstMatchingHeader("Date").orElse(null)));
        answer.whenComplete((answered, failure) -> {
            if (failure != null) {
                sent.completeExceptionally(failure);
            }
        });
        return answer;
    }
}
