package io.dynajournal.bench.wire;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes a request ask for the capacity units it takes. */
final class CapacityRequest {

    private static final String ASKED = "\"ReturnConsumedCapacity\":\"INDEXES\"";
    private static final Pattern ASKING =
            Pattern.compile("\"ReturnConsumedCapacity\"\\s*:\\s*\"(NONE|TOTAL|INDEXES)\"");
    private static final String KEY = "ReturnConsumedCapacity";
    private static final Set<String> TELLING = Set.of(
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

    /** The body to send; the same for an operation that does not tell. */
    static byte[] asking(String operation, byte[] body) {
        if (!TELLING.contains(operation) || body.length < 3 || body[0] != '{') {
            return body;
        }
        // Each byte one character, whatever it stands for.
        String text = new String(body, StandardCharsets.ISO_8859_1);
        Matcher asks = ASKING.matcher(text);
        String asking = text.contains(KEY) && asks.find()
                ? text.substring(0, asks.start()) + ASKED + text.substring(asks.end())
                : "{" + ASKED + "," + text.substring(1);
        return asking.getBytes(StandardCharsets.ISO_8859_1);
    }
}
