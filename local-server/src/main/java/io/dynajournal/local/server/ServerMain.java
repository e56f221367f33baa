package io.dynajournal.local.server;

import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBRequestHandler;
import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBServerHandler;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ref.Reference;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.jspecify.annotations.Nullable;

/**
 * The main class of the server's JVM. Needs DynamoDB Local on its class path.
 *
 * <p>Amazon's own main class listens on all interfaces and sends telemetry; this one does neither.
 */
public final class ServerMain {

    /** The beginning of the one line on standard output; the server's address follows. */
    public static final String ENDPOINT = "endpoint ";

    private static final String LOOPBACK = "127.0.0.1";

    private ServerMain() {}

    public static void main(String[] args) {
        PrintStream announcements = System.out;
        // Log4j writes to standard output when it has no configuration.
        System.setOut(System.err);
        try {
            run(Arguments.parse(args), announcements);
        } catch (Exception e) {
            System.err.println("Cannot run DynamoDB Local: " + e.getMessage());
            e.printStackTrace();
            System.exit(1);
        }
    }

    private static void run(Arguments arguments, PrintStream announcements) throws Exception {
        ParentWatch parent = arguments.detached() ? null : ParentWatch.start(System.in);
        FileChannel lock = arguments.directory() == null ? null : lock(arguments.directory());
        try {
            Server server = new Server();
            int port = listen(server, arguments.port());
            server.setHandler(new ContextHandler(handler(port, arguments.directory())));
            server.start();
            String endpoint = "http://" + LOOPBACK + ":" + port;
            answerOneRequest(endpoint);
            if (parent != null) {
                parent.outliveSignals();
            }
            announcements.println(ENDPOINT + endpoint);
            server.join();
        } finally {
            // Otherwise the garbage collector could close the file, which releases its lock.
            Reference.reachabilityFence(lock);
        }
    }

    /**
     * The first request takes hundreds of milliseconds, and on a busy machine longer than a client waits for an answer. So it is
     * sent here, before a client knows the address.
     */
    private static void answerOneRequest(String endpoint) throws IOException, InterruptedException {
        HttpRequest listTables = HttpRequest.newBuilder(URI.create(endpoint))
                .header("X-Amz-Target", "DynamoDB_20120810.ListTables")
                .header("Content-Type", "application/x-amz-json-1.0")
                .header("Authorization", "AWS4-HMAC-SHA256 Credential=none/none/none/none/none")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(listTables, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("The first request was answered with " + answer.statusCode() + ": " + answer.body());
        }
    }

    /** Locks the directory: two servers on one file would fail each other's writes. The lock ends with the process. */
    private static FileChannel lock(Path directory) throws IOException {
        Files.createDirectories(directory);
        FileChannel file = FileChannel.open(
                directory.resolve("dynajournal.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (file.tryLock() == null) {
            System.err.println("Waiting for another server to leave " + directory);
            file.lock();
        }
        return file;
    }

    private static int listen(Server server, int port) throws IOException {
        ServerConnector connector = new ServerConnector(server);
        connector.setHost(LOOPBACK);
        connector.setPort(port);
        connector.open();
        server.addConnector(connector);
        return connector.getLocalPort();
    }

    private static LocalDynamoDBServerHandler handler(int port, @Nullable Path directory) {
        String path = directory == null ? null : directory.toString();
        // Shared: the same tables for all credentials and regions. No delays: a new table can be used at once.
        boolean shared = true;
        boolean delays = false;
        return new LocalDynamoDBServerHandler(
                new LocalDynamoDBRequestHandler(port, directory == null, path, shared, delays), null);
    }
}
