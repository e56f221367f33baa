package io.dynajournal;

import akka.actor.setup.Setup;
import io.dynajournal.listener.DynajournalListener;
import io.dynajournal.listener.ProjectionListener;
import io.dynajournal.listener.QueryListener;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.listener.TraceContexts;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * What an application passes to Dynajournal in code when it creates its actor system: {@code
 * ActorSystemSetup.create(BootstrapSetup.create(config), DynajournalSetup.create().withClient(...))}. Immutable.
 */
public final class DynajournalSetup extends Setup {

    private final Map<String, DynamoDbAsyncClient> clients;
    private final RequestListener listener;
    private final QueryListener queryListener;
    private final ProjectionListener projectionListener;
    private final TraceContexts traceContexts;

    private DynajournalSetup(
            Map<String, DynamoDbAsyncClient> clients,
            RequestListener listener,
            QueryListener queryListener,
            ProjectionListener projectionListener,
            TraceContexts traceContexts) {
        this.clients = Map.copyOf(clients);
        this.listener = listener;
        this.queryListener = queryListener;
        this.projectionListener = projectionListener;
        this.traceContexts = traceContexts;
    }

    /** A setup without clients and listeners. */
    public static DynajournalSetup create() {
        return new DynajournalSetup(
                Map.of(), RequestListener.NONE, QueryListener.NONE, ProjectionListener.NONE, TraceContexts.NONE);
    }

    /**
     * Uses this client for all plugins whose {@code use-client} names the path, such as {@code dynajournal.client}. The
     * block must exist, because its timeouts and retry settings still apply; the client should not retry by itself. The
     * application closes the client after the actor system has terminated.
     */
    public DynajournalSetup withClient(String clientPath, DynamoDbAsyncClient client) {
        Map<String, DynamoDbAsyncClient> more = new HashMap<>(clients);
        more.put(clientPath, client);
        return new DynajournalSetup(more, listener, queryListener, projectionListener, traceContexts);
    }

    /** Reports requests, queries and projections to one listener, such as that of {@code dynajournal-micrometer}. */
    public DynajournalSetup withListener(DynajournalListener everything) {
        return new DynajournalSetup(clients, everything, everything, everything, traceContexts);
    }

    /** Reports every request of all plugins to the listener, for metrics. */
    public DynajournalSetup withRequestListener(RequestListener requestListener) {
        return new DynajournalSetup(clients, requestListener, queryListener, projectionListener, traceContexts);
    }

    /** Reports the progress of queries to the listener, for metrics. */
    public DynajournalSetup withQueryListener(QueryListener progressListener) {
        return new DynajournalSetup(clients, listener, progressListener, projectionListener, traceContexts);
    }

    /** Reports the progress and the lag of projections to the listener, for metrics. */
    public DynajournalSetup withProjectionListener(ProjectionListener statusListener) {
        return new DynajournalSetup(clients, listener, queryListener, statusListener, traceContexts);
    }

    /**
     * Stores the trace context of each write with its events, and restores it while a projection handles them. It makes each event
     * about 80 bytes larger, more with baggage. It is off by default.
     */
    public DynajournalSetup withTraceContexts(TraceContexts contexts) {
        return new DynajournalSetup(clients, listener, queryListener, projectionListener, contexts);
    }

    /** The clients by the path of their block. */
    public Map<String, DynamoDbAsyncClient> clients() {
        return clients;
    }

    /** The listener of requests; {@link RequestListener#NONE} if none was passed. */
    public RequestListener listener() {
        return listener;
    }

    /** The listener of queries; {@link QueryListener#NONE} if none was passed. */
    public QueryListener queryListener() {
        return queryListener;
    }

    /** The listener of projections; {@link ProjectionListener#NONE} if none was passed. */
    public ProjectionListener projectionListener() {
        return projectionListener;
    }

    /** The trace contexts of events; {@link TraceContexts#NONE} if none were passed. */
    public TraceContexts traceContexts() {
        return traceContexts;
    }
}
