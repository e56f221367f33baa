package io.dynajournal.bench.wire;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Adds {@code ReturnConsumedCapacity} to requests. */
final class CapacityRequest {

    private static final String INDEXES = "\"ReturnConsumedCapacity\":\"INDEXES\"";
    private static final Pattern PRESENT =
            Pattern.compile("\"ReturnConsumedCapacity\"\\s*:\\s*\"(NONE|TOTAL|INDEXES)\"");
    private static final String KEY = "ReturnConsumedCapacity";
    private static final Set<String> SUPPORTED = Set.of(
            "PutItem",
            "UpdateItem",
            "DeleteItem",
            "GetItem",
            "Query",
            "Scan",
            "BatchGetItem",
            "BatchWriteItem",
            "TransactGetItems",
            "TransactWriteItems",
            "ExecuteStatement",
            "BatchExecuteStatement",
            "ExecuteTransaction");

    private CapacityRequest() {}

    /** The body to send; unchanged for an operation that does not report capacity. */
    static byte[] withCapacity(String operation, byte[] body) {
        if (!SUPPORTED.contains(operation) || body.length < 3 || body[0] != '{') {
            return body;
        }
        // One character per byte, so that no byte changes.
        String text = new String(body, StandardCharsets.ISO_8859_1);
        Matcher present = PRESENT.matcher(text);
        String changed = text.contains(KEY) && present.find()
                ? text.substring(0, present.start()) + INDEXES + text.substring(present.end())
                : "{" + INDEXES + "," + text.substring(1);
        return changed.getBytes(StandardCharsets.ISO_8859_1);
    }
}
