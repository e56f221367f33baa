package io.dynajournal.dynamo;

import io.dynajournal.store.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementErrorCodeEnum;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.RequestLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** The one place that knows the SDK's exceptions: which to repeat, and what each means to us. */
final class Failures {

    private static final Set<String> THROTTLING = Set.of(
            "ProvisionedThroughputExceededException",
            "RequestLimitExceeded",
            "ThrottlingException",
            "Throttling",
            "TooManyRequestsException",
            "SlowDown");

    /** Refusals that pass by themselves; not throttling, because no capacity would have helped. */
    private static final Set<String> PASSING = Set.of(
            "InternalServerError",
            "ServiceUnavailable",
            "TransactionInProgressException",
            "ReplicatedWriteConflictException",
            "ItemCollectionBeingModified");

    private static final Set<String> PASSING_REASONS =
            Set.of("None", "TransactionConflict", "ProvisionedThroughputExceeded", "ThrottlingError");

    private Failures() {}

    static Throwable unwrap(Throwable failure) {
        Throwable inner = failure;
        while ((inner instanceof CompletionException || inner instanceof ExecutionException)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }

    static boolean isThrottling(Throwable failure) {
        return failure instanceof AwsServiceException service
                && (service.isThrottlingException() || THROTTLING.contains(code(service)));
    }

    static boolean isRetryable(Throwable failure) {
        if (failure instanceof TransactionCanceledException cancelled) {
            // Retryable if nothing but the load speaks against it: a failed condition does not pass by itself.
            return cancelled.cancellationReasons().stream()
                    .allMatch(reason -> reason.code() == null || PASSING_REASONS.contains(reason.code()));
        }
        if (failure instanceof AwsServiceException service) {
            return isThrottling(service)
                    || service.statusCode() >= 500
                    || PASSING.contains(code(service))
                    || service.isClockSkewException();
        }
        // No answer, or one that could not be read. Repeating is safe: every write of ours is recognised when repeated.
        return failure instanceof TimeoutException
                || (failure instanceof SdkClientException client && (client.retryable() || isAboutTheNetwork(client)));
    }

    private static boolean isAboutTheNetwork(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException || cause instanceof TimeoutException) {
                return true;
            }
        }
        return false;
    }

    static StoreException translate(Operation operation, String table, int attempts, Throwable failure) {
        if (failure instanceof StoreException ours) {
            return ours;
        }
        String what = operation + " on table " + table;
        if (isThrottling(failure)) {
            return new StoreException.Throttled(
                    what + " was throttled " + attempts + " times" + reasons(failure) + ". " + message(failure),
                    failure);
        }
        if (failure instanceof AwsServiceException service && !isRetryable(service)) {
            return new StoreException.Refused(
                    what + " was refused: " + code(service) + ". " + message(failure), failure);
        }
        if (isRetryable(failure)) {
            return new StoreException.Unavailable(
                    what + " got no answer in " + attempts + " attempts: " + message(failure), failure);
        }
        return new StoreException.Refused(what + " failed: " + message(failure), failure);
    }

    /**
     * Which statements of a group were carried out.
     *
     * @throws StoreException.Refused if none may be
     */
    static List<Boolean> stored(List<BatchStatementResponse> statements) {
        for (BatchStatementResponse statement : statements) {
            if (statement.error() != null && statement.error().code() == BatchStatementErrorCodeEnum.ACCESS_DENIED) {
                throw new StoreException.Refused(statement.error().message(), null);
            }
        }
        return statements.stream().map(statement -> statement.error() == null).toList();
    }

    private static String code(AwsServiceException service) {
        return service.awsErrorDetails() == null || service.awsErrorDetails().errorCode() == null
                ? "status " + service.statusCode()
                : service.awsErrorDetails().errorCode();
    }

    /** Names the hot key, table, index or account limit where DynamoDB tells: a hot index throttles its table. */
    private static String reasons(Throwable failure) {
        List<ThrottlingReason> reasons = List.of();
        if (failure instanceof ProvisionedThroughputExceededException e) {
            reasons = e.throttlingReasons();
        } else if (failure instanceof RequestLimitExceededException e) {
            reasons = e.throttlingReasons();
        } else if (failure instanceof ThrottlingException e) {
            reasons = e.throttlingReasons();
        }
        return reasons.isEmpty()
                ? ""
                : reasons.stream()
                        .map(r -> r.reason() + " of " + r.resource())
                        .collect(Collectors.joining(", ", " (", ")"));
    }

    private static String message(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }
}
