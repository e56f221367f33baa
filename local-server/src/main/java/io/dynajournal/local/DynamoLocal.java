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
 * A DynamoDB Local server in its own JVM. It listens on 127.0.0.1 only and accepts any credentials and region, which all use
 * the same tables.
 *
 * <p>It ends with {@link #close()} or with this JVM, even if this JVM is killed. It ignores Ctrl-C in the terminal until then,
 * so that an application can write while it shuts down. Its jars come from the local Maven repository or from the cache of
 * Gradle or sbt, not from the class path of your application. Thread-safe.
 */
public final class DynamoLocal implements AutoCloseable {

    /**
     * A system property with options for the server's JVM, separated by spaces. In tests, where a server lives for minutes, it
     * takes 40 % less CPU with {@code -XX:TieredStopAtLevel=1 -XX:+UseSerialGC}. Its name does not begin with {@code
     * dynajournal}, because system properties are settings too.
     */
    public static final String JVM_OPTIONS = "dynamodb-local.jvm-options";

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final Process process;
    private final URI endpoint;

    private DynamoLocal(Process process, URI endpoint) {
        this.process = process;
        this.endpoint = endpoint;
    }

    /**
     * The options of a server.
     *
     * @param directory stores the tables in one file; null keeps them in memory
     * @param port the port, or 0 for a free one
     * @param startTimeout the maximum time until the server listens; one or two seconds are usual
     */
    public record Options(@Nullable Path directory, int port, Duration startTimeout) {

        public Options {
            if (port < 0 || port > 65_535) {
                throw new IllegalArgumentException("port must be from 0 to 65535, not " + port);
            }
            if (startTimeout.isNegative() || startTimeout.isZero()) {
                throw new IllegalArgumentException("startTimeout must be positive, not " + startTimeout);
            }
        }

        /** Tables in memory, a free port, 30 seconds to start. */
        public static Options inMemory() {
            return new Options(null, 0, Duration.ofSeconds(30));
        }

        /** Tables in a directory, a free port, 30 seconds to start. */
        public static Options on(Path directory) {
            return new Options(directory, 0, Duration.ofSeconds(30));
        }

        /** With another port; 0 for a free one. */
        public Options withPort(int newPort) {
            return new Options(directory, newPort, startTimeout);
        }

        /** With another timeout for the start. */
        public Options withStartTimeout(Duration newStartTimeout) {
            return new Options(directory, port, newStartTimeout);
        }
    }

    /** Starts a server on a free port that keeps its tables in memory. */
    public static DynamoLocal inMemory() {
        return start(Options.inMemory());
    }

    /**
     * Starts a server on a free port that stores its tables in a directory, which is created if it is missing. Acknowledged
     * writes survive if the server is killed. A directory has one server at a time; a second one waits for the first.
     */
    public static DynamoLocal on(Path directory) {
        return start(Options.on(directory));
    }

    /**
     * Starts a server and waits until it listens.
     *
     * @throws IllegalStateException if it cannot be started; no process is left running
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

    /** The address for clients. */
    public URI endpoint() {
        return endpoint;
    }

    /** The process id of the server's JVM. */
    public long pid() {
        return process.pid();
    }

    boolean isAlive() {
        // The handle asks the operating system; the process object notices the end a moment later.
        return process.isAlive() && process.toHandle().isAlive();
    }

    /** Stops the server and waits for its end. A second call has no effect. */
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

    /** Starts the JVM without waiting for the server. */
    static Process launch(Options options) {
        ProcessBuilder builder = new ProcessBuilder(command(options));
        Map<String, String> environment = builder.environment();
        // In the environment instead of the command, which has a length limit on Windows.
        environment.put("CLASSPATH", ServerClassPath.from(JarSearch.onThisMachine()));
        environment.put("DDB_LOCAL_TELEMETRY", "0");
        // These are options of this JVM: a debugger's port, for example, cannot be opened twice.
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
        command.addAll(jvmOptions());
        // The native library is unpacked there.
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

    private static List<String> jvmOptions() {
        String options = System.getProperty(JVM_OPTIONS, "").trim();
        return options.isEmpty() ? List.of() : List.of(options.split(" +"));
    }

    private static Path created(Path directory) {
        try {
            return Files.createDirectories(directory).toAbsolutePath();
        } catch (IOException e) {
            throw new IllegalStateException("Cannot create the directory " + directory + " for DynamoDB Local", e);
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

    /** The line that the server writes when it listens; empty if it ends before that. */
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
        return new IllegalStateException(what + "; its error output:" + System.lineSeparator() + errors.text(), cause);
    }
}
