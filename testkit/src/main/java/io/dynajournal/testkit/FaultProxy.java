package io.dynajournal.testkit;

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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/**
 * A proxy on a loopback port between an AWS client and DynamoDB that breaks requests by script, where they really break:
 * on the wire. What is not in the script passes. Each request meets at most one line of the script, the first that
 * matches it and has not been used up. Records every request. Thread-safe.
 *
 * <pre>{@code
 * proxy.when(RequestMatch.operation("PutItem")).loseReply();
 * Gate gate = proxy.when(RequestMatch.writes().containing("cart-1")).hold();
 * }</pre>
 */
public final class FaultProxy implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(FaultProxy.class);
    private static final String TARGET = "X-Amz-Target";
    /** What belongs to a connection and not to a message, and what the HTTP client sets itself. */
    private static final Set<String> HOP = Set.of(
            "connection", "content-length", "expect", "host", "keep-alive", "transfer-encoding", "upgrade", ":status");

    private final URI dynamoDb;
    private final HttpClient http;
    private final ServerSocket server;
    private final ExecutorService threads;
    private final Script script = new Script();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Queue<Exception> problems = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    private FaultProxy(URI dynamoDb, HttpClient http, ServerSocket server) {
        this.dynamoDb = dynamoDb;
        this.http = http;
        this.server = server;
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
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
    }

    static FaultProxy to(URI dynamoDb, HttpClient http) {
        try {
            FaultProxy proxy = new FaultProxy(dynamoDb, http, new ServerSocket(0, 0, InetAddress.getLoopbackAddress()));
            proxy.threads.execute(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    /** Starts a line of the script: what shall happen to the next such request. */
    public When when(RequestMatch match) {
        return new When(match, 0, 1);
    }

    /** All requests so far, in the order of their arrival. */
    public List<ProxiedRequest> requests() {
        return script.requests(RequestMatch.all());
    }

    /** The requests so far that match; of a long request the first 4,096 characters are looked at. */
    public List<ProxiedRequest> requests(RequestMatch match) {
        return script.requests(match);
    }

    /** Waits until so many matching requests have come, counted from the start. */
    public void awaitRequests(RequestMatch match, int count) {
        script.awaitRequests(match, count);
    }

    /** Drops the rest of the script; what is held stays held. */
    public void clear() {
        script.clear();
    }

    /** Fails if a line of the script was never met, or if DynamoDB could not be reached. */
    public void assertScriptMet() {
        if (!script.unmet().isEmpty()) {
            throw new AssertionError("no request met " + script.unmet() + "; there were " + requests());
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

    /** A line of the script that is not finished. */
    public final class When {
        private final RequestMatch match;
        private final int after;
        private final int times;

        private When(RequestMatch match, int after, int times) {
            this.match = match;
            this.after = after;
            this.times = times;
        }

        /** So many requests pass first. */
        public When after(int count) {
            return new When(match, count, times);
        }

        /** For so many requests instead of one. */
        public When times(int count) {
            return new When(match, after, count);
        }

        public When always() {
            return new When(match, after, Integer.MAX_VALUE);
        }

        /** DynamoDB does what was asked, but the client's connection is closed without an answer. */
        public void loseReply() {
            script.add(match, after, times, new Fault.LoseReply());
        }

        /** The client's connection is closed without an answer, and DynamoDB never sees the request. */
        public void loseRequest() {
            script.add(match, after, times, new Fault.LoseRequest());
        }

        /** DynamoDB never sees the request; the client gets the error. */
        public void answer(ErrorAnswer error) {
            script.add(match, after, times, new Fault.Answer(error));
        }

        /** Of each batch only the first writes are done; the others come back unprocessed. */
        public void process(int writes) {
            script.add(match, after, times, new Fault.Unprocessed(writes));
        }

        /**
         * DynamoDB does what was asked, but of the items in its answer only some are shown, as by an index that lags.
         *
         * @param shown by an item's attributes as they are on the wire
         */
        public void show(Predicate<Map<String, JsonNode>> shown) {
            script.add(match, after, times, new Fault.HideItems(shown));
        }

        /** The request waits at the gate, then goes on, whether or not the client still waits for an answer. */
        public Gate hold() {
            return gate(Fault.HoldRequest::new);
        }

        /** DynamoDB does what was asked; the answer waits at the gate. */
        public Gate holdReply() {
            return gate(Fault.HoldReply::new);
        }

        /** The client's connection is closed at once; DynamoDB gets the request when the gate opens. */
        public Gate deliverLate() {
            return gate(Fault.DeliverLate::new);
        }

        private Gate gate(Function<Gate, Fault> fault) {
            Gate gate = new Gate();
            script.add(match, after, times, fault.apply(gate));
            return gate;
        }
    }

    /** How many connections clients have open. */
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
                // Either way, of a proxy that is being closed.
                if (!closed) {
                    problems.add(e);
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            HttpConnection connection = new HttpConnection(socket);
            boolean goesOn = true;
            while (goesOn) {
                @Nullable Request request = connection.read().orElse(null);
                goesOn = request != null && handle(request, connection, socket);
            }
        } catch (IOException e) {
            // A client that gives up closes its connection; that is part of the play.
            log.debug("A connection of the proxy ended", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            problems.add(e);
        } finally {
            open.remove(socket);
        }
    }

    /** Tells whether the connection is still good. */
    private boolean handle(Request request, HttpConnection connection, Socket socket)
            throws IOException, InterruptedException {
        Fault fault = script.meet(operation(request), request.text());
        if (fault instanceof Fault.LoseRequest) {
            return false;
        } else if (fault instanceof Fault.LoseReply) {
            forward(request, request.body());
            return false;
        } else if (fault instanceof Fault.Answer answer) {
            connection.write(json(answer.error().status(), answer.error().body()));
        } else if (fault instanceof Fault.HoldRequest held) {
            held.gate().hold();
            Response response = forward(request, request.body());
            held.gate().delivered();
            connection.write(response);
        } else if (fault instanceof Fault.HoldReply held) {
            Response response = forward(request, request.body());
            held.gate().delivered();
            held.gate().hold();
            connection.write(response);
        } else if (fault instanceof Fault.DeliverLate late) {
            socket.close();
            late.gate().hold();
            forward(request, request.body());
            late.gate().delivered();
            return false;
        } else if (fault instanceof Fault.HideItems hidden) {
            Response response = forward(request, request.body());
            connection.write(
                    response.status() == 200 ? json(200, ShownItems.of(response.body(), hidden.shown())) : response);
        } else if (fault instanceof Fault.Unprocessed batch) {
            connection.write(partly(request, new SplitBatch(request.text(), batch.processed())));
        } else {
            connection.write(forward(request, request.body()));
        }
        return true;
    }

    private Response partly(Request request, SplitBatch batch) throws InterruptedException {
        if (batch.keepsNothing()) {
            return json(200, batch.responseToNothing());
        }
        Response response = forward(request, batch.request());
        return response.status() == 200 ? json(200, batch.response(response.body())) : response;
    }

    private Response forward(Request request, byte[] body) throws InterruptedException {
        HttpRequest.Builder forwarded = HttpRequest.newBuilder(dynamoDb.resolve(request.path()))
                .method(request.method(), HttpRequest.BodyPublishers.ofByteArray(body));
        request.headers().forEach((name, value) -> {
            if (passes(name)) {
                forwarded.header(name, value);
            }
        });
        try {
            HttpResponse<byte[]> response = http.send(forwarded.build(), HttpResponse.BodyHandlers.ofByteArray());
            Map<String, List<String>> headers = new TreeMap<>(response.headers().map());
            headers.keySet().removeIf(name -> !passes(name));
            return new Response(response.statusCode(), headers, response.body());
        } catch (IOException e) {
            throw new UncheckedIOException("DynamoDB at " + dynamoDb + " gave no answer", e);
        }
    }

    private static boolean passes(String header) {
        return !HOP.contains(header.toLowerCase(Locale.ROOT));
    }

    private static Response json(int status, byte[] body) {
        Map<String, List<String>> headers = new HashMap<>();
        headers.put("Content-Type", List.of("application/x-amz-json-1.0"));
        headers.put("x-amzn-RequestId", List.of("FAULT-PROXY"));
        return new Response(status, headers, body);
    }

    /** The header is like {@code DynamoDB_20120810.PutItem}. */
    private static String operation(Request request) {
        String target = request.header(TARGET);
        return target.substring(target.indexOf('.') + 1);
    }
}
