package io.dynajournal.local;

import io.dynajournal.internal.dynamo.EmbeddedServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The server for {@code endpoint = "embedded"}: one per JVM and directory. A server that has ended is started again. */
public final class EmbeddedDynamoLocal implements EmbeddedServer {

    // Static, because each plugin of a JVM loads its own instance of this class and all must use one server.
    private static final ConcurrentMap<Optional<Path>, DynamoLocal> RUNNING = new ConcurrentHashMap<>();

    @Override
    public URI start(@Nullable Path directory) {
        Optional<Path> key = Optional.ofNullable(directory).map(EmbeddedDynamoLocal::real);
        return RUNNING.compute(key, (ignored, running) -> running != null && running.isAlive() ? running : start(key))
                .endpoint();
    }

    private static DynamoLocal start(Optional<Path> directory) {
        return directory.map(DynamoLocal::on).orElseGet(DynamoLocal::inMemory);
    }

    /** The real path, so that two spellings of a directory, or a link to it, use one server. */
    private static Path real(Path directory) {
        try {
            return Files.createDirectories(directory).toRealPath();
        } catch (IOException e) {
            throw new IllegalStateException("Cannot create the directory " + directory + " for DynamoDB Local", e);
        }
    }
}
