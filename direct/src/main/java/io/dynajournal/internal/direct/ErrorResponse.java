package io.dynajournal.internal.direct;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.RequestLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingReason;

/** Turns an error response into the exception that the SDK would throw. */
final class ErrorResponse {

    private final Map<String, AttributeValue> item = new LinkedHashMap<>();
    private final List<ThrottlingReason> reasons = new ArrayList<>();
    private @Nullable String code;
    private @Nullable String message;

    private ErrorResponse() {}

    /** @param correction this machine's clock minus the one that signed the request */
    static AwsServiceException of(SdkHttpResponse head, byte[] body, Duration correction) {
        ErrorResponse error = new ErrorResponse();
        try {
            error.read(new JsonReader(body));
        } catch (JsonReader.MalformedJson | IllegalArgumentException e) {
            // A proxy or load balancer has answered: only the status can be relied on.
            error.message = "not an answer of DynamoDB: " + e.getMessage();
        }
        return error.exception(head, body, correction);
    }

    private void read(JsonReader json) {
        json.fields(name -> {
            switch (name) {
                case "__type" -> code = json.text().replaceFirst(".*#", "");
                case "message", "Message" -> message = json.text();
                case "Item" -> item.putAll(Attributes.read(json));
                // DynamoDB uses both spellings.
                case "ThrottlingReasons", "throttlingReasons" ->
                    reasons.addAll(Attributes.list(json, ErrorResponse::reason));
                default -> json.skip();
            }
        });
    }

    private static ThrottlingReason reason(JsonReader json) {
        ThrottlingReason.Builder reason = ThrottlingReason.builder();
        json.fields(name -> {
            switch (name) {
                case "reason" -> reason.reason(json.text());
                case "resource" -> reason.resource(json.text());
                default -> json.skip();
            }
        });
        return reason.build();
    }

    private AwsServiceException exception(SdkHttpResponse head, byte[] body, Duration correction) {
        AwsServiceException.Builder exception = switch (code == null ? "" : code) {
            case "ConditionalCheckFailedException" ->
                ConditionalCheckFailedException.builder().item(item.isEmpty() ? null : item);
            case "ProvisionedThroughputExceededException" ->
                ProvisionedThroughputExceededException.builder().throttlingReasons(reasons);
            case "RequestLimitExceeded" ->
                RequestLimitExceededException.builder().throttlingReasons(reasons);
            case "ThrottlingException" -> ThrottlingException.builder().throttlingReasons(reasons);
            default -> DynamoDbException.builder();
        };
        return exception
                .clockSkew(correction)
                .statusCode(head.statusCode())
                .requestId(head.firstMatchingHeader("x-amzn-RequestId").orElse(null))
                .awsErrorDetails(AwsErrorDetails.builder()
                        .serviceName("DynamoDb")
                        .errorCode(code)
                        .errorMessage(message)
                        .sdkHttpResponse(head)
                        .rawResponse(SdkBytes.fromByteArrayUnsafe(body))
                        .build())
                .build();
    }
}
