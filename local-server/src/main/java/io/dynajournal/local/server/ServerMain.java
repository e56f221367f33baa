package io.dynajournal.local.server;

import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBRequestHandler;
import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBServerHandler;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ref.Reference;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.jspecify.annotations.Nullable;

/**
 * The main class of the server's JVM. Public only for its name; loading it in another JVM is harmless, running it there
 * needs DynamoDB Local.
 *
 * <p>Amazon's own main class listens on all interfaces and reports telemetry; this one goes around it and does neither.
 */
public final class ServerMain {

    /** What the one line on the standard output starts with; the server's address follows. */
    public static final String ENDPOINT = "endpoint ";

    private static final String LOOPBACK = "127.0.0.1";

    private ServerMain() {}

    public static void main(String[] args) {
        PrintStream announcements = System.out;
        // Log4j writes to the standard output when it has no configuration.
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
            if (parent != null) {
                parent.outliveSignals();
            }
            announcements.println(ENDPOINT + "http://" + LOOPBACK + ":" + port);
            server.join();
        } finally {
            // A file that nobody refers to is closed by the garbage collector, and its lock is gone.
            Reference.reachabilityFence(lock);
        }
    }

    /** Two servers on one file would fail each other's writes. The lock goes with the process, however it ends. */
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
        // Shared: one set of tables for all credentials and regions. No delays: a new table is there at once.
        boolean shared = true;
        boolean delays = false;
        return new LocalDynamoDBServerHandler(
                new LocalDynamoDBRequestHandler(port, directory == null, path, shared, delays), null);
    }
}
