package io.dynajournal.bench.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A proxy between a plugin and DynamoDB that records every request with its response, and makes each report its capacity units.
 * Nothing is parsed while a plugin is being timed. Thread-safe.
 */
public final class CountingProxy implements AutoCloseable {

    /** DynamoDB Local closes connections after 30 seconds without a request. */
    private static final long STALE_NANOS = Duration.ofSeconds(15).toNanos();

    private final Upstream upstream;
    private final ServerSocket server;
    private final ExecutorService threads;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Queue<Exchange> exchanges = new ConcurrentLinkedQueue<>();
    private volatile long delayNanos;

    private CountingProxy(Upstream upstream, ServerSocket server) {
        this.upstream = upstream;
        this.server = server;
        this.threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "counting-proxy");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Starts a proxy on a loopback port. */
    public static CountingProxy to(Upstream upstream) {
        return to(upstream, 0);
    }

    /** Starts a proxy on a port, which another server may have used before. */
    public static CountingProxy to(Upstream upstream, int port) {
        try {
            CountingProxy proxy =
                    new CountingProxy(upstream, new ServerSocket(port, 512, InetAddress.getLoopbackAddress()));
            proxy.threads.execute(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    /** Delays every response from now on, so that requests which do not wait for each other overlap. */
    public void delay(Duration delay) {
        delayNanos = delay.toNanos();
    }

    /** The exchanges since the last call, in the order in which they ended. */
    public List<Exchange> take() {
        List<Exchange> taken = new ArrayList<>();
        for (Exchange exchange = exchanges.poll(); exchange != null; exchange = exchanges.poll()) {
            taken.add(exchange);
        }
        return taken;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.add(socket);
                threads.execute(() -> serve(socket));
            } catch (IOException e) {
                if (!server.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                Link link = new Link()) {
            HttpStream client = new HttpStream(socket);
            Optional<HttpMessage> request = client.read();
            while (request.isPresent()) {
                forward(request.get(), client, link);
                request = client.read();
            }
        } catch (IOException e) {
            // Plugins may close connections at any time. If DynamoDB closed its own, the plugin gets no answer and
            // retries.
            System.getLogger(CountingProxy.class.getName()).log(System.Logger.Level.DEBUG, "A connection ended", e);
        } finally {
            open.remove(socket);
        }
    }

    private void forward(HttpMessage request, HttpStream client, Link link) throws IOException {
        long begin = System.nanoTime();
        String operation = request.operation();
        HttpMessage changed = request.with(CapacityRequest.withCapacity(operation, request.body()));
        HttpMessage response = link.exchange(changed);
        byte[] bytes = response.bytes();
        for (long rest = delayNanos; rest > 0; rest = begin + delayNanos - System.nanoTime()) {
            LockSupport.parkNanos(rest);
        }
        // Recorded before it is written: a client that has its answer finds the exchange recorded.
        exchanges.add(
                new Exchange(operation, request.body(), response.status(), response.body(), begin, System.nanoTime()));
        client.write(bytes);
    }

    /** The connection to DynamoDB that belongs to a client's connection. */
    private final class Link implements AutoCloseable {

        private @Nullable HttpStream stream;
        private long used;

        HttpMessage exchange(HttpMessage request) throws IOException {
            if (stream == null || System.nanoTime() - used > STALE_NANOS) {
                close();
                stream = upstream.connect();
            }
            stream.write(upstream.addressed(request).bytes());
            HttpMessage response = stream.read().orElseThrow(() -> new IOException("DynamoDB closed the connection"));
            used = System.nanoTime();
            return response;
        }

        @Override
        public void close() throws IOException {
            if (stream != null) {
                stream.close();
            }
        }
    }

    @Override
    public void close() {
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
}
