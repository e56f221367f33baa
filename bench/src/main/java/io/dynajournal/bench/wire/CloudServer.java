package io.dynajournal.bench.wire;

import io.dynajournal.bench.wire.HttpServerLoop.Connection;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * A DynamoDB that behaves like the one in the cloud as far as waiting is concerned: it answers requests concurrently, each
 * after a time drawn from {@link LatencyModel}, and throttles a partition key above {@link PartitionThrottle}'s limit. Like
 * the stub it stores nothing: every id is new, and every condition holds. Two threads: one reads requests, one sends replies.
 */
public final class CloudServer implements AutoCloseable {

    private static final String THROTTLED = "ProvisionedThroughputExceededException";
    private static final String THROTTLED_MESSAGE =
            "The level of configured provisioned throughput for the table was exceeded.";

    private volatile IntToLongFunction latencyNanos;
    private final WriteRequests writes;
    private final PartitionThrottle throttle;
    private final LongSupplier clock;
    private volatile PartitionThrottle tableThrottle = new PartitionThrottle(Integer.MAX_VALUE);
    private final Map<String, byte[]> replies = new HashMap<>();
    private final AtomicLong requests = new AtomicLong();
    private final ReplyTimer timer = ReplyTimer.start();
    private final HttpServerLoop loop;

    /**
     * Starts a server.
     *
     * @param latencyNanos by the number of items in the request
     * @param clock of the throttle, in nanoseconds
     */
    CloudServer(
            int port,
            IntToLongFunction latencyNanos,
            Map<String, String> keyAttributes,
            PartitionThrottle throttle,
            LongSupplier clock) {
        this.latencyNanos = latencyNanos;
        this.writes = new WriteRequests(keyAttributes);
        this.throttle = throttle;
        this.clock = clock;
        this.loop = HttpServerLoop.start("cloud-server", port, this::handle);
    }

    /**
     * Starts a server on the loopback interface.
     *
     * @param port 0 for any free port
     * @param seed of the latencies
     * @param keyAttributes the name of the partition key by table
     */
    public static CloudServer start(int port, long seed, Map<String, String> keyAttributes) {
        return new CloudServer(
                port,
                latencies(seed),
                keyAttributes,
                new PartitionThrottle(PartitionThrottle.UNITS_PER_SECOND),
                System::nanoTime);
    }

    private static IntToLongFunction latencies(long seed) {
        return new LatencyModel(seed)::nextNanos;
    }

    public URI endpoint() {
        return loop.endpoint();
    }

    /**
     * Starts the sequence of latencies anew. Otherwise each plugin would be measured with another part of it, because they make
     * different numbers of requests before: with a few thousand requests, chance alone changes the 99th percentile by a tenth.
     */
    public void restartLatencies(long seed) {
        latencyNanos = latencies(seed);
    }

    /** The number of requests so far. */
    public long requests() {
        return requests.get();
    }

    /** From now on throttles all requests above a number per second, whatever they are. */
    public void limitRequests(int perSecond) {
        tableThrottle = new PartitionThrottle(perSecond);
    }

    private void handle(String operation, RequestBuffer request, int bodyStart, int bodyEnd, Connection connection) {
        long now = System.nanoTime();
        requests.incrementAndGet();
        int items = 1;
        byte[] reply;
        try {
            List<ItemWrite> written = writes.of(operation, request.json(bodyStart, bodyEnd));
            items = Math.max(1, written.size());
            reply = !tableThrottle.tryWrite("", 1, clock.getAsLong())
                    ? HttpReplies.error(THROTTLED, THROTTLED_MESSAGE)
                    : written.isEmpty()
                            ? replies.computeIfAbsent(operation, HttpReplies::empty)
                            : reply(operation, written);
        } catch (RuntimeException e) {
            reply = HttpReplies.error(
                    "ValidationException", String.valueOf(e.getMessage()).replace('"', '\''));
        }
        timer.schedule(now + latencyNanos.applyAsLong(items), reply, connection);
    }

    private byte[] reply(String operation, List<ItemWrite> written) {
        long now = clock.getAsLong();
        List<Boolean> accepted = new ArrayList<>(written.size());
        for (ItemWrite write : written) {
            accepted.add(throttle.tryWrite(write.partitionKey(), write.units(), now));
        }
        if (operation.equals("BatchExecuteStatement")) {
            return HttpReplies.ok(statementResults(accepted));
        }
        if (!accepted.contains(false)) {
            return replies.computeIfAbsent(operation, HttpReplies::empty);
        }
        if (operation.equals("TransactWriteItems")) {
            return HttpReplies.error(
                    "TransactionCanceledException", "Transaction cancelled", cancellationReasons(accepted));
        }
        // A batch of which nothing was written fails as a whole.
        return operation.equals("BatchWriteItem") && accepted.contains(true)
                ? HttpReplies.ok("{\"UnprocessedItems\":" + unprocessed(written, accepted) + "}")
                : HttpReplies.error(THROTTLED, THROTTLED_MESSAGE);
    }

    private static String statementResults(List<Boolean> accepted) {
        return accepted.stream()
                .map(each -> each
                        ? "{}"
                        : "{\"Error\":{\"Code\":\"ProvisionedThroughputExceeded\",\"Message\":\"" + THROTTLED_MESSAGE
                                + "\"}}")
                .collect(Collectors.joining(",", "{\"Responses\":[", "]}"));
    }

    private static String cancellationReasons(List<Boolean> accepted) {
        return accepted.stream()
                .map(each -> each ? "{\"Code\":\"None\"}" : "{\"Code\":\"ThrottlingError\"}")
                .collect(Collectors.joining(",", ",\"CancellationReasons\":[", "]"));
    }

    private static String unprocessed(List<ItemWrite> written, List<Boolean> accepted) {
        Map<String, List<String>> byTable = new LinkedHashMap<>();
        for (int i = 0; i < written.size(); i++) {
            if (!accepted.get(i)) {
                byTable.computeIfAbsent(written.get(i).table(), table -> new ArrayList<>())
                        .add(written.get(i).json());
            }
        }
        return byTable.entrySet().stream()
                .map(table -> "\"" + table.getKey() + "\":[" + String.join(",", table.getValue()) + "]")
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** After this returns another server can bind the port. */
    @Override
    public void close() {
        loop.close();
        timer.close();
    }
}
