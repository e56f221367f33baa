package io.dynajournal.dynamo;

import io.dynajournal.dynamo.direct.Answer;
import io.dynajournal.dynamo.direct.DirectClient;
import io.dynajournal.dynamo.direct.Page;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** Beside the SDK's pipeline, once the SDK has shown where its requests go. */
final class DirectRequests implements Requests {

    private final DirectClient direct;
    private final Requests first;

    DirectRequests(DirectClient direct, Requests first) {
        this.direct = direct;
        this.first = first;
    }

    @Override
    public CompletableFuture<Answer<Map<String, AttributeValue>>> put(PutItemRequest request) {
        return direct.isReady() ? direct.putItem(request) : first.put(request);
    }

    @Override
    public CompletableFuture<Answer<Page>> query(QueryRequest request) {
        return direct.isReady() ? direct.query(request) : first.query(request);
    }

    @Override
    public CompletableFuture<Answer<List<BatchStatementResponse>>> execute(BatchExecuteStatementRequest request) {
        return direct.isReady() ? direct.batchExecuteStatement(request) : first.execute(request);
    }
}
