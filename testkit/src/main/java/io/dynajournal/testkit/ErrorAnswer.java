package io.dynajournal.testkit;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.protocols.jsoncore.JsonWriter;

/**
 * An error response of DynamoDB.
 *
 * @param reason the reason for throttling, such as {@code TableWriteKeyRangeThroughputExceeded}; null for other errors
 * @param resource the ARN of what is throttled; null for other errors
 */
public record ErrorAnswer(
        int status,
        String type,
        String message,
        @Nullable String reason,
        @Nullable String resource) {

    private static final String THROTTLING = "ThrottlingException";

    /** The provisioned throughput of a table, index or key range is exceeded. */
    public static ErrorAnswer throughputExceeded(String reason, String resource) {
        return new ErrorAnswer(
                400,
                "ProvisionedThroughputExceededException",
                "The level of throughput was exceeded.",
                reason,
                resource);
    }

    /** The traffic of an on-demand table grows too fast. */
    public static ErrorAnswer throttling(String reason, String resource) {
        return new ErrorAnswer(400, THROTTLING, "Throughput exceeds the current capacity.", reason, resource);
    }

    /** The limit of the account is exceeded. */
    public static ErrorAnswer requestLimit(String reason, String resource) {
        return new ErrorAnswer(400, "RequestLimitExceeded", "Throughput exceeds the current limit.", reason, resource);
    }

    /** HTTP 500, which clients retry. */
    public static ErrorAnswer internalServerError() {
        return new ErrorAnswer(500, "InternalServerError", "The request could not be processed.", null, null);
    }

    /** Any other error; clients do not retry status 400. */
    public static ErrorAnswer of(int status, String type, String message) {
        return new ErrorAnswer(status, type, message, null, null);
    }

    byte[] body() {
        JsonWriter json = JsonWriter.create()
                .writeStartObject()
                .writeFieldName("__type")
                .writeValue("com.amazonaws.dynamodb.v20120810#" + type)
                .writeFieldName("message")
                .writeValue(message);
        if (reason != null && resource != null) {
            // DynamoDB spells this field in two ways.
            json.writeFieldName(type.equals(THROTTLING) ? "throttlingReasons" : "ThrottlingReasons")
                    .writeStartArray()
                    .writeStartObject()
                    .writeFieldName("reason")
                    .writeValue(reason)
                    .writeFieldName("resource")
                    .writeValue(resource)
                    .writeEndObject()
                    .writeEndArray();
        }
        return json.writeEndObject().getBytes();
    }

    @Override
    public String toString() {
        return status + " " + new String(body(), StandardCharsets.UTF_8);
    }
}
