package io.dynajournal.bench.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * The HTTP side of a simulated DynamoDB: one thread reads the requests of all connections and hands each to the handler.
 * Loopback only. Clients must not pipeline; the AWS SDKs do not.
 */
final class HttpServerLoop implements AutoCloseable {

    /** Runs on the loop's thread, so it must not block. */
    interface Handler {

        /** The body is valid during the call only. */
        void handle(String operation, RequestBuffer request, int bodyStart, int bodyEnd, Connection connection);
    }

    /** A client's connection. Replies may be sent from any thread. */
    static final class Connection {

        private final SocketChannel channel;
        private final RequestBuffer received = new RequestBuffer();

        private Connection(SocketChannel channel) {
            this.channel = channel;
        }

        void reply(byte[] response) {
            ByteBuffer bytes = ByteBuffer.wrap(response);
            try {
                // A few hundred bytes to a client that waits for them: they fit the socket's send buffer.
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            } catch (IOException e) {
                // The client has closed the connection: nobody reads this reply.
                close();
            }
        }

        private void close() {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final byte[] TARGET = "DynamoDB_20120810.".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HEAD_END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int BACKLOG = 1024;

    private final Selector selector;
    private final ServerSocketChannel server;
    private final Handler handler;
    private final URI endpoint;
    private final Thread thread;
    private volatile boolean closed;

    private HttpServerLoop(String name, Selector selector, ServerSocketChannel server, Handler handler) {
        this.selector = selector;
        this.server = server;
        this.handler = handler;
        this.endpoint = URI.create("http://127.0.0.1:" + server.socket().getLocalPort());
        this.thread = new Thread(this::run, name);
    }

    /** @param port 0 for any free port */
    static HttpServerLoop start(String name, int port, Handler handler) {
        try {
            ServerSocketChannel server = ServerSocketChannel.open();
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
            server.configureBlocking(false);
            HttpServerLoop loop = new HttpServerLoop(name, Selector.open(), server, handler);
            server.register(loop.selector, SelectionKey.OP_ACCEPT);
            loop.thread.setDaemon(true);
            loop.thread.start();
            return loop;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    URI endpoint() {
        return endpoint;
    }

    private void run() {
        try (selector;
                server) {
            while (!closed) {
                selector.select(this::ready);
            }
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void ready(SelectionKey key) {
        if (key.attachment() instanceof Connection connection) {
            read(connection);
        } else {
            accept();
        }
    }

    private void accept() {
        try {
            SocketChannel client = server.accept();
            if (client != null) {
                client.configureBlocking(false);
                client.setOption(StandardSocketOptions.TCP_NODELAY, true);
                client.register(selector, SelectionKey.OP_READ, new Connection(client));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(Connection connection) {
        try {
            if (connection.received.fill(connection.channel) < 0) {
                connection.close();
                return;
            }
        } catch (IOException e) {
            connection.close();
            return;
        }
        while (handleNext(connection)) {
            // Further requests may have been read together with the first.
        }
    }

    /** Handles one request; false if none has arrived completely. */
    private boolean handleNext(Connection connection) {
        RequestBuffer in = connection.received;
        int headEnd = in.find(HEAD_END, 0, in.length());
        if (headEnd < 0) {
            return false;
        }
        int bodyStart = headEnd + HEAD_END.length;
        int bodyEnd = bodyStart + in.number(in.find(LENGTH, 0, headEnd) + LENGTH.length);
        if (in.length() < bodyEnd) {
            return false;
        }
        String operation = in.word(in.find(TARGET, 0, headEnd) + TARGET.length);
        handler.handle(operation, in, bodyStart, bodyEnd, connection);
        in.drop(bodyEnd);
        return true;
    }

    /** After this returns another server can bind the port. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
