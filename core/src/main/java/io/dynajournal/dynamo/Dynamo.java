package io.dynajournal.dynamo;

import io.dynajournal.store.Pages;
import io.dynajournal.store.StoreException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * The one caller of the AWS client. Every request is repeated with full jitter while its call time-out lasts, gives its
 * failures as {@link StoreException}, tells the listener, and teaches the clock. Thread-safe; does not own the client.
 */
public final class Dynamo {

    private static final Logger log = LoggerFactory.getLogger(Dynamo.class);
    private static final int BATCH = 25;

    private final DynamoDbAsyncClient client;
    private final RetrySettings retry;
    private final RequestListener listener;
    private final ServerClock clock;

    public Dynamo(DynamoDbAsyncClient client, RetrySettings retry, RequestListener listener, Clock clock) {
        this.client = client;
        this.retry = retry;
        this.listener = listener;
        this.clock = new ServerClock(clock);
    }

    /** Microseconds since 1970 by this machine's clock, corrected by DynamoDB's. */
    public long nowMicros() {
        return clock.micros();
    }

    /** Puts without a condition; gives the item that stood there before. */
    public CompletionStage<Item> put(PutItemRequest.Builder put) {
        PutItemRequest request = put.returnValues(ReturnValue.ALL_OLD)
                .returnConsumedCapacity(capacity())
                .build();
        return this.<PutItemResponse>call(
                        Operation.PUT,
                        request.tableName(),
                        () -> client.putItem(request),
                        response -> Capacity.of(response.consumedCapacity()))
                .thenApply(response -> Item.of(response.attributes()));
    }

    /**
     * Puts under the condition of the request. Empty if it was stored; otherwise what stands there, with no attribute if
     * nothing does.
     */
    public CompletionStage<Optional<Item>> putIf(PutItemRequest.Builder put) {
        PutItemRequest request = put.returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .returnConsumedCapacity(capacity())
                .build();
        return conditional(this.<PutItemResponse>call(
                Operation.PUT,
                request.tableName(),
                () -> client.putItem(request),
                response -> Capacity.of(response.consumedCapacity())));
    }

    /** Updates under the condition of the request; answers like {@link #putIf}. */
    public CompletionStage<Optional<Item>> updateIf(UpdateItemRequest.Builder update) {
        UpdateItemRequest request = update.returnValuesOnConditionCheckFailure(
                        ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .returnConsumedCapacity(capacity())
                .build();
        return conditional(this.<UpdateItemResponse>call(
                Operation.UPDATE,
                request.tableName(),
                () -> client.updateItem(request),
                response -> Capacity.of(response.consumedCapacity())));
    }

    /** One page. */
    public CompletionStage<ItemPage> query(QueryRequest.Builder query) {
        QueryRequest request = query.returnConsumedCapacity(capacity()).build();
        return this.<QueryResponse>call(
                        Operation.QUERY,
                        request.tableName(),
                        () -> client.query(request),
                        response -> Capacity.of(response.consumedCapacity()))
                .thenApply(response -> new ItemPage(
                        response.items().stream().map(Item::of).toList(),
                        response.lastEvaluatedKey().isEmpty() ? null : response.lastEvaluatedKey()));
    }

    /** Deletes by key, 25 at a time; what DynamoDB leaves unprocessed is sent again. */
    public CompletionStage<Void> deleteAll(String table, List<Map<String, AttributeValue>> keys) {
        List<WriteRequest> writes = keys.stream()
                .map(key -> WriteRequest.builder()
                        .deleteRequest(delete -> delete.key(key))
                        .build())
                .toList();
        return Pages.drain(
                0,
                from -> writes.size() <= from
                        ? CompletableFuture.completedFuture(null)
                        : batch(table, writes.subList(from, Math.min(writes.size(), from + BATCH)), deadline())
                                .thenApply(done -> from + BATCH));
    }

    private CompletionStage<Void> batch(String table, List<WriteRequest> writes, long deadline) {
        return Pages.drain(
                new Left(writes, 0),
                left -> this.<BatchWriteItemResponse>call(
                                Operation.BATCH_WRITE,
                                table,
                                () -> client.batchWriteItem(BatchWriteItemRequest.builder()
                                        .requestItems(Map.of(table, left.writes()))
                                        .returnConsumedCapacity(capacity())
                                        .build()),
                                response -> response.consumedCapacity().isEmpty()
                                        ? Capacity.NONE
                                        : Capacity.of(
                                                response.consumedCapacity().get(0)))
                        .thenCompose(response -> again(table, left, response, deadline)));
    }

    private record Left(List<WriteRequest> writes, int attempts) {}

    private CompletionStage<Left> again(String table, Left left, BatchWriteItemResponse response, long deadline) {
        List<WriteRequest> unprocessed = response.unprocessedItems().getOrDefault(table, List.of());
        if (unprocessed.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        int attempts = left.attempts() + 1;
        long wait = Backoff.waitMillis(attempts, ThreadLocalRandom.current().nextDouble(), retry);
        if (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait) - deadline > 0) {
            return CompletableFuture.failedFuture(new StoreException.Unavailable(
                    unprocessed.size() + " of " + left.writes().size() + " writes to table " + table
                            + " stayed unprocessed in " + attempts + " attempts",
                    null));
        }
        Left next = new Left(new ArrayList<>(unprocessed), attempts);
        return CompletableFuture.supplyAsync(
                () -> next, CompletableFuture.delayedExecutor(wait, TimeUnit.MILLISECONDS));
    }

    private static <R> CompletionStage<Optional<Item>> conditional(CompletionStage<R> call) {
        return call.handle((response, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(Optional.<Item>empty());
                    }
                    return Failures.unwrap(failure) instanceof ConditionalCheckFailedException refusal
                            ? CompletableFuture.completedFuture(
                                    Optional.of(Item.of(refusal.hasItem() ? refusal.item() : Map.of())))
                            : CompletableFuture.<Optional<Item>>failedFuture(failure);
                })
                .thenCompose(Function.identity());
    }

    private <R extends DynamoDbResponse> CompletionStage<R> call(
            Operation operation, String table, Supplier<CompletableFuture<R>> send, Function<R, Capacity> capacity) {
        Call<R> call = new Call<>(operation, table, send, capacity, System.nanoTime(), deadline());
        call.attempt(1);
        return call.result;
    }

    private long deadline() {
        return System.nanoTime() + retry.callTimeout().toNanos();
    }

    private ReturnConsumedCapacity capacity() {
        return listener.wantsCapacity() ? ReturnConsumedCapacity.INDEXES : ReturnConsumedCapacity.NONE;
    }

    /** One request with its repetitions. */
    private final class Call<R extends DynamoDbResponse> {
        private final CompletableFuture<R> result = new CompletableFuture<>();
        private final Operation operation;
        private final String table;
        private final Supplier<CompletableFuture<R>> send;
        private final Function<R, Capacity> capacity;
        private final long started;
        private final long deadline;
        private @Nullable Throwable previous;

        Call(
                Operation operation,
                String table,
                Supplier<CompletableFuture<R>> send,
                Function<R, Capacity> capacity,
                long started,
                long deadline) {
            this.operation = operation;
            this.table = table;
            this.send = send;
            this.capacity = capacity;
            this.started = started;
            this.deadline = deadline;
        }

        void attempt(int number) {
            long sent = clock.localMicros();
            long left = Math.max(1, deadline - System.nanoTime());
            boolean cutShort = left < retry.attemptTimeout().toNanos();
            long patience = cutShort ? left : retry.attemptTimeout().toNanos();
            CompletableFuture<R> attempt;
            try {
                attempt = send.get();
            } catch (RuntimeException e) {
                attempt = CompletableFuture.failedFuture(e);
            }
            attempt.orTimeout(patience, TimeUnit.NANOSECONDS).whenComplete((response, failure) -> {
                if (failure == null) {
                    succeeded(number, sent, response);
                } else {
                    failed(number, telling(Failures.unwrap(failure), cutShort));
                }
            });
        }

        /** An attempt that the deadline cut short tells less than the one before it, which was throttled, say. */
        private Throwable telling(Throwable failure, boolean cutShort) {
            Throwable before = previous;
            return cutShort && before != null && failure instanceof TimeoutException ? before : failure;
        }

        private void succeeded(int attempts, long sent, R response) {
            response.sdkHttpResponse()
                    .firstMatchingHeader("Date")
                    .ifPresent(date -> clock.observe(sent, clock.localMicros(), date));
            listener.succeeded(operation, table, attempts, System.nanoTime() - started, capacity.apply(response));
            result.complete(response);
        }

        private void failed(int attempts, Throwable failure) {
            if (failure instanceof ConditionalCheckFailedException) {
                listener.refused(operation, table, attempts, System.nanoTime() - started);
                result.completeExceptionally(failure);
                return;
            }
            long wait = Backoff.waitMillis(attempts, ThreadLocalRandom.current().nextDouble(), retry);
            boolean inTime = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait) - deadline < 0;
            if (inTime && Failures.isRetryable(failure)) {
                log.debug(
                        "{} on table {}: attempt {} failed, next in {} ms", operation, table, attempts, wait, failure);
                listener.retrying(operation, table, attempts, wait, failure);
                previous = failure;
                CompletableFuture.delayedExecutor(wait, TimeUnit.MILLISECONDS).execute(() -> attempt(attempts + 1));
            } else {
                StoreException translated = Failures.translate(operation, table, attempts, failure);
                listener.failed(operation, table, attempts, System.nanoTime() - started, translated);
                result.completeExceptionally(translated);
            }
        }
    }
}
