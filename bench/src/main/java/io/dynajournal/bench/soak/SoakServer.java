package io.dynajournal.bench.soak;

import io.dynajournal.local.DynamoLocal;
import java.net.URI;
import java.nio.file.Path;

/** DynamoDB Local with its tables in a directory, at one port however often it is killed. */
final class SoakServer implements AutoCloseable {

    private final DynamoLocal.Options options;
    private DynamoLocal server;

    SoakServer(Path directory) {
        this.server = DynamoLocal.start(DynamoLocal.Options.on(directory));
        this.options =
                DynamoLocal.Options.on(directory).withPort(server.endpoint().getPort());
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
