package io.dynajournal.internal.plugin;

import com.typesafe.config.Config;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.settings.ClientConfig;
import io.dynajournal.internal.settings.RootBlock;
import io.dynajournal.listener.RequestListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * The AWS clients of one actor system, one per client block. They are closed with the actor system, except those that the
 * application passed. Thread-safe.
 */
final class SharedClients {

    private final Config root;
    private final Map<String, DynamoDbAsyncClient> given;
    private final RequestListener listener;
    private final ConcurrentHashMap<String, OpenClient> clients = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * @param root all settings of the actor system
     * @param given the application's own clients by the path of their block
     */
    SharedClients(Config root, Map<String, DynamoDbAsyncClient> given, RequestListener listener) {
        this.root = root;
        this.given = given;
        this.listener = listener;
    }

    /**
     * The client of a path, created from the native block of this path if no plugin has created it yet. May block for
     * seconds.
     *
     * @throws SettingsException if the block is wrong
     */
    OpenClient get(String path) {
        OpenClient client = clients.get(path);
        return client == null ? get(ClientConfig.of(root, path)) : client;
    }

    /**
     * The client with these settings, created if it does not exist yet. May block for seconds.
     *
     * @throws SettingsException if {@code dynajournal} has an unknown key, or a client was passed for an unknown block
     */
    OpenClient get(ClientConfig config) {
        RootBlock.check(root);
        given.keySet().forEach(path -> ClientConfig.checkPath(root, path));
        OpenClient client =
                clients.computeIfAbsent(config.path(), path -> OpenClient.open(config, given.get(path), listener));
        if (closed) {
            close(); // created after all others were closed
        }
        return client;
    }

    /** Whether the actor system has ended, so that requests fail. */
    boolean areClosed() {
        return closed;
    }

    void close() {
        closed = true;
        clients.values().forEach(OpenClient::close);
    }
}
