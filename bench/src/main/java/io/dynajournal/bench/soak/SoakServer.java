package io.dynajournal.bench.soak;

import io.dynajournal.local.DynamoLocal;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/** DynamoDB Local with its tables in a directory, at one port however often it is killed. */
final class SoakServer implements AutoCloseable {

    /** On a busy machine a start takes much longer than the usual seconds, and the run is about what happens meanwhile. */
    private static final Duration START_TIMEOUT = Duration.ofMinutes(3);

    private final DynamoLocal.Options options;
    private DynamoLocal server;

    SoakServer(Path directory) {
        DynamoLocal.Options patient = DynamoLocal.Options.on(directory).withStartTimeout(START_TIMEOUT);
        this.server = DynamoLocal.start(patient);
        this.options = patient.withPort(server.endpoint().getPort());
    }

    URI endpoint() {
        return server.endpoint();
    }

    void killAndStart() {
        ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
        process.destroyForcibly();
        process.onExit().join();
        server = DynamoLocal.start(options);
    }

    @Override
    public void close() {
        server.close();
    }
}
