package io.dynajournal.testkit;

import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.testkit.HttpConnection.Request;
import io.dynajournal.testkit.HttpConnection.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/**
 * An HTTP proxy on a loopback port between an AWS client and DynamoDB that injects faults by script: lost requests, lost
 * replies, errors, delays. Requests without a matching line of the script pass. Each request uses at most one line, the first
 * that matches and is not used up. Records every request. Thread-safe.
 *
 * <pre>{@code
 * proxy.when(RequestMatch.operation("PutItem")).loseReply();
 * HeldRequest held = proxy.when(RequestMatch.writes().containing("cart-1")).hold();
 * }</pre>
 */
public final class FaultProxy implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(FaultProxy.class);
    /** Headers that are not forwarded: those of a connection, and those that the HTTP client sets itself. */
    private static final Set<String> HOP_BY_HOP = Set.of(
            "connection", "content-length", "expect", "host", "keep-alive", "transfer-encoding", "upgrade", ":status");

    private final URI dynamoDb;
    private final HttpClient http;
    private final ServerSocket server;
    private final CapacityRules rules;
    private final ExecutorService threads;
    private volatile Duration dateAhead = Duration.ZERO;
    private final Script script = new Script();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Queue<Exception> problems = new ConcurrentLinkedQueue<>();
    private final List<CostMeter> meters = new CopyOnWriteArrayList<>();
    private final List<BiConsumer<String, String>> observers = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    private FaultProxy(
            URI dynamoDb, HttpClient http, ServerSocket server, Function<String, @Nullable TableSpec> tables) {
        this.dynamoDb = dynamoDb;
        this.http = http;
        this.server = server;
        this.rules = new CapacityRules(tables);
        this.threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "fault-proxy-" + server.getLocalPort());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Starts a proxy in front of an endpoint. */
    public static FaultProxy to(URI dynamoDb) {
        return to(
                dynamoDb,
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(),
                table -> null);
    }

    /** @param tables the known tables by name, for the cost of their indexes in a transaction */
    static FaultProxy to(URI dynamoDb, HttpClient http, Function<String, @Nullable TableSpec> tables) {
        try {
            FaultProxy proxy =
                    new FaultProxy(dynamoDb, http, new ServerSocket(0, 0, InetAddress.getLoopbackAddress()), tables);
            proxy.threads.execute(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address for clients. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    /** Adds the cost of each request that DynamoDB answers to a meter; this proxy. */
    public FaultProxy measure(CostMeter meter) {
        meters.add(meter);
        return this;
    }

    /** Shows each request to an observer, whole, before a fault of the script applies: its operation and its body. */
    public FaultProxy observe(BiConsumer<String, String> observer) {
        observers.add(observer);
        return this;
    }

    /** Begins a line of the script: the fault for the next matching request. */
    public When when(RequestMatch match) {
        return new When(match, 0, 1);
    }

    /**
     * Gives every request a random fault with this probability, instead of the script. Requests are counted and no longer
     * recorded, and an unreachable DynamoDB is a fault too, so that a run may last hours.
     *
     * @param seed of the faults; which request gets which depends on the order of their arrival
     */
    public void faultAtRandom(long seed, double probability) {
        script.random(new RandomFaults(seed, probability));
    }

    /** How often each kind of random fault was used; {@code requests} counts all requests. */
    public Map<String, Long> randomFaults() {
        return script.randomCounts();
    }

    /** All requests so far, in the order in which they arrived. */
    public List<ProxiedRequest> requests() {
        return script.requests(RequestMatch.all());
    }

    /** The matching requests so far; only the first 4,096 characters of a request are compared. */
    public List<ProxiedRequest> requests(RequestMatch match) {
        return script.requests(match);
    }

    /** Waits until this many matching requests have arrived, counted from the start. */
    public void awaitRequests(RequestMatch match, int count) {
        script.awaitRequests(match, count);
    }

    /** Removes the rest of the script. Requests that are held stay held. */
    public void clear() {
        script.clear();
    }

    /** Fails if a line of the script was never used, or if DynamoDB could not be reached. */
    public void assertScriptUsed() {
        if (!script.unused().isEmpty()) {
            throw new AssertionError("no request matched " + script.unused() + "; the requests were " + requests());
        }
        if (!problems.isEmpty()) {
            AssertionError error = new AssertionError("the proxy failed");
            problems.forEach(error::addSuppressed);
            throw error;
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.shutdownNow();
        try {
            server.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A line of the script without its fault. */
    public final class When {
        private final RequestMatch match;
        private final int after;
        private final int times;

        private When(RequestMatch match, int after, int times) {
            this.match = match;
            this.after = after;
            this.times = times;
        }

        /** Lets this many matching requests pass first. */
        public When after(int count) {
            return new When(match, count, times);
        }

        /** For this many requests instead of one. */
        public When times(int count) {
            return new When(match, after, count);
        }

        /** For all matching requests. */
        public When always() {
            return new When(match, after, Integer.MAX_VALUE);
        }

        /** DynamoDB executes the request; the client's connection is closed without a response. */
        public void loseReply() {
            script.add(match, after, times, new Fault.LoseReply());
        }

        /** The client's connection is closed without a response; DynamoDB never receives the request. */
        public void loseRequest() {
            script.add(match, after, times, new Fault.LoseRequest());
        }

        /** The client gets the error; DynamoDB never receives the request. */
        public void answer(ErrorAnswer error) {
            script.add(match, after, times, new Fault.Answer(error));
        }

        /** The client gets the error for what is above a number of requests per second; DynamoDB never receives these. */
        public void answerAbove(int perSecond, ErrorAnswer error) {
            script.add(match, after, times, new Fault.AnswerAbove(new RequestRate(perSecond, System::nanoTime), error));
        }

        /** DynamoDB executes the first writes of a batch; the others are returned as unprocessed. */
        public void process(int writes) {
            script.add(match, after, times, new Fault.Unprocessed(writes));
        }

        /**
         * DynamoDB executes the request; its response contains only some of the items, as that of a lagging index.
         *
         * @param shown which items to keep, by their attributes in DynamoDB's JSON
         */
        public void show(Predicate<Map<String, JsonNode>> shown) {
            script.add(match, after, times, new Fault.HideItems(shown));
        }

        /** The request is held, and forwarded when released, whether or not the client still waits. */
        public HeldRequest hold() {
            return held(Fault.HoldRequest::new);
        }

        /** DynamoDB executes the request; the response is held until it is released. */
        public HeldRequest holdReply() {
            return held(Fault.HoldReply::new);
        }

        /** The client's connection is closed at once; DynamoDB receives the request when it is released. */
        public HeldRequest deliverLate() {
            return held(Fault.DeliverLate::new);
        }

        private HeldRequest held(Function<HeldRequest, Fault> fault) {
            HeldRequest held = new HeldRequest();
            script.add(match, after, times, fault.apply(held));
            return held;
        }
    }

    /** The number of open client connections. */
    public int connections() {
        return open.size();
    }

    private void accept() {
        while (!closed) {
            try {
                Socket socket = server.accept();
                open.add(socket);
                threads.execute(() -> serve(socket));
            } catch (IOException | RejectedExecutionException e) {
                // Expected while the proxy is being closed.
                if (!closed) {
                    problems.add(e);
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            HttpConnection connection = new HttpConnection(socket);
            boolean connected = true;
            while (connected) {
                @Nullable Request request = connection.read().orElse(null);
                connected = request != null && handle(request, connection, socket);
            }
        } catch (IOException e) {
            // A client closes its connection after a timeout, which tests provoke.
            log.debug("A client connection of the proxy was closed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            if (!script.isRandom()) {
                problems.add(e);
            }
        } finally {
            open.remove(socket);
        }
    }

    /** Whether the connection stays open. */
    private boolean handle(Request request, HttpConnection connection, Socket socket)
            throws IOException, InterruptedException {
        observers.forEach(observer -> observer.accept(request.operation(), request.text()));
        Fault fault = script.next(request.operation(), request.text());
        if (fault instanceof Fault.LoseRequest) {
            return false;
        } else if (fault instanceof Fault.LoseReply) {
            forward(request, request.body());
            return false;
        } else if (fault instanceof Fault.Answer answer) {
            connection.write(
                    Response.json(answer.error().status(), answer.error().body()));
        } else if (fault instanceof Fault.AnswerAbove above && !above.rate().take()) {
            connection.write(Response.json(above.error().status(), above.error().body()));
        } else if (fault instanceof Fault.HoldRequest hold) {
            hold.held().hold();
            Response response = forward(request, request.body());
            hold.held().delivered();
            connection.write(response);
        } else if (fault instanceof Fault.HoldReply hold) {
            Response response = forward(request, request.body());
            hold.held().delivered();
            hold.held().hold();
            connection.write(response);
        } else if (fault instanceof Fault.DeliverLate late) {
            socket.close();
            late.held().hold();
            forward(request, request.body());
            late.held().delivered();
            return false;
        } else if (fault instanceof Fault.HideItems hidden) {
            Response response = forward(request, request.body());
            connection.write(
                    response.status() == 200
                            ? Response.json(200, ShownItems.of(response.body(), hidden.shown()))
                            : response);
        } else if (fault instanceof Fault.Unprocessed batch) {
            connection.write(forwardFirst(request, new SplitBatch(request.text(), batch.processed())));
        } else {
            connection.write(forward(request, request.body()));
        }
        return true;
    }

    private Response forwardFirst(Request request, SplitBatch batch) throws InterruptedException {
        if (batch.keepsNothing()) {
            return Response.json(200, batch.responseToNothing());
        }
        Response response = forward(request, batch.request());
        return response.status() == 200 ? Response.json(200, batch.response(response.body())) : response;
    }

    /**
     * Moves the date of all further answers. Dynajournal's clock follows DynamoDB's, so that this moves the time of every client
     * behind this proxy, from its next answer on.
     */
    public FaultProxy moveDate(Duration ahead) {
        dateAhead = ahead;
        return this;
    }

    private Response forward(Request request, byte[] body) throws InterruptedException {
        HttpRequest.Builder forwarded = HttpRequest.newBuilder(dynamoDb.resolve(request.path()))
                .method(request.method(), HttpRequest.BodyPublishers.ofByteArray(body));
        request.headers().forEach((name, value) -> {
            if (isForwarded(name)) {
                forwarded.header(name, value);
            }
        });
        try {
            HttpResponse<byte[]> response = http.send(forwarded.build(), HttpResponse.BodyHandlers.ofByteArray());
            Map<String, List<String>> headers = new TreeMap<>(response.headers().map());
            headers.keySet().removeIf(name -> !isForwarded(name));
            if (!dateAhead.isZero()) {
                headers.keySet().removeIf("date"::equalsIgnoreCase);
                headers.put(
                        "date",
                        List.of(DateTimeFormatter.RFC_1123_DATE_TIME.format(
                                Instant.now().plus(dateAhead).atOffset(ZoneOffset.UTC))));
            }
            measure(request, body, response);
            return new Response(response.statusCode(), headers, response.body());
        } catch (IOException e) {
            throw new UncheckedIOException("DynamoDB at " + dynamoDb + " did not answer", e);
        }
    }

    private void measure(Request request, byte[] body, HttpResponse<byte[]> response) {
        if (!meters.isEmpty()) {
            Cost cost = rules.cost(
                    request.operation(),
                    new String(body, StandardCharsets.UTF_8),
                    response.statusCode() == 200,
                    new String(response.body(), StandardCharsets.UTF_8));
            meters.forEach(meter -> meter.add(cost));
        }
    }

    private static boolean isForwarded(String header) {
        return !HOP_BY_HOP.contains(header.toLowerCase(Locale.ROOT));
    }
}
