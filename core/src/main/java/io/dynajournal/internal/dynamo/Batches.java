package io.dynajournal.internal.dynamo;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.store.Pages;
import io.dynajournal.listener.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Batched reads and writes. What DynamoDB leaves unprocessed is sent again after a delay, until the deadline. */
final class Batches {

    private static final int MAX_WRITES = 25;
    private static final int MAX_READS = 100;

    private final RequestExecutor executor;
    private final DynamoDbAsyncClient client;
    private final SdkRequestSender sdk;

    Batches(RequestExecutor executor, DynamoDbAsyncClient client, SdkRequestSender sdk) {
        this.executor = executor;
        this.client = client;
        this.sdk = sdk;
    }

    /** Reads by key, consistently, in concurrent batches; missing items are left out. The order is undefined. */
    CompletionStage<List<Item>> getAll(String table, List<Map<String, AttributeValue>> keys) {
        List<CompletableFuture<List<Item>>> reads = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += MAX_READS) {
            reads.add(readBatch(table, keys.subList(from, Math.min(keys.size(), from + MAX_READS)))
                    .toCompletableFuture());
        }
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
                .thenApply(read -> reads.stream()
                        .flatMap(batch -> batch.getNow(List.of()).stream())
                        .toList());
    }

    private CompletionStage<List<Item>> readBatch(String table, List<Map<String, AttributeValue>> keys) {
        List<Item> found = new ArrayList<>();
        Batch<Map<String, AttributeValue>, BatchGetItemRequest, BatchGetItemResponse> batch = new Batch<>(
                Operation.BATCH_GET,
                table,
                left -> BatchGetItemRequest.builder()
                        .requestItems(Map.of(
                                table,
                                KeysAndAttributes.builder()
                                        .keys(left)
                                        .consistentRead(true)
                                        .build()))
                        .returnConsumedCapacity(executor.capacity())
                        .build(),
                request -> sdk.answer(client.batchGetItem(request), BatchGetItemResponse::consumedCapacity),
                response -> {
                    response.responses()
                            .getOrDefault(table, List.of())
                            .forEach(item -> found.add(Item.of(table, item)));
                    return response.unprocessedKeys().containsKey(table)
                            ? response.unprocessedKeys().get(table).keys()
                            : List.of();
                });
        return send(batch, keys).thenApply(read -> found);
    }

    /** Writes in batches, one after another. */
    CompletionStage<Void> writeAll(String table, List<WriteRequest> writes) {
        return Pages.drain(
                0,
                from -> writes.size() <= from
                        ? CompletableFuture.completedFuture(null)
                        : writeBatch(table, writes.subList(from, Math.min(writes.size(), from + MAX_WRITES)))
                                .thenApply(done -> from + MAX_WRITES));
    }

    private CompletionStage<Void> writeBatch(String table, List<WriteRequest> writes) {
        Batch<WriteRequest, BatchWriteItemRequest, BatchWriteItemResponse> batch = new Batch<>(
                Operation.BATCH_WRITE,
                table,
                left -> BatchWriteItemRequest.builder()
                        .requestItems(Map.of(table, left))
                        .returnConsumedCapacity(executor.capacity())
                        .build(),
                request -> sdk.answer(client.batchWriteItem(request), BatchWriteItemResponse::consumedCapacity),
                response -> response.unprocessedItems().getOrDefault(table, List.of()));
        return send(batch, writes);
    }

    /** How a batch of elements is sent, and which of them an answer leaves unprocessed. */
    private record Batch<E, Q extends DynamoDbRequest, R>(
            Operation operation,
            String table,
            Function<List<E>, Q> request,
            Function<Q, CompletableFuture<Answer<R>>> send,
            Function<R, List<E>> unprocessed) {}

    /** What is left of a batch after some requests. */
    private record Left<E>(List<E> elements, int requests) {}

    private <E, Q extends DynamoDbRequest, R> CompletionStage<Void> send(Batch<E, Q, R> batch, List<E> elements) {
        long deadline = executor.deadline();
        return Pages.drain(
                new Left<>(elements, 0),
                left -> executor.call(
                                new Request<>(
                                        batch.operation(),
                                        batch.table(),
                                        batch.request().apply(left.elements()),
                                        batch.send()),
                                deadline)
                        .start()
                        .thenCompose(response ->
                                next(batch, left, batch.unprocessed().apply(response), deadline)));
    }

    private <E> CompletionStage<Left<E>> next(Batch<E, ?, ?> batch, Left<E> left, List<E> unprocessed, long deadline) {
        if (unprocessed.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        int requests = left.requests() + 1;
        long delay = executor.backoffNanos(requests);
        if (!executor.mayRetry(delay, deadline)) {
            return CompletableFuture.failedFuture(new StoreException.Unavailable(
                    batch.operation() + " on table " + batch.table() + ": DynamoDB left " + unprocessed.size() + " of "
                            + left.elements().size() + " items unprocessed in " + requests
                            + (requests == 1 ? " request" : " requests") + "; the others were processed.",
                    null,
                    StoreException.Outcome.UNKNOWN));
        }
        CompletableFuture<Left<E>> next = new CompletableFuture<>();
        executor.threads().after(delay, () -> next.complete(new Left<>(new ArrayList<>(unprocessed), requests)));
        return next;
    }
}
