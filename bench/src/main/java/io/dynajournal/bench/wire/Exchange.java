package io.dynajournal.bench.wire;

import java.nio.charset.StandardCharsets;

/**
 * A request and its response.
 *
 * @param operation such as {@code PutItem}
 * @param request as the plugin sent it
 * @param begin when the request was read, by {@link System#nanoTime}
 * @param end when the response was written
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Exchange(String operation, byte[] request, int status, byte[] response, long begin, long end) {

    /** Whether the request names a table that ends so. */
    public boolean names(String endOfTable) {
        return requestText().contains(endOfTable + "\"");
    }

    boolean succeeded() {
        return status == 200;
    }

    String requestText() {
        return new String(request, StandardCharsets.UTF_8);
    }
}
