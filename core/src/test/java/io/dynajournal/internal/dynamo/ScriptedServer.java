package io.dynajournal.internal.dynamo;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An HTTP server that answers by a script and records the requests. */
public final class ScriptedServer implements AutoCloseable {

    /** A received request. */
    public record Received(Map<String, String> headers, String body) {

        /** Empty if there is none. */
        public String header(String name) {
            return headers.getOrDefault(name, "");
        }

        /** Such as {@code PutItem}. */
        public String operation() {
            return header("X-Amz-Target").replaceFirst(".*\\.", "");
        }
    }

    /**
     * An answer.
     *
     * @param status 0 for no answer at all, with the connection kept open
     */
    public record Reply(int status, String body, Map<String, String> headers) {

        public static final Reply NONE = of(0, "");

        public static Reply of(int status, String body) {
            return new Reply(status, body, Map.of());
        }

        /** An error of DynamoDB. */
        public static Reply error(int status, String code, String message) {
            return of(
                    status,
                    "{\"__type\":\"com.amazonaws.dynamodb.v20120810#" + code + "\",\"message\":\"" + message + "\"}");
        }

        public Reply with(String header, String value) {
            Map<String, String> more = new LinkedHashMap<>(headers);
            more.put(header, value);
            return new Reply(status, body, more);
        }
    }

    private final ServerSocket server;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Reply> replies = new ConcurrentLinkedQueue<>();
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger maxInFlight = new AtomicInteger();
    private volatile CountDownLatch open = new CountDownLatch(0);
    private volatile Function<Received, Reply> otherwise = request -> Reply.of(200, "{}");

    public ScriptedServer() {
        try {
            server = new ServerSocket(0, 0, InetAddress.getByName("localhost"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(this::accept);
    }

    public URI endpoint() {
        return URI.create("http://localhost:" + server.getLocalPort());
    }

    /** Adds a reply. Replies are sent in order; after the last one {@link #otherwise} decides. */
    public void then(Reply reply) {
        replies.add(reply);
    }

    /** Replies to requests that are not in the script; an empty object by default. */
    public void otherwise(Function<Received, Reply> reply) {
        otherwise = reply;
    }

    /** Keeps all answers back until {@link #release}. */
    public void hold() {
        open = new CountDownLatch(1);
    }

    /** Waits until this many requests are in flight, then answers them. */
    public void releaseWhenInFlight(int requests) {
        synchronized (inFlight) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (inFlight.get() < requests) {
                long millis = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (millis <= 0) {
                    throw new IllegalStateException(
                            "Only " + inFlight + " of " + requests + " requests arrived within a minute");
                }
                try {
                    inFlight.wait(millis);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
        release();
    }

    public void release() {
        open.countDown();
    }

    public Received last() {
        return received.get(received.size() - 1);
    }

    public List<Received> received() {
        return received;
    }

    public List<String> operations() {
        return received.stream().map(Received::operation).toList();
    }

    /** The largest number of requests that were in flight at the same time. */
    public int maxInFlight() {
        return maxInFlight.get();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket connection = server.accept();
                connections.add(connection);
                threads.execute(() -> serve(connection));
            } catch (IOException | RejectedExecutionException closed) {
                return;
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            OutputStream out = new BufferedOutputStream(connection.getOutputStream());
            for (Received request = read(in); request != null; request = read(in)) {
                answer(reply(request), out);
            }
        } catch (IOException closed) {
            // The client or the test has closed the connection.
        } finally {
            connections.remove(connection);
        }
    }

    private Reply reply(Received request) throws IOException {
        received.add(request);
        synchronized (inFlight) {
            maxInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            inFlight.notifyAll();
        }
        Reply next = replies.poll();
        try {
            if (!open.await(60, TimeUnit.SECONDS)) {
                throw new IOException("not released");
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        } finally {
            inFlight.decrementAndGet();
        }
        return next == null ? otherwise.apply(request) : next;
    }

    private static @Nullable Received read(InputStream in) throws IOException {
        String first = line(in);
        if (first == null) {
            return null;
        }
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
            headers.put(
                    line.substring(0, line.indexOf(':')),
                    line.substring(line.indexOf(':') + 1).trim());
        }
        int length = Integer.parseInt(headers.getOrDefault("Content-Length", "0"));
        return new Received(headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    private static @Nullable String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                return null;
            }
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private static void answer(Reply reply, OutputStream out) throws IOException {
        if (reply.status() == 0) {
            return;
        }
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Date", httpDate(ZonedDateTime.now(ZoneOffset.UTC)));
        headers.put("Content-Length", Integer.toString(body.length));
        headers.putAll(reply.headers());
        StringBuilder head = new StringBuilder("HTTP/1.1 " + reply.status() + " -\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        out.write(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
        out.write(body);
        out.flush();
    }

    /** As in a {@code Date} header. */
    public static String httpDate(ZonedDateTime time) {
        return DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
                .format(time.withZoneSameInstant(ZoneOffset.UTC));
    }

    @Override
    public void close() {
        open.countDown();
        try {
            server.close();
            closeConnections();
            threads.shutdownNow();
            // A connection that was accepted while the server was closing is closed too, and not left without an
            // answer.
            if (!threads.awaitTermination(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("A connection of the test server is still served");
            }
            closeConnections();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void closeConnections() throws IOException {
        for (Socket connection : connections) {
            connection.close();
        }
    }
}
