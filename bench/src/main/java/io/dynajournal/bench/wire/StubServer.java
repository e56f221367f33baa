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
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A DynamoDB that keeps nothing, finds nothing and answers at once, so that only the client's own cost is left. One thread,
 * and answers that are made once.
 */
public final class StubServer implements AutoCloseable {

    private static final Map<String, String> ANSWERS = Map.of(
            "Query", "{\"Count\":0,\"Items\":[],\"ScannedCount\":0}",
            "Scan", "{\"Count\":0,\"Items\":[],\"ScannedCount\":0}",
            "BatchGetItem", "{\"Responses\":{},\"UnprocessedKeys\":{}}",
            "BatchWriteItem", "{\"UnprocessedItems\":{}}",
            "DescribeTable", "{\"Table\":{\"TableName\":\"stub\",\"TableStatus\":\"ACTIVE\"}}");

    private static final byte[] TARGET = "DynamoDB_20120810.".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HEAD_END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] STATEMENT = "\"Statement\":".getBytes(StandardCharsets.US_ASCII);

    private final Selector selector;
    private final ServerSocketChannel server;
    private final URI endpoint;
    private final Map<String, byte[]> answers = new HashMap<>();
    private final AtomicLong requests = new AtomicLong();
    private final Thread thread = new Thread(this::run, "stub-server");
    private volatile boolean closed;

    private StubServer(Selector selector, ServerSocketChannel server) {
        this.selector = selector;
        this.server = server;
        this.endpoint = URI.create("http://127.0.0.1:" + server.socket().getLocalPort());
    }

    public static StubServer start() {
        try {
            ServerSocketChannel server = ServerSocketChannel.open();
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
            server.configureBlocking(false);
            StubServer stub = new StubServer(Selector.open(), server);
            server.register(stub.selector, SelectionKey.OP_ACCEPT);
            stub.thread.setDaemon(true);
            stub.thread.start();
            return stub;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public URI endpoint() {
        return endpoint;
    }

    /** How many requests there have been. */
    public long requests() {
        return requests.get();
    }

    private void run() {
        try (selector;
                server) {
            while (!closed) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isAcceptable()) {
                        accept();
                    } else {
                        serve(key);
                    }
                }
                selector.selectedKeys().clear();
            }
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept() throws IOException {
        SocketChannel client = server.accept();
        if (client != null) {
            client.configureBlocking(false);
            client.setOption(StandardSocketOptions.TCP_NODELAY, true);
            client.register(selector, SelectionKey.OP_READ, new RequestBuffer());
        }
    }

    private void serve(SelectionKey key) {
        RequestBuffer buffered = (RequestBuffer) key.attachment();
        SocketChannel client = (SocketChannel) key.channel();
        try {
            if (buffered.fill(client) < 0) {
                client.close();
                return;
            }
            for (byte[] answer = next(buffered); answer.length > 0; answer = next(buffered)) {
                ByteBuffer bytes = ByteBuffer.wrap(answer);
                // A few hundred bytes to a client that waits for them: they fit the socket's buffer.
                while (bytes.hasRemaining()) {
                    client.write(bytes);
                }
            }
        } catch (IOException e) {
            key.cancel();
        }
    }

    /** The answer to the next request that is there as a whole; empty if none is. */
    private byte[] next(RequestBuffer in) {
        int headEnd = in.find(HEAD_END, 0, in.length());
        if (headEnd < 0) {
            return new byte[0];
        }
        int bodyStart = headEnd + HEAD_END.length;
        int bodyEnd = bodyStart + in.number(in.find(LENGTH, 0, headEnd) + LENGTH.length);
        if (in.length() < bodyEnd) {
            return new byte[0];
        }
        String operation = in.word(in.find(TARGET, 0, headEnd) + TARGET.length);
        byte[] answer = operation.equals("BatchExecuteStatement")
                ? answer(statements(in.count(STATEMENT, bodyStart, bodyEnd)))
                : answers.computeIfAbsent(operation, name -> answer(ANSWERS.getOrDefault(name, "{}")));
        in.drop(bodyEnd);
        requests.incrementAndGet();
        return answer;
    }

    private static String statements(int count) {
        return "{\"Responses\":[" + "{},".repeat(Math.max(0, count - 1)) + "{}]}";
    }

    private static byte[] answer(String body) {
        return ("HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.0\r\nx-amzn-RequestId: STUB\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** When this returns, another server can have the port. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
