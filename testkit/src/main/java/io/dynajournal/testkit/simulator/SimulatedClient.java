package io.dynajournal.testkit.simulator;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.CreateTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.ExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.ExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ListTablesRequest;
import software.amazon.awssdk.services.dynamodb.model.ListTablesResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateTableResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveResponse;

/** The SDK's client of one node. Operations that are not simulated throw {@link UnsupportedOperationException}. */
final class SimulatedClient implements DynamoDbAsyncClient {

    private final SimulatedDynamoDb server;
    private final Operations operations;
    private final String node;

    SimulatedClient(SimulatedDynamoDb server, String node) {
        this.server = server;
        this.operations = server.operations();
        this.node = node;
    }

    @Override
    public String serviceName() {
        return SERVICE_NAME;
    }

    /** Closes nothing: the server belongs to the test. */
    @Override
    public void close() {}

    private <Q extends DynamoDbRequest, R extends DynamoDbResponse> CompletableFuture<R> send(
            String operation, Q request, Function<Q, R> effect) {
        return server.send(node, operation, request, (sent, most) -> effect.apply(sent));
    }

    @Override
    public CompletableFuture<PutItemResponse> putItem(PutItemRequest request) {
        return send("PutItem", request, operations.writes()::put);
    }

    @Override
    public CompletableFuture<UpdateItemResponse> updateItem(UpdateItemRequest request) {
        return send("UpdateItem", request, operations.writes()::update);
    }

    @Override
    public CompletableFuture<DeleteItemResponse> deleteItem(DeleteItemRequest request) {
        return send("DeleteItem", request, operations.writes()::delete);
    }

    @Override
    public CompletableFuture<GetItemResponse> getItem(GetItemRequest request) {
        return send("GetItem", request, operations.reads()::get);
    }

    @Override
    public CompletableFuture<QueryResponse> query(QueryRequest request) {
        return send("Query", request, operations.reads()::query);
    }

    @Override
    public CompletableFuture<ScanResponse> scan(ScanRequest request) {
        return send("Scan", request, operations.reads()::scan);
    }

    @Override
    public CompletableFuture<BatchGetItemResponse> batchGetItem(BatchGetItemRequest request) {
        return server.send(node, "BatchGetItem", request, operations.batches()::get);
    }

    @Override
    public CompletableFuture<BatchWriteItemResponse> batchWriteItem(BatchWriteItemRequest request) {
        return server.send(node, "BatchWriteItem", request, operations.batches()::write);
    }

    @Override
    public CompletableFuture<TransactWriteItemsResponse> transactWriteItems(TransactWriteItemsRequest request) {
        return send("TransactWriteItems", request, operations.transactions()::write);
    }

    @Override
    public CompletableFuture<TransactGetItemsResponse> transactGetItems(TransactGetItemsRequest request) {
        return send("TransactGetItems", request, operations.transactions()::get);
    }

    @Override
    public CompletableFuture<ExecuteStatementResponse> executeStatement(ExecuteStatementRequest request) {
        return send("ExecuteStatement", request, operations.statements()::execute);
    }

    @Override
    public CompletableFuture<BatchExecuteStatementResponse> batchExecuteStatement(
            BatchExecuteStatementRequest request) {
        return send("BatchExecuteStatement", request, operations.statements()::execute);
    }

    @Override
    public CompletableFuture<CreateTableResponse> createTable(CreateTableRequest request) {
        return send(
                "CreateTable",
                request,
                sent -> CreateTableResponse.builder()
                        .tableDescription(operations.tables().create(sent))
                        .build());
    }

    @Override
    public CompletableFuture<DescribeTableResponse> describeTable(DescribeTableRequest request) {
        return send(
                "DescribeTable",
                request,
                sent -> DescribeTableResponse.builder()
                        .table(operations.tables().describe(sent.tableName()))
                        .build());
    }

    @Override
    public CompletableFuture<UpdateTableResponse> updateTable(UpdateTableRequest request) {
        return send(
                "UpdateTable",
                request,
                sent -> UpdateTableResponse.builder()
                        .tableDescription(operations.tables().update(sent))
                        .build());
    }

    @Override
    public CompletableFuture<DeleteTableResponse> deleteTable(DeleteTableRequest request) {
        return send(
                "DeleteTable",
                request,
                sent -> DeleteTableResponse.builder()
                        .tableDescription(operations.tables().delete(sent.tableName()))
                        .build());
    }

    @Override
    public CompletableFuture<ListTablesResponse> listTables(ListTablesRequest request) {
        return send("ListTables", request, sent -> {
            List<String> names = operations.tables().names();
            return ListTablesResponse.builder().tableNames(names).build();
        });
    }

    @Override
    public CompletableFuture<UpdateTimeToLiveResponse> updateTimeToLive(UpdateTimeToLiveRequest request) {
        return send("UpdateTimeToLive", request, sent -> {
            operations.tables().timeToLive(sent);
            return UpdateTimeToLiveResponse.builder()
                    .timeToLiveSpecification(sent.timeToLiveSpecification())
                    .build();
        });
    }

    @Override
    public CompletableFuture<DescribeTimeToLiveResponse> describeTimeToLive(DescribeTimeToLiveRequest request) {
        return send(
                "DescribeTimeToLive",
                request,
                sent -> DescribeTimeToLiveResponse.builder()
                        .timeToLiveDescription(operations.tables().timeToLive(sent.tableName()))
                        .build());
    }
}
