package io.dynajournal.internal.dynamo;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.store.Stages;
import io.dynajournal.listener.Lane;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestListener;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * The operations on items. Every request is retried with full jitter until its call timeout, fails with a {@link StoreException}
 * and is reported to the listener. Stages complete on the client's threads. Thread-safe; does not own the client.
 */
public final class Dynamo {

    private final DynamoDbAsyncClient client;
    private final RequestSender sender;
    private final SdkRequestSender sdk;
    private final RequestExecutor executor;
    private final Batches batches;
    private final Function<String, Inserts> inserts;

    /** Without group commit. */
    public Dynamo(AwsClient client, RetrySettings retry, RequestListener listener, Clock clock) {
        this(client, retry, listener, clock, false);
    }

    /**
     * The operations of a client.
     *
     * @param groupCommit whether inserts that have to wait are sent together
     */
    public Dynamo(AwsClient client, RetrySettings retry, RequestListener listener, Clock clock, boolean groupCommit) {
        this.client = client.sdk();
        this.sender = client.sender();
        this.sdk = client.sdkSender();
        this.executor = new RequestExecutor(client, retry, listener, clock);
        this.batches = new Batches(executor, client.sdk(), sdk);
        SinglePuts single = new SinglePuts();
        ConcurrentHashMap<String, Inserts> ofTables = new ConcurrentHashMap<>();
        this.inserts = groupCommit
                ? table -> ofTables.computeIfAbsent(table, first -> new PutBatcher(first, single, client.flow()))
                : table -> single;
    }

    private Dynamo(Dynamo same, RequestExecutor executor) {
        this.client = same.client;
        this.sender = same.sender;
        this.sdk = same.sdk;
        this.executor = executor;
        this.batches = new Batches(executor, client, sdk);
        this.inserts = same.inserts;
    }

    /** The same operations with all requests but inserts in this lane or a later one. */
    public Dynamo in(Lane lane) {
        return new Dynamo(this, executor.in(own -> own.orLater(lane)));
    }

    /** The same operations as steps of a write: what it reads must not wait where reads do. */
    public Dynamo forWrites() {
        return new Dynamo(this, executor.in(own -> Lane.WRITE));
    }

    /** Creates and checks tables with the same client, retries and listener. */
    public TableAdmin tables() {
        return new TableAdmin(client, executor, sdk);
    }

    /**
     * Whether DynamoDB answers for the table. Sends nothing while requests on it succeed, and otherwise reads for half a unit.
     *
     * @param mayQuery whether the read is a Query; otherwise it is a BatchGetItem
     */
    public CompletionStage<TableHealth> health(TableSpec table, boolean mayQuery) {
        // A check that waits behind many recoveries would time out while the table answers.
        TableProbe probe = new TableProbe(executor.in(own -> Lane.WRITE), client, sender, sdk);
        return executor.outcomes().of(table.name()).health(() -> probe.send(table, mayQuery));
    }

    /** Microseconds since 1970 by this machine's clock, corrected by DynamoDB's. */
    public long nowMicros() {
        return executor.clock().micros();
    }

    /** The clock of delays and timeouts, as {@link System#nanoTime}. */
    public long nanoTime() {
        return executor.threads().nanoTime();
    }

    /** Puts without a condition; completes with the item that was replaced. */
    public CompletionStage<Item> put(PutItemRequest.Builder put) {
        PutItemRequest request = put.returnValues(ReturnValue.ALL_OLD)
                .returnConsumedCapacity(executor.capacity())
                .overrideConfiguration(executor.attemptTimeout())
                .build();
        return executor.execute(new Request<>(Operation.PUT, request.tableName(), request, sender::put))
                .thenApply(replaced -> Item.of(request.tableName(), replaced));
    }

    /**
     * Puts under the condition of the request. Empty if it was stored; otherwise the item that is there, without attributes if there
     * is none.
     */
    public CompletionStage<Optional<Item>> putIf(PutItemRequest.Builder put) {
        PutItemRequest request = put.returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .returnConsumedCapacity(executor.capacity())
                .overrideConfiguration(executor.attemptTimeout())
                .build();
        return Conditions.conditional(
                request.tableName(),
                executor.execute(new Request<>(Operation.PUT, request.tableName(), request, sender::put)));
    }

    /**
     * Puts an item where none is; completes like {@link #putIf}. With group commit, inserts that have to wait are sent together.
     *
     * @param keyNames names of the table's key attributes, the partition key first, which must be a string
     */
    public CompletionStage<Optional<Item>> insert(String table, Item item, String... keyNames) {
        return inserts.apply(table).insert(new Insert(table, item, List.of(keyNames), executor.deadline()));
    }

    /** Sends inserts as conditional puts. Without group commit it is all there is. */
    private final class SinglePuts implements Inserts, PutBatcher.Sender {

        @Override
        public CompletionStage<Optional<Item>> insert(Insert insert) {
            return send(insert);
        }

        @Override
        public CompletionStage<Optional<Item>> send(Insert insert) {
            return Conditions.conditional(insert.table(), call(insert).start());
        }

        @Override
        public CompletionStage<Optional<Item>> sendAcquired(Insert insert) {
            return Conditions.conditional(insert.table(), call(insert).startAcquired());
        }

        @Override
        public CompletionStage<Optional<Item>> sendFromHere(Insert insert) {
            return executor.threads().onCallersThread(() -> sendAcquired(insert));
        }

        @Override
        public CompletionStage<Optional<Item>> sendDelayed(Insert insert) {
            return Conditions.conditional(insert.table(), call(insert).startDelayed());
        }

        private RetryingCall<PutItemRequest, Map<String, AttributeValue>> call(Insert insert) {
            PutItemRequest request = PutItemRequest.builder()
                    .tableName(insert.table())
                    .item(insert.item().attributes())
                    .conditionExpression("attribute_not_exists(" + insert.partitionKeyName() + ")")
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                    .returnConsumedCapacity(executor.capacity())
                    .overrideConfiguration(executor.attemptTimeout())
                    .build();
            return executor.call(
                    new Request<>(Operation.PUT, insert.table(), insert::key, request, sender::put), insert.deadline());
        }

        @Override
        public CompletionStage<List<PutBatcher.Outcome>> sendGroup(List<Insert> group) {
            Insert first = group.get(0);
            BatchExecuteStatementRequest request = PutGroup.request(group)
                    .returnConsumedCapacity(executor.capacity())
                    .overrideConfiguration(executor.attemptTimeout())
                    .build();
            // Once: the puts of a failed group are retried one by one, each until its own deadline.
            return new RetryingCall<>(
                            executor,
                            new Request<>(Operation.BATCH_INSERT, first.table(), request, sender::execute),
                            first.deadline(),
                            1)
                    .startAcquired()
                    .thenApply(
                            answers -> answers.stream().map(PutGroup::outcome).toList());
        }

        @Override
        public boolean isBusy() {
            return executor.threads().isBusy();
        }

        @Override
        public void execute(Runnable task) {
            executor.threads().execute(task);
        }

        @Override
        public void atDeadline(Insert insert, Runnable task) {
            executor.threads().after(Math.max(0, insert.deadline() - nanoTime()), task);
        }
    }

    /** Updates under the condition of the request; completes like {@link #putIf}. */
    public CompletionStage<Optional<Item>> updateIf(UpdateItemRequest.Builder update) {
        UpdateItemRequest built = update.returnValuesOnConditionCheckFailure(
                        ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .returnConsumedCapacity(executor.capacity())
                .build();
        return conditional(
                Operation.UPDATE,
                built.tableName(),
                built.key(),
                built,
                request -> sdk.answer(
                        client.updateItem(request), response -> SdkRequestSender.list(response.consumedCapacity())));
    }

    /** Deletes under the condition of the request; completes like {@link #putIf}. */
    public CompletionStage<Optional<Item>> deleteIf(DeleteItemRequest.Builder delete) {
        DeleteItemRequest built = delete.returnValuesOnConditionCheckFailure(
                        ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .returnConsumedCapacity(executor.capacity())
                .build();
        return conditional(
                Operation.DELETE,
                built.tableName(),
                built.key(),
                built,
                request -> sdk.answer(
                        client.deleteItem(request), response -> SdkRequestSender.list(response.consumedCapacity())));
    }

    private <R extends DynamoDbRequest, T> CompletionStage<Optional<Item>> conditional(
            Operation operation,
            String table,
            Map<String, AttributeValue> key,
            R request,
            Function<R, CompletableFuture<Answer<T>>> send) {
        return Conditions.conditional(
                table, executor.execute(new Request<>(operation, table, key(key), request, send)));
    }

    private static Supplier<String> key(Map<String, AttributeValue> key) {
        Item item = Item.of(key);
        return () -> key.keySet().stream().map(item::described).collect(Collectors.joining(", "));
    }

    /** One page of a query. */
    public CompletionStage<ItemPage> query(QueryRequest.Builder query) {
        QueryRequest request = query.returnConsumedCapacity(executor.capacity())
                .overrideConfiguration(executor.attemptTimeout())
                .build();
        return executor.execute(new Request<>(Operation.QUERY, request.tableName(), request, sender::query))
                .thenApply(page -> page(request.tableName(), page));
    }

    private static ItemPage page(String table, RawPage page) {
        return new ItemPage(
                page.items().stream().map(item -> Item.of(table, item)).toList(), page.next());
    }

    /** One page of the whole table. */
    public CompletionStage<ItemPage> scan(ScanRequest.Builder scan) {
        ScanRequest built = scan.returnConsumedCapacity(executor.capacity()).build();
        return executor.execute(new Request<>(
                        Operation.SCAN,
                        built.tableName(),
                        built,
                        request -> sdk.answer(
                                client.scan(request), response -> SdkRequestSender.list(response.consumedCapacity()))))
                .thenApply(response -> new ItemPage(
                        response.items().stream()
                                .map(item -> Item.of(built.tableName(), item))
                                .toList(),
                        response.lastEvaluatedKey().isEmpty() ? null : response.lastEvaluatedKey()));
    }

    /** The number of local indexes that hold whole copies of a table's items. The copies count towards the size of an item. */
    public CompletionStage<Integer> fullCopies(String table) {
        return executor.execute(new Request<>(
                        Operation.DESCRIBE_TABLE,
                        table,
                        DescribeTableRequest.builder().tableName(table).build(),
                        request -> sdk.answer(client.describeTable(request), response -> List.of())))
                .thenApply(response -> (int) response.table().localSecondaryIndexes().stream()
                        .filter(index -> index.projection().projectionType() == ProjectionType.ALL)
                        .count());
    }

    /**
     * Writes all or nothing, up to 100 actions.
     *
     * @return empty if it was stored; otherwise the reasons, one for each action in order
     */
    public CompletionStage<List<CancellationReason>> transact(
            String table, TransactWriteItemsRequest.Builder transaction) {
        return executor.execute(new Request<>(
                        Operation.TRANSACT,
                        table,
                        transaction.returnConsumedCapacity(executor.capacity()).build(),
                        request -> sdk.answer(
                                client.transactWriteItems(request), TransactWriteItemsResponse::consumedCapacity)))
                .handle((response, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(List.<CancellationReason>of());
                    }
                    return Stages.unwrap(failure) instanceof TransactionCanceledException cancelled
                            ? CompletableFuture.completedFuture(cancelled.cancellationReasons())
                            : CompletableFuture.<List<CancellationReason>>failedFuture(failure);
                })
                .thenCompose(Function.identity());
    }

    /** Reads by key, consistently, 100 items a request, all requests concurrently; missing items are left out. In no order. */
    public CompletionStage<List<Item>> getAll(String table, List<Map<String, AttributeValue>> keys) {
        return batches.getAll(table, keys);
    }

    /** Puts without conditions, 25 items a request, one request after another; unprocessed items are sent again. */
    public CompletionStage<Void> putAll(String table, List<Item> items) {
        return batches.writeAll(
                table,
                items.stream()
                        .map(item -> WriteRequest.builder()
                                .putRequest(put -> put.item(item.attributes()))
                                .build())
                        .toList());
    }

    /** Deletes by key, 25 items a request, one request after another; unprocessed keys are sent again. */
    public CompletionStage<Void> deleteAll(String table, List<Map<String, AttributeValue>> keys) {
        return batches.writeAll(
                table,
                keys.stream()
                        .map(key -> WriteRequest.builder()
                                .deleteRequest(delete -> delete.key(key))
                                .build())
                        .toList());
    }
}
