package io.dynajournal.local;

import io.dynajournal.local.server.ServerMain;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A running DynamoDB Local: a JVM of its own that listens on 127.0.0.1 only and takes any credentials and region, all of
 * which see the same tables.
 *
 * <p>It ends with {@link #close()} or with this JVM, however this JVM ends. Until then it outlives an interrupt from the
 * terminal, so that an application can still write while it shuts down. Its jars come from the local Maven repository;
 * the class path of this JVM holds none of them. Thread-safe.
 */
public final class DynamoLocal implements AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final Process process;
    private final URI endpoint;

    private DynamoLocal(Process process, URI endpoint) {
        this.process = process;
        this.endpoint = endpoint;
    }

    /**
     * How to start.
     *
     * @param directory where the tables are kept, in one file, or null to keep them in memory
     * @param port the port, or 0 for a free one
     * @param startTimeout how long to wait until the server listens; one or two seconds are usual
     */
    public record Options(@Nullable Path directory, int port, Duration startTimeout) {

        public Options {
            if (port < 0 || port > 65_535) {
                throw new IllegalArgumentException("Not a port: " + port);
            }
            if (startTimeout.isNegative() || startTimeout.isZero()) {
                throw new IllegalArgumentException("Not a time to wait: " + startTimeout);
            }
        }

        public static Options inMemory() {
            return new Options(null, 0, Duration.ofSeconds(30));
        }

        public static Options on(Path directory) {
            return new Options(directory, 0, Duration.ofSeconds(30));
        }

        public Options withPort(int newPort) {
            return new Options(directory, newPort, startTimeout);
        }

        public Options withStartTimeout(Duration newStartTimeout) {
            return new Options(directory, port, newStartTimeout);
        }
    }

    /** Starts a server on a free port that forgets everything when it ends. */
    public static DynamoLocal inMemory() {
        return start(Options.inMemory());
    }

    /**
     * Starts a server on a free port that keeps its tables in a directory, which is made if it is missing. What it has
     * acknowledged survives its sudden death. A directory has one server at a time; a second one waits for the first.
     */
    public static DynamoLocal on(Path directory) {
        return start(Options.on(directory));
    }

    /**
     * Starts a server and waits until it listens.
     *
     * @throws IllegalStateException if it cannot be started; nothing is left running then
     */
    public static DynamoLocal start(Options options) {
        Process process = launch(options);
        try {
            return new DynamoLocal(process, awaitEndpoint(process, options.startTimeout()));
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while DynamoDB Local started", e);
        }
    }

    public URI endpoint() {
        return endpoint;
    }

    /** The process id of the server's JVM. */
    public long pid() {
        return process.pid();
    }

    boolean isAlive() {
        // The handle asks the operating system; the process learns of its end a moment later.
        return process.isAlive() && process.toHandle().isAlive();
    }

    /** Ends the server and waits until it is gone. Does nothing the second time. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Starts the JVM and does not wait. */
    static Process launch(Options options) {
        ProcessBuilder builder = new ProcessBuilder(command(options));
        Map<String, String> environment = builder.environment();
        // In the environment, not in the command: a process list stays readable, and Windows has room for it.
        environment.put("CLASSPATH", ServerClassPath.in(MavenRepository.find()));
        environment.put("DDB_LOCAL_TELEMETRY", "0");
        // They are meant for this JVM: a debugger's port, for one, cannot be opened twice.
        environment.remove("JAVA_TOOL_OPTIONS");
        environment.remove("JDK_JAVA_OPTIONS");
        try {
            return builder.start();
        } catch (IOException e) {
            throw new IllegalStateException("Cannot start a JVM for DynamoDB Local", e);
        }
    }

    private static List<String> command(Options options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // The native library is unpacked there, and stays if the server is killed.
        command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
        command.add(ServerMain.class.getName());
        command.add("--port");
        command.add(String.valueOf(options.port()));
        if (options.directory() != null) {
            command.add("--dir");
            command.add(created(options.directory()).toString());
        }
        return command;
    }

    private static Path created(Path directory) {
        try {
            return Files.createDirectories(directory).toAbsolutePath();
        } catch (IOException e) {
            throw new IllegalStateException("Cannot make the directory " + directory + " for DynamoDB Local", e);
        }
    }

    private static URI awaitEndpoint(Process process, Duration timeout) throws InterruptedException {
        LastLines errors = LastLines.of(process.errorReader());
        Future<Optional<String>> line = firstLine(process);
        try {
            Optional<String> endpoint = line.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (endpoint.isPresent()) {
                return URI.create(endpoint.get().substring(ServerMain.ENDPOINT.length()));
            }
            throw failed("DynamoDB Local ended before it listened", process, errors, null);
        } catch (TimeoutException e) {
            throw failed("DynamoDB Local did not listen within " + timeout.toMillis() + " ms", process, errors, e);
        } catch (ExecutionException e) {
            throw failed("DynamoDB Local's output cannot be read", process, errors, e);
        }
    }

    /** The server writes one line, when it listens; empty if it ends before that. */
    private static Future<Optional<String>> firstLine(Process process) {
        FutureTask<Optional<String>> line =
                new FutureTask<>(() -> Optional.ofNullable(process.inputReader().readLine()));
        Thread reading = new Thread(line, "dynamodb-local-stdout");
        reading.setDaemon(true);
        reading.start();
        return line;
    }

    private static IllegalStateException failed(
            String what, Process process, LastLines errors, @Nullable Exception cause) throws InterruptedException {
        process.destroyForcibly().waitFor();
        return new IllegalStateException(what + "; it said:" + System.lineSeparator() + errors.text(), cause);
    }
}
