package io.dynajournal.internal.direct;

import io.dynajournal.internal.dynamo.Answer;
import io.dynajournal.internal.dynamo.RawPage;
import io.dynajournal.internal.dynamo.RequestSender;
import io.dynajournal.internal.store.Stages;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Sends requests directly once the endpoint is known. A request that fails as if it had been written, signed or read wrongly goes
 * through the SDK as well; if that succeeds, all further requests go through the SDK. Thread-safe.
 */
final class DirectSender implements RequestSender {

    private static final Logger log = LoggerFactory.getLogger(DirectSender.class);

    /** Errors that a correct request may get. For any other, the SDK is asked for a second opinion. */
    private static final Set<String> ORDINARY = Set.of(
            "AccessDeniedException",
            "ConditionalCheckFailedException",
            "ExpiredTokenException",
            "ItemCollectionSizeLimitExceededException",
            "LimitExceededException",
            "ProvisionedThroughputExceededException",
            "ReplicatedWriteConflictException",
            "RequestLimitExceeded",
            "ResourceInUseException",
            "ResourceNotFoundException",
            "ThrottlingException",
            "TransactionConflictException",
            "TransactionInProgressException");

    private final DirectClient direct;
    private final RequestSender sdk;
    private final AtomicBoolean off = new AtomicBoolean();

    DirectSender(DirectClient direct, RequestSender sdk) {
        this.direct = direct;
        this.sdk = sdk;
    }

    @Override
    public CompletableFuture<Answer<Map<String, AttributeValue>>> put(PutItemRequest request) {
        return send(request, RequestSender::put);
    }

    @Override
    public CompletableFuture<Answer<RawPage>> query(QueryRequest request) {
        return send(request, RequestSender::query);
    }

    @Override
    public CompletableFuture<Answer<List<BatchStatementResponse>>> execute(BatchExecuteStatementRequest request) {
        return send(request, RequestSender::execute);
    }

    private <R, T> CompletableFuture<Answer<T>> send(
            R request, BiFunction<RequestSender, R, CompletableFuture<Answer<T>>> operation) {
        if (off.get() || !direct.isReady()) {
            return operation.apply(sdk, request);
        }
        CompletableFuture<Answer<T>> sent = operation.apply(direct, request);
        CompletableFuture<Answer<T>> result = new CompletableFuture<>();
        sent.whenComplete((answer, failure) -> {
            if (failure == null) {
                result.complete(answer);
            } else if (isSuspicious(failure)) {
                compare(failure, operation.apply(sdk, request), result);
            } else {
                result.completeExceptionally(failure);
            }
        });
        // A caller that stops waiting frees the connection.
        result.whenComplete((answer, failure) -> {
            if (failure != null) {
                sent.completeExceptionally(failure);
            }
        });
        return result;
    }

    private <T> void compare(
            Throwable directFailure, CompletableFuture<Answer<T>> bySdk, CompletableFuture<Answer<T>> result) {
        bySdk.whenComplete((answer, failure) -> {
            if (failure == null) {
                switchOff(directFailure);
                result.complete(answer);
            } else {
                if (Stages.unwrap(failure) instanceof ConditionalCheckFailedException) {
                    switchOff(directFailure);
                }
                result.completeExceptionally(failure);
            }
        });
    }

    private void switchOff(Throwable failure) {
        if (off.compareAndSet(false, true)) {
            log.warn(
                    "All requests go through the AWS SDK until the next start, because DynamoDB accepted a request of the SDK"
                            + " that failed when it was sent directly. Set direct = off, and please report this.",
                    failure);
        }
    }

    private static boolean isSuspicious(Throwable failure) {
        Throwable cause = Stages.unwrap(failure);
        if (cause instanceof AwsServiceException error) {
            // A wrong clock is corrected and the request retried. Anything but 4xx is no opinion about the request.
            boolean aboutTheRequest = error.statusCode() >= 400 && error.statusCode() < 500;
            return aboutTheRequest
                    && !error.isClockSkewException()
                    && !error.isThrottlingException()
                    && error.awsErrorDetails() != null
                    && error.awsErrorDetails().errorCode() != null
                    && !ORDINARY.contains(error.awsErrorDetails().errorCode());
        }
        return cause instanceof MisreadAnswerException;
    }
}
