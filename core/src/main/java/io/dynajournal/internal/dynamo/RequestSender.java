package io.dynajournal.internal.dynamo;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Sends the most frequent requests, each once, without retry. The futures complete on the client's own threads, never on the HTTP
 * client's, and fail with the SDK's exceptions. Thread-safe.
 */
public interface RequestSender {

    /** Returns the replaced item if the request asks for it. */
    CompletableFuture<Answer<Map<String, AttributeValue>>> put(PutItemRequest request);

    CompletableFuture<Answer<RawPage>> query(QueryRequest request);

    CompletableFuture<Answer<List<BatchStatementResponse>>> execute(BatchExecuteStatementRequest request);
}
