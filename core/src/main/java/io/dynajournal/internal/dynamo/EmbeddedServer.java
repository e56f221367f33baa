package io.dynajournal.internal.dynamo;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A DynamoDB server for development, started on demand by {@code endpoint = "embedded"}. Found with {@link
 * java.util.ServiceLoader}; the module {@code dynajournal-local} has the implementation.
 */
public interface EmbeddedServer {

    /**
     * Starts the server of this JVM for a directory, or for memory, and gives its loopback endpoint. Repeated calls with
     * the same argument give the server that runs already. It ends with this JVM.
     *
     * @param directory where the tables are kept, or null to keep them in memory
     * @throws IllegalStateException if it cannot be started; the message says what to do
     */
    URI start(@Nullable Path directory);
}
