package io.dynajournal;

import akka.actor.setup.Setup;
import io.dynajournal.dynamo.RequestListener;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * What an application gives to Dynajournal in code, when it makes its actor system: {@code
 * ActorSystemSetup.create(BootstrapSetup.create(config), DynajournalSetup.create().withClient(...))}. Immutable.
 */
public final class DynajournalSetup extends Setup {

    private final Map<String, DynamoDbAsyncClient> clients;
    private final RequestListener listener;
    private final QueryListener queryListener;

    private DynajournalSetup(
            Map<String, DynamoDbAsyncClient> clients, RequestListener listener, QueryListener queryListener) {
        this.clients = Map.copyOf(clients);
        this.listener = listener;
        this.queryListener = queryListener;
    }

    public static DynajournalSetup create() {
        return new DynajournalSetup(Map.of(), RequestListener.NONE, QueryListener.NONE);
    }

    /**
     * Uses this client where a plugin's {@code use-client} names the path, such as {@code dynajournal.client}. The block
     * must be there, because its time-outs and retry still count; the client should not retry by itself. Whoever made the
     * client closes it, after the actor system.
     */
    public DynajournalSetup withClient(String clientPath, DynamoDbAsyncClient client) {
        Map<String, DynamoDbAsyncClient> more = new HashMap<>(clients);
        more.put(clientPath, client);
        return new DynajournalSetup(more, listener, queryListener);
    }

    /** Tells the listener of every request of all plugins, for metrics. */
    public DynajournalSetup withRequestListener(RequestListener requestListener) {
        return new DynajournalSetup(clients, requestListener, queryListener);
    }

    /** Tells the listener how far queries are, for metrics. */
    public DynajournalSetup withQueryListener(QueryListener listenerOfQueries) {
        return new DynajournalSetup(clients, listener, listenerOfQueries);
    }

    Map<String, DynamoDbAsyncClient> clients() {
        return clients;
    }

    RequestListener listener() {
        return listener;
    }

    QueryListener queryListener() {
        return queryListener;
    }
}
