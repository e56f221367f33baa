package io.dynajournal.dynamo;

import io.dynajournal.dynamo.direct.Answer;
import io.dynajournal.dynamo.direct.Page;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** The requests that nearly all traffic consists of, each sent once. */
interface Requests {

    /** Gives the item that stood there before, if that was asked for. */
    CompletableFuture<Answer<Map<String, AttributeValue>>> put(PutItemRequest request);

    CompletableFuture<Answer<Page>> query(QueryRequest request);

    CompletableFuture<Answer<List<BatchStatementResponse>>> execute(BatchExecuteStatementRequest request);
}
