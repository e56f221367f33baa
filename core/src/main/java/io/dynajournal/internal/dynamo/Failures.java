package io.dynajournal.internal.dynamo;

import io.dynajournal.exception.StoreException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.retry.ClockSkew;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** The one place that knows the SDK's exceptions: which to retry, which leave the outcome unknown, and how to report them. */
final class Failures {

    private static final Set<String> THROTTLING = Set.of(
            "ProvisionedThroughputExceededException",
            "RequestLimitExceeded",
            "ThrottlingException",
            "Throttling",
            "TooManyRequestsException",
            "SlowDown");

    private static final String TRANSACTION_IN_PROGRESS = "TransactionInProgressException";

    /** Temporary rejections that no capacity would have prevented. */
    private static final Set<String> TEMPORARY = Set.of(
            "InternalServerError",
            "ServiceUnavailable",
            TRANSACTION_IN_PROGRESS,
            "ReplicatedWriteConflictException",
            "ItemCollectionBeingModified",
            "TransactionConflictException");

    private static final Set<String> SIGNATURE_ERRORS = Set.of("InvalidSignatureException", "SignatureDoesNotMatch");

    private static final Set<String> TEMPORARY_REASONS =
            Set.of("None", "TransactionConflict", "ProvisionedThroughputExceeded", "ThrottlingError");

    /** How the CRT and Netty describe a connection that was not made; the CRT has no exception types for it. */
    private static final List<String> NOT_CONNECTED = List.of(
            "connection refused",
            "socket connect",
            "dns",
            "acquire operation took longer",
            "connection manager failed to acquire");

    private Failures() {}

    static boolean isThrottling(Throwable failure) {
        return failure instanceof AwsServiceException service
                && (service.isThrottlingException() || THROTTLING.contains(code(service)));
    }

    static boolean isAccessDenied(Throwable failure) {
        return failure instanceof AwsServiceException service && code(service).equals("AccessDeniedException");
    }

    /** Whether a group of inserts failed because this principal or this server knows no PartiQL inserts. */
    static boolean isPartiQlDenied(Throwable failure) {
        return failure instanceof AwsServiceException service
                && (code(service).equals("UnknownOperationException")
                        || (isAccessDenied(failure) && namesPartiQl(message(service))));
    }

    static boolean namesPartiQl(String message) {
        return message.toLowerCase(Locale.ROOT).contains("partiql");
    }

    static boolean isRetryable(Throwable failure) {
        if (failure instanceof TransactionCanceledException cancelled) {
            // A failed condition stays failed; a conflict with another transaction and throttling pass.
            return cancelled.cancellationReasons().stream()
                    .allMatch(reason -> reason.code() == null || TEMPORARY_REASONS.contains(reason.code()));
        }
        if (failure instanceof AwsServiceException service) {
            return isThrottling(service)
                    || service.statusCode() >= 500
                    || TEMPORARY.contains(code(service))
                    || service.isClockSkewException();
        }
        // Resending is safe: every write recognises its own earlier attempt.
        return isTimeout(failure)
                || (failure instanceof SdkClientException client
                        && !hasNoCredentials(client)
                        && (client.retryable() || isAboutTheNetwork(client)));
    }

    /**
     * Whether DynamoDB rejected a signature because of this machine's clock, which it reports as any wrong signature. The SDK has
     * corrected its clock by then, so that a retry succeeds.
     */
    static boolean isClockSkew(Throwable failure, Instant local) {
        if (!(failure instanceof AwsServiceException service) || service.awsErrorDetails() == null) {
            return false;
        }
        SdkHttpResponse response = service.awsErrorDetails().sdkHttpResponse();
        return SIGNATURE_ERRORS.contains(code(service))
                && response != null
                && ClockSkew.getServerTime(response)
                        .filter(server -> ClockSkew.isClockSkewed(local, server))
                        .isPresent();
    }

    /** Whether a write may have been carried out although its attempt failed. */
    static boolean mayBeDone(Throwable failure) {
        if (failure instanceof AwsServiceException service) {
            return service.statusCode() >= 500 || code(service).equals(TRANSACTION_IN_PROGRESS);
        }
        return isTimeout(failure)
                || (failure instanceof SdkClientException && !isNotConnected(failure) && !hasNoCredentials(failure));
    }

    static boolean isTimeout(Throwable failure) {
        return failure instanceof TimeoutException || failure instanceof ApiCallAttemptTimeoutException;
    }

    private static boolean isAboutTheNetwork(Throwable failure) {
        return anyCause(failure, cause -> cause instanceof IOException || cause instanceof TimeoutException)
                || isNotConnected(failure);
    }

    private static boolean isNotConnected(Throwable failure) {
        return anyCause(failure, cause -> {
            if (cause instanceof ConnectException
                    || cause instanceof UnknownHostException
                    || cause instanceof NoRouteToHostException) {
                return true;
            }
            String message = message(cause).toLowerCase(Locale.ROOT);
            return NOT_CONNECTED.stream().anyMatch(message::contains);
        });
    }

    private static boolean hasNoCredentials(Throwable failure) {
        return anyCause(failure, cause -> message(cause).startsWith("Unable to load credentials"));
    }

    private static boolean anyCause(Throwable failure, Predicate<Throwable> test) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (test.test(cause)) {
                return true;
            }
        }
        return false;
    }

    static StoreException translate(FailedCall call, Throwable failure) {
        if (failure instanceof StoreException ours) {
            return ours;
        }
        String last = " (last: " + describe(failure) + ").";
        if (failure instanceof NoConnectionException) {
            return new StoreException.Unavailable(
                    call.request() + " was not sent: " + failure.getMessage() + " for " + call.time()
                            + ". Raise http.max-concurrency or lower the load.",
                    failure);
        }
        if (failure instanceof SlowedDownException) {
            return new StoreException.Throttled(
                    call.request() + " was not sent: " + failure.getMessage() + " for " + call.time()
                            + ". Raise the table's capacity or lower the load.",
                    failure);
        }
        if (hasNoCredentials(failure)) {
            return new StoreException.Unavailable(
                    call.request()
                            + " was not sent: no AWS credentials were found. Set credentials.provider and its keys"
                            + " in the client's settings, or leave credentials where the AWS SDK finds them"
                            + " (environment, profile, container, instance).",
                    failure);
        }
        if (isThrottling(failure)) {
            return new StoreException.Throttled(
                    "DynamoDB throttled " + call.request() + " " + call.effort() + reasons(failure) + last
                            + call.outcomeText(),
                    failure,
                    call.outcome());
        }
        if (failure instanceof AwsServiceException && !isRetryable(failure)) {
            return new StoreException.Refused(
                    "DynamoDB rejected " + call.request() + ": " + describe(failure) + "." + call.outcomeText(),
                    failure,
                    call.outcome());
        }
        if (isNotConnected(failure)) {
            return new StoreException.Unavailable(
                    "No connection to " + call.endpoint() + " for " + call.request() + " " + call.effort() + last
                            + call.outcomeText(),
                    failure,
                    call.outcome());
        }
        if (isRetryable(failure)) {
            return new StoreException.Unavailable(
                    "DynamoDB did not " + (call.request().isWrite() ? "confirm " : "answer ") + call.request() + " "
                            + call.effort() + last + call.outcomeText(),
                    failure,
                    call.outcome());
        }
        return new StoreException.Refused(
                call.request() + " failed: " + describe(failure) + "." + call.outcomeText(), failure, call.outcome());
    }

    /** Such as "HTTP 500 InternalServerError: try later". */
    static String describe(Throwable failure) {
        if (failure instanceof AwsServiceException service) {
            String text = service.awsErrorDetails() == null
                    ? service.getMessage()
                    : service.awsErrorDetails().errorMessage();
            String code = service.awsErrorDetails() == null
                    ? null
                    : service.awsErrorDetails().errorCode();
            return "HTTP " + service.statusCode() + (code == null ? "" : " " + code)
                    + (text == null || text.isBlank() ? "" : ": " + withoutFullStop(text));
        }
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return withoutFullStop(
                cause instanceof TimeoutException
                        ? message(cause)
                        : cause.getClass().getSimpleName() + ": " + message(cause));
    }

    private static String withoutFullStop(String text) {
        return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    }

    private static String code(AwsServiceException service) {
        return service.awsErrorDetails() == null || service.awsErrorDetails().errorCode() == null
                ? ""
                : service.awsErrorDetails().errorCode();
    }

    /** Names the hot key, table, index or account limit if DynamoDB does: a hot index throttles its table. */
    private static String reasons(Throwable failure) {
        List<ThrottlingReason> reasons = ThrottleSignal.reasons(failure);
        return reasons.isEmpty()
                ? ""
                : reasons.stream()
                        .map(r -> r.reason() + " of " + r.resource())
                        .collect(Collectors.joining(", ", " by ", ""));
    }

    private static String message(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }
}
