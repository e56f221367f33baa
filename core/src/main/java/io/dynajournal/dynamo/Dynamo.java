package io.dynajournal.dynamo;

import io.dynajournal.dynamo.direct.Answer;
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
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * The one caller of the AWS client. Every request is repeated with full jitter while its call time-out lasts, gives its
 * failures as {@link StoreException}, tells the listener, and teaches the clock. Thread-safe; does not own the client.
 */
public final class Dynamo {

    private static final Logger log = LoggerFactory.getLogger(Dynamo.class);
    private static final int WRITE_BATCH = 25;
    private static final int READ_BATCH = 100;

    private final DynamoDbAsyncClient client;
    private final Requests requests;
    private final RetrySettings retry;
    private final RequestListener listener;
    private final ServerClock clock;
    private final Inserts inserts;

    /** Without groups of inserts. */
    public Dynamo(AwsClient client, RetrySettings retry, RequestListener listener, Clock clock) {
        this(client, retry, listener, clock, 0);
    }

    /**
     * Makes the caller of a client.
     *
     * @param insertsAtOnce so many requests with inserts are on the way, and what is more waits for company; 0 for no groups
     */
    public Dynamo(AwsClient client, RetrySettings retry, RequestListener listener, Clock clock, int insertsAtOnce) {
        this.client = client.sdk();
        this.requests = client.requests();
        this.retry = retry;
        this.listener = listener;
        this.clock = new ServerClock(clock);
        this.inserts = new Inserts(
                new InsertWire(),
                client.sending(),
                insertsAtOnce,
                CpuLoad.ofProcess()::isHigh,
                CompletableFuture.delayedExecutor(Congestion.LASTS.toNanos(), TimeUnit.NANOSECONDS, client.sending()),
                System::nanoTime);
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
        return call(Operation.PUT, request.tableName(), () -> requests.put(request))
                .thenApply(Item::of);
    }

    /**
     * Puts under the condition of the request. Empty if it was stored; otherwise what stands there, with no attribute if
     * nothing does.
     */
    public CompletionStage<Optional<Item>> putIf(PutItemRequest.Builder put) {
        PutItemRequest request = put.returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .returnConsumedCapacity(capacity())
                .build();
        return conditional(call(Operation.PUT, request.tableName(), () -> requests.put(request)));
    }

    /**
     * Puts an item where none is; answers like {@link #putIf}. Under load several go in one request.
     *
     * @param key name of the attribute that is the table's partition key, a text
     */
    public CompletionStage<Optional<Item>> insert(String table, Item item, String key) {
        return inserts.insert(new Inserts.Insert(table, item, key, deadline()));
    }

    private final class InsertWire implements Inserts.Wire {

        @Override
        public CompletionStage<Optional<Item>> alone(Inserts.Insert insert) {
            PutItemRequest request = PutItemRequest.builder()
                    .tableName(insert.table())
                    .item(insert.item().attributes())
                    .conditionExpression("attribute_not_exists(" + insert.keyName() + ")")
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                    .returnConsumedCapacity(capacity())
                    .build();
            return conditional(call(
                    Operation.PUT,
                    insert.table(),
                    () -> requests.put(request),
                    insert.deadline(),
                    retry.maxAttempts()));
        }

        @Override
        public CompletionStage<List<Boolean>> together(List<Inserts.Insert> group) {
            BatchExecuteStatementRequest request = BatchExecuteStatementRequest.builder()
                    .statements(group.stream()
                            .map(insert -> BatchStatementRequest.builder()
                                    .statement(Inserts.statement(insert))
                                    .parameters(insert.item().attributes().values())
                                    .build())
                            .toList())
                    .returnConsumedCapacity(capacity())
                    .build();
            // Once: what did not get through goes on by itself, each with what is left of its time.
            return call(
                            Operation.BATCH_INSERT,
                            group.get(0).table(),
                            () -> requests.execute(request),
                            group.get(0).deadline(),
                            1)
                    .thenApply(Failures::stored);
        }
    }

    /** Updates under the condition of the request; answers like {@link #putIf}. */
    public CompletionStage<Optional<Item>> updateIf(UpdateItemRequest.Builder update) {
        UpdateItemRequest request = update.returnValuesOnConditionCheckFailure(
                        ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .returnConsumedCapacity(capacity())
                .build();
        return conditional(call(
                Operation.UPDATE,
                request.tableName(),
                sdk(() -> client.updateItem(request), response -> SdkRequests.list(response.consumedCapacity()))));
    }

    /** Deletes under the condition of the request; answers like {@link #putIf}. */
    public CompletionStage<Optional<Item>> deleteIf(DeleteItemRequest.Builder delete) {
        DeleteItemRequest request = delete.returnValuesOnConditionCheckFailure(
                        ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .returnConsumedCapacity(capacity())
                .build();
        return conditional(call(
                Operation.DELETE,
                request.tableName(),
                sdk(() -> client.deleteItem(request), response -> SdkRequests.list(response.consumedCapacity()))));
    }

    /** One page. */
    public CompletionStage<ItemPage> query(QueryRequest.Builder query) {
        QueryRequest request = query.returnConsumedCapacity(capacity()).build();
        return call(Operation.QUERY, request.tableName(), () -> requests.query(request))
                .thenApply(
                        page -> new ItemPage(page.items().stream().map(Item::of).toList(), page.next()));
    }

    /** One page of the whole table. */
    public CompletionStage<ItemPage> scan(ScanRequest.Builder scan) {
        ScanRequest request = scan.returnConsumedCapacity(capacity()).build();
        return call(
                        Operation.SCAN,
                        request.tableName(),
                        sdk(() -> client.scan(request), response -> SdkRequests.list(response.consumedCapacity())))
                .thenApply(response -> new ItemPage(
                        response.items().stream().map(Item::of).toList(),
                        response.lastEvaluatedKey().isEmpty() ? null : response.lastEvaluatedKey()));
    }

    /** How many local indexes of a table hold whole copies of its items. They count to an item's size. */
    public CompletionStage<Integer> fullCopies(String table) {
        return call(
                        Operation.DESCRIBE,
                        table,
                        sdk(() -> client.describeTable(request -> request.tableName(table)), response -> List.of()))
                .thenApply(response -> (int) response.table().localSecondaryIndexes().stream()
                        .filter(index -> index.projection().projectionType() == ProjectionType.ALL)
                        .count());
    }

    /**
     * All or nothing, up to 100 actions.
     *
     * @return empty if it was stored; otherwise why not, for each action in order
     */
    public CompletionStage<List<CancellationReason>> transact(
            String table, TransactWriteItemsRequest.Builder transaction) {
        TransactWriteItemsRequest request =
                transaction.returnConsumedCapacity(capacity()).build();
        return call(
                        Operation.TRANSACT,
                        table,
                        sdk(() -> client.transactWriteItems(request), TransactWriteItemsResponse::consumedCapacity))
                .handle((response, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(List.<CancellationReason>of());
                    }
                    return Failures.unwrap(failure) instanceof TransactionCanceledException cancelled
                            ? CompletableFuture.completedFuture(cancelled.cancellationReasons())
                            : CompletableFuture.<List<CancellationReason>>failedFuture(failure);
                })
                .thenCompose(Function.identity());
    }

    /** Reads by key, consistently, 100 at a time and all at once; what is not there is left out. In no order. */
    public CompletionStage<List<Item>> getAll(String table, List<Map<String, AttributeValue>> keys) {
        List<CompletableFuture<List<Item>>> reads = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += READ_BATCH) {
            reads.add(readBatch(table, keys.subList(from, Math.min(keys.size(), from + READ_BATCH)))
                    .toCompletableFuture());
        }
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
                .thenApply(read -> reads.stream()
                        .flatMap(batch -> batch.getNow(List.of()).stream())
                        .toList());
    }

    private CompletionStage<List<Item>> readBatch(String table, List<Map<String, AttributeValue>> keys) {
        List<Item> found = new ArrayList<>();
        return this.<Map<String, AttributeValue>, BatchGetItemResponse>batch(
                        table,
                        keys,
                        Operation.BATCH_GET,
                        left -> client.batchGetItem(BatchGetItemRequest.builder()
                                .requestItems(Map.of(
                                        table,
                                        KeysAndAttributes.builder()
                                                .keys(left)
                                                .consistentRead(true)
                                                .build()))
                                .returnConsumedCapacity(capacity())
                                .build()),
                        BatchGetItemResponse::consumedCapacity,
                        response -> {
                            response.responses()
                                    .getOrDefault(table, List.of())
                                    .forEach(item -> found.add(Item.of(item)));
                            return response.unprocessedKeys().containsKey(table)
                                    ? response.unprocessedKeys().get(table).keys()
                                    : List.of();
                        })
                .thenApply(read -> found);
    }

    /** Puts without conditions, 25 at a time, one batch after another; unprocessed ones are sent again. */
    public CompletionStage<Void> putAll(String table, List<Item> items) {
        return writeAll(
                table,
                items.stream()
                        .map(item -> WriteRequest.builder()
                                .putRequest(put -> put.item(item.attributes()))
                                .build())
                        .toList());
    }

    /** Deletes by key, 25 at a time, one batch after another; unprocessed ones are sent again. */
    public CompletionStage<Void> deleteAll(String table, List<Map<String, AttributeValue>> keys) {
        return writeAll(
                table,
                keys.stream()
                        .map(key -> WriteRequest.builder()
                                .deleteRequest(delete -> delete.key(key))
                                .build())
                        .toList());
    }

    private CompletionStage<Void> writeAll(String table, List<WriteRequest> writes) {
        return Pages.drain(
                0,
                from -> writes.size() <= from
                        ? CompletableFuture.completedFuture(null)
                        : writeBatch(table, writes.subList(from, Math.min(writes.size(), from + WRITE_BATCH)))
                                .thenApply(done -> from + WRITE_BATCH));
    }

    private CompletionStage<Void> writeBatch(String table, List<WriteRequest> writes) {
        return this.<WriteRequest, BatchWriteItemResponse>batch(
                table,
                writes,
                Operation.BATCH_WRITE,
                left -> client.batchWriteItem(BatchWriteItemRequest.builder()
                        .requestItems(Map.of(table, left))
                        .returnConsumedCapacity(capacity())
                        .build()),
                BatchWriteItemResponse::consumedCapacity,
                response -> response.unprocessedItems().getOrDefault(table, List.of()));
    }

    /** What is left of a batch after so many attempts. */
    private record Left<T>(List<T> parts, int attempts) {}

    /** Sends a batch, and what is left of it again, until nothing is left or the time is up. */
    private <T, R extends DynamoDbResponse> CompletionStage<Void> batch(
            String table,
            List<T> parts,
            Operation operation,
            Function<List<T>, CompletableFuture<R>> send,
            Function<R, List<ConsumedCapacity>> capacity,
            Function<R, List<T>> unprocessed) {
        long deadline = deadline();
        return Pages.drain(
                new Left<>(parts, 0),
                left -> call(operation, table, sdk(() -> send.apply(left.parts()), capacity))
                        .thenCompose(response -> again(operation, table, left, unprocessed.apply(response), deadline)));
    }

    private <T> CompletionStage<Left<T>> again(
            Operation operation, String table, Left<T> left, List<T> unprocessed, long deadline) {
        if (unprocessed.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        int attempts = left.attempts() + 1;
        long wait = Backoff.waitMillis(attempts, ThreadLocalRandom.current().nextDouble(), retry);
        if (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait) - deadline > 0) {
            return CompletableFuture.failedFuture(new StoreException.Unavailable(
                    operation + " on table " + table + ": " + unprocessed.size() + " of "
                            + left.parts().size() + " stayed unprocessed in " + attempts + " attempts",
                    null));
        }
        Left<T> next = new Left<>(new ArrayList<>(unprocessed), attempts);
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

    /** A request that goes by the SDK, as it is sent. */
    private static <R extends DynamoDbResponse> Supplier<CompletableFuture<Answer<R>>> sdk(
            Supplier<CompletableFuture<R>> send, Function<R, List<ConsumedCapacity>> capacity) {
        return () -> SdkRequests.answer(send.get(), Function.identity(), capacity);
    }

    private <T> CompletionStage<T> call(
            Operation operation, String table, Supplier<CompletableFuture<Answer<T>>> send) {
        return call(operation, table, send, deadline(), retry.maxAttempts());
    }

    private <T> CompletionStage<T> call(
            Operation operation,
            String table,
            Supplier<CompletableFuture<Answer<T>>> send,
            long deadline,
            int maxAttempts) {
        Call<T> call = new Call<>(operation, table, send, System.nanoTime(), deadline, maxAttempts);
        call.attempt(1);
        return call.result;
    }

    private long deadline() {
        return System.nanoTime() + retry.callTimeout().toNanos();
    }

    /** Null asks for none, in fewer bytes than saying so. */
    private @Nullable ReturnConsumedCapacity capacity() {
        return listener.wantsCapacity() ? ReturnConsumedCapacity.INDEXES : null;
    }

    /** One request with its repetitions. */
    private final class Call<T> {
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private final Operation operation;
        private final String table;
        private final Supplier<CompletableFuture<Answer<T>>> send;
        private final long started;
        private final long deadline;
        private final int maxAttempts;
        private @Nullable Throwable previous;

        Call(
                Operation operation,
                String table,
                Supplier<CompletableFuture<Answer<T>>> send,
                long started,
                long deadline,
                int maxAttempts) {
            this.operation = operation;
            this.table = table;
            this.send = send;
            this.started = started;
            this.deadline = deadline;
            this.maxAttempts = maxAttempts;
        }

        void attempt(int number) {
            long sent = clock.localMicros();
            long left = Math.max(1, deadline - System.nanoTime());
            boolean cutShort = left < retry.attemptTimeout().toNanos();
            long patience = cutShort ? left : retry.attemptTimeout().toNanos();
            CompletableFuture<Answer<T>> attempt;
            try {
                attempt = send.get();
            } catch (RuntimeException e) {
                attempt = CompletableFuture.failedFuture(e);
            }
            attempt.orTimeout(patience, TimeUnit.NANOSECONDS).whenComplete((answer, failure) -> {
                if (failure == null) {
                    succeeded(number, sent, answer);
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

        private void succeeded(int attempts, long sent, Answer<T> answer) {
            String date = answer.date();
            if (date != null) {
                clock.observe(sent, clock.localMicros(), date);
            }
            listener.succeeded(operation, table, attempts, System.nanoTime() - started, Capacity.of(answer.capacity()));
            result.complete(answer.value());
        }

        private void failed(int attempts, Throwable failure) {
            if (failure instanceof ConditionalCheckFailedException
                    || (failure instanceof TransactionCanceledException && !Failures.isRetryable(failure))) {
                listener.refused(operation, table, attempts, System.nanoTime() - started);
                result.completeExceptionally(failure);
                return;
            }
            long wait = Backoff.waitMillis(attempts, ThreadLocalRandom.current().nextDouble(), retry);
            boolean inTime = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait) - deadline < 0;
            if (inTime && attempts < maxAttempts && Failures.isRetryable(failure)) {
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
