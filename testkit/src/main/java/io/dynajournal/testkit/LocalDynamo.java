package io.dynajournal.testkit;

import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.dynamo.TableAdmin;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.local.EmbeddedDynamoLocal;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * A DynamoDB server for a test class: the one at {@code DYNAMODB_ENDPOINT} if that is set, otherwise DynamoDB Local in its
 * own JVM, shared by all test classes of this JVM. Register it with {@code @RegisterExtension} in a static field, or in an
 * instance field of a class with {@code Lifecycle.PER_CLASS}. Proxies and their clients are closed after each test, tables are
 * deleted after the class.
 *
 * <p>A test fails at its end if a fault that it scripted was never used.
 */
public final class LocalDynamo implements AfterEachCallback, AfterAllCallback {

    /** Timeouts that a slow machine does not exceed, and short waits between attempts. */
    public static final RetrySettings PATIENT = new RetrySettings(
            Duration.ofSeconds(60), Duration.ofSeconds(30), Duration.ofMillis(5), Duration.ofMillis(50));

    private final URI endpoint;
    private final AwsClient client;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<String> tables = new ArrayList<>();
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final List<AwsClient> proxied = new ArrayList<>();
    private final Map<String, TableSpec> specs = new ConcurrentHashMap<>();
    private final List<FaultProxy> measuring = new ArrayList<>();
    private final Map<CostMeter, AwsClient> measured = new HashMap<>();

    public LocalDynamo() {
        String given = System.getenv("DYNAMODB_ENDPOINT");
        this.endpoint = given == null || given.isBlank() ? new EmbeddedDynamoLocal().start(null) : URI.create(given);
        this.client = Clients.connect(ClientSettings.forEndpoint(endpoint));
    }

    public URI endpoint() {
        return endpoint;
    }

    /** A client for requests of the test itself; closed after the class. */
    public DynamoDbAsyncClient client() {
        return client.sdk();
    }

    public Dynamo open(RequestListener listener) {
        return new Dynamo(client, PATIENT, listener, Clock.systemUTC());
    }

    /** Opens a client whose requests the meter measures; closed after the class. */
    public Dynamo open(CostMeter meter) {
        AwsClient through = measured.computeIfAbsent(meter, this::measuredClient);
        return new Dynamo(through, PATIENT, CostMeter.WITH_CAPACITY, Clock.systemUTC());
    }

    private AwsClient measuredClient(CostMeter meter) {
        FaultProxy proxy = FaultProxy.to(endpoint, http, specs::get).measure(meter);
        measuring.add(proxy);
        return Clients.connect(ClientSettings.forEndpoint(proxy.endpoint()));
    }

    /** A new proxy; closed after the test. */
    public FaultProxy proxy() {
        FaultProxy proxy = FaultProxy.to(endpoint, http, specs::get);
        proxies.add(proxy);
        return proxy;
    }

    public Dynamo open(FaultProxy proxy, RetrySettings retry, RequestListener listener) {
        AwsClient through = Clients.connect(ClientSettings.forEndpoint(proxy.endpoint()));
        proxied.add(through);
        return new Dynamo(through, retry, listener, Clock.systemUTC());
    }

    /**
     * With group commit.
     *
     * @param maxConcurrency maximum number of requests in flight; further inserts are sent together
     */
    public Dynamo open(FaultProxy proxy, RetrySettings retry, RequestListener listener, int maxConcurrency) {
        AwsClient through =
                Clients.connect(ClientSettings.forEndpoint(proxy.endpoint()).withMaxConcurrency(maxConcurrency));
        proxied.add(through);
        return new Dynamo(through, retry, listener, Clock.systemUTC(), true);
    }

    /** A new table name. The table is deleted after the class. */
    public String freshTable() {
        String name = "testkit_" + UUID.randomUUID();
        tables.add(name);
        return name;
    }

    /** Creates a table and waits until it can be used. */
    public void create(TableSpec spec) {
        specs.put(spec.name(), spec);
        Await.result(new TableAdmin(client.sdk()).create(spec));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        try {
            if (context.getExecutionException().isEmpty()) {
                proxies.forEach(FaultProxy::assertScriptUsed);
            }
        } finally {
            proxied.forEach(AwsClient::close);
            proxies.forEach(FaultProxy::close);
            proxied.clear();
            proxies.clear();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        TableAdmin admin = new TableAdmin(client.sdk());
        tables.forEach(table -> Await.result(admin.delete(table)));
        measured.values().forEach(AwsClient::close);
        measuring.forEach(FaultProxy::close);
        client.close();
    }
}
