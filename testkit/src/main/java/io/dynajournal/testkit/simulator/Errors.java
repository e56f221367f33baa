package io.dynajournal.testkit.simulator;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.IdempotentParameterMismatchException;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.LimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.RequestLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** The exceptions of DynamoDB, as the AWS SDK delivers them. */
final class Errors {

    private static final int REJECTED = 400;

    private Errors() {}

    static DynamoDbException validation(String message) {
        return finished(DynamoDbException.builder(), "ValidationException", message, REJECTED);
    }

    static DynamoDbException tableNotFound() {
        return finished(
                ResourceNotFoundException.builder(),
                "ResourceNotFoundException",
                "Cannot do operations on a non-existent table",
                REJECTED);
    }

    /** The answer to a read of an index that was added to a table with items, until it holds all of them. */
    static DynamoDbException indexBackfilling(String index) {
        return validation("Cannot read from backfilling global secondary index: " + index);
    }

    static DynamoDbException indexNotFound(String index) {
        return finished(
                ResourceNotFoundException.builder(),
                "ResourceNotFoundException",
                "Requested resource not found: Index: " + index + " not found",
                REJECTED);
    }

    static DynamoDbException limitExceeded(String message) {
        return finished(LimitExceededException.builder(), "LimitExceededException", message, REJECTED);
    }

    static DynamoDbException tableInUse(String table) {
        return finished(
                ResourceInUseException.builder(), "ResourceInUseException", "Table already exists: " + table, REJECTED);
    }

    /** @param existing the item that is there, if the request asked for it; null otherwise */
    static DynamoDbException conditionFailed(@Nullable Map<String, AttributeValue> existing) {
        ConditionalCheckFailedException.Builder error = ConditionalCheckFailedException.builder();
        if (existing != null && !existing.isEmpty()) {
            error.item(existing);
        }
        return finished(error, "ConditionalCheckFailedException", "The conditional request failed", REJECTED);
    }

    static DynamoDbException transactionCancelled(List<CancellationReason> reasons) {
        String codes = reasons.stream().map(CancellationReason::code).toList().toString();
        return finished(
                TransactionCanceledException.builder().cancellationReasons(reasons),
                "TransactionCanceledException",
                "Transaction cancelled, please refer cancellation reasons for specific reasons " + codes,
                REJECTED);
    }

    static DynamoDbException tokenReused() {
        return finished(
                IdempotentParameterMismatchException.builder(),
                "IdempotentParameterMismatchException",
                "A request with the same client token has different parameters",
                REJECTED);
    }

    static DynamoDbException internal() {
        return finished(InternalServerErrorException.builder(), "InternalServerError", "Internal server error", 500);
    }

    /** @param reason with the ARN of the table or index */
    static DynamoDbException throttled(Throttling kind, ThrottlingReason reason) {
        return switch (kind) {
            case ACCOUNT_LIMIT ->
                finished(
                        RequestLimitExceededException.builder().throttlingReasons(reason),
                        "RequestLimitExceeded",
                        "Throughput exceeds the current throughput limit for your account.",
                        REJECTED);
            case TABLE_WARMING_UP ->
                finished(
                        ThrottlingException.builder().throttlingReasons(reason),
                        "ThrottlingException",
                        "Throughput exceeds the current capacity of your table or index.",
                        REJECTED);
            default ->
                finished(
                        ProvisionedThroughputExceededException.builder().throttlingReasons(reason),
                        "ProvisionedThroughputExceededException",
                        "The level of configured provisioned throughput for the table or index was exceeded.",
                        REJECTED);
        };
    }

    static DynamoDbException finished(DynamoDbException.Builder error, String code, String message, int status) {
        SdkHttpResponse response = SdkHttpResponse.builder().statusCode(status).build();
        AwsServiceException.Builder builder = error.message(message)
                .statusCode(status)
                .requestId("simulated")
                .awsErrorDetails(AwsErrorDetails.builder()
                        .errorCode(code)
                        .errorMessage(message)
                        .serviceName("DynamoDb")
                        .sdkHttpResponse(response)
                        .build());
        return (DynamoDbException) builder.build();
    }

    /** The header {@code Date} of an answer. */
    static String httpDate(Instant now) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(now.atZone(ZoneOffset.UTC));
    }
}
