package io.dynajournal.bench.wire;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Replies of a simulated DynamoDB that stores nothing and so finds nothing. */
final class HttpReplies {

    private static final Map<String, String> EMPTY_RESULTS = Map.of(
            "Query", "{\"Count\":0,\"Items\":[],\"ScannedCount\":0}",
            "Scan", "{\"Count\":0,\"Items\":[],\"ScannedCount\":0}",
            "BatchGetItem", "{\"Responses\":{},\"UnprocessedKeys\":{}}",
            "BatchWriteItem", "{\"UnprocessedItems\":{}}",
            "DescribeTable", "{\"Table\":{\"TableName\":\"simulated\",\"TableStatus\":\"ACTIVE\"}}");

    private HttpReplies() {}

    /** A read that finds nothing, or a write that succeeds. */
    static byte[] empty(String operation) {
        return ok(EMPTY_RESULTS.getOrDefault(operation, "{}"));
    }

    static byte[] ok(String body) {
        return reply("200 OK", body);
    }

    /** @param type such as {@code ResourceNotFoundException} */
    static byte[] error(String type, String message) {
        return error(type, message, "");
    }

    /** @param more further fields, each preceded by a comma */
    static byte[] error(String type, String message, String more) {
        return reply(
                "400 Bad Request",
                "{\"__type\":\"com.amazonaws.dynamodb.v20120810#" + type + "\",\"message\":\"" + message + "\"" + more
                        + "}");
    }

    private static byte[] reply(String status, String body) {
        return ("HTTP/1.1 " + status
                        + "\r\nContent-Type: application/x-amz-json-1.0\r\nx-amzn-RequestId: SIMULATED\r\nContent-Length: "
                        + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.UTF_8);
    }
}
