package io.dynajournal.bench.wire;

import java.nio.charset.StandardCharsets;

/**
 * A request and its answer.
 *
 * @param operation DynamoDB's name of it, like {@code PutItem}
 * @param request as the plugin sent it
 * @param begin when the request was read, by {@link System#nanoTime}
 * @param end when the answer was written
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Exchange(String operation, byte[] request, int status, byte[] response, long begin, long end) {

    boolean succeeded() {
        return status == 200;
    }

    String requestText() {
        return new String(request, StandardCharsets.UTF_8);
    }
}
