package io.dynajournal.bench.wire;

import io.dynajournal.bench.wire.HttpServerLoop.Connection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A DynamoDB that stores nothing and answers immediately, so that only the client's own cost remains. One thread, and
 * prepared replies.
 */
public final class StubServer implements AutoCloseable {

    private static final byte[] STATEMENT = "\"Statement\":".getBytes(StandardCharsets.US_ASCII);

    private final Map<String, byte[]> replies = new HashMap<>();
    private final AtomicLong requests = new AtomicLong();
    private final HttpServerLoop loop;

    private StubServer() {
        this.loop = HttpServerLoop.start("stub-server", 0, this::handle);
    }

    public static StubServer start() {
        return new StubServer();
    }

    public URI endpoint() {
        return loop.endpoint();
    }

    /** The number of requests so far. */
    public long requests() {
        return requests.get();
    }

    private void handle(String operation, RequestBuffer request, int bodyStart, int bodyEnd, Connection connection) {
        // Counted before the reply: a client that has its answer finds it counted.
        requests.incrementAndGet();
        connection.reply(
                operation.equals("BatchExecuteStatement")
                        ? HttpReplies.ok(statements(request.count(STATEMENT, bodyStart, bodyEnd)))
                        : replies.computeIfAbsent(operation, HttpReplies::empty));
    }

    private static String statements(int count) {
        return "{\"Responses\":[" + "{},".repeat(Math.max(0, count - 1)) + "{}]}";
    }

    /** After this returns another server can bind the port. */
    @Override
    public void close() {
        loop.close();
    }
}
