package io.dynajournal.testkit;

import io.dynajournal.dynamo.AwsClient;
import io.dynajournal.dynamo.ClientSettings;
import io.dynajournal.dynamo.Clients;
import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.RequestListener;
import io.dynajournal.dynamo.RetrySettings;
import io.dynajournal.dynamo.TableAdmin;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.local.EmbeddedDynamoLocal;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * A DynamoDB for a test class: the one at {@code DYNAMODB_ENDPOINT} if that is set, else DynamoDB Local in a JVM of its
 * own, one for all test classes of this JVM. Register it in a static field, or in an instance field of a class with one
 * instance. Proxies and their clients end with the test, tables with the class.
 *
 * <p>A test fails in the end if it scripted a fault that no request met.
 */
public final class LocalDynamo implements AfterEachCallback, AfterAllCallback {

    /** So long that no slow machine makes a difference, with short waits between attempts. */
    public static final RetrySettings PATIENT = new RetrySettings(
            Duration.ofSeconds(60), Duration.ofSeconds(30), Duration.ofMillis(5), Duration.ofMillis(50));

    private final URI endpoint;
    private final AwsClient client;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<String> tables = new ArrayList<>();
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final List<AwsClient> proxied = new ArrayList<>();

    public LocalDynamo() {
        String given = System.getenv("DYNAMODB_ENDPOINT");
        this.endpoint = given == null || given.isBlank() ? new EmbeddedDynamoLocal().start(null) : URI.create(given);
        this.client = Clients.connect(ClientSettings.forEndpoint(endpoint));
    }

    public URI endpoint() {
        return endpoint;
    }

    /** A client for what tests do behind our back; closed with the class. */
    public DynamoDbAsyncClient client() {
        return client.sdk();
    }

    public Dynamo open(RequestListener listener) {
        return new Dynamo(client, PATIENT, listener, Clock.systemUTC());
    }

    /** A new proxy; closed with the test. */
    public FaultProxy proxy() {
        FaultProxy proxy = FaultProxy.to(endpoint, http);
        proxies.add(proxy);
        return proxy;
    }

    public Dynamo open(FaultProxy proxy, RetrySettings retry, RequestListener listener) {
        return open(proxy, retry, listener, 0);
    }

    /** So many requests with inserts are on the way, and what is more waits for company; 0 for no groups. */
    public Dynamo open(FaultProxy proxy, RetrySettings retry, RequestListener listener, int insertsAtOnce) {
        AwsClient through = Clients.connect(ClientSettings.forEndpoint(proxy.endpoint()));
        proxied.add(through);
        return new Dynamo(through, retry, listener, Clock.systemUTC(), insertsAtOnce);
    }

    /** A table name nobody has. */
    public String freshTable() {
        String name = "testkit_" + UUID.randomUUID();
        tables.add(name);
        return name;
    }

    public void create(TableSpec spec) {
        Await.result(new TableAdmin(client.sdk()).create(spec));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        try {
            if (context.getExecutionException().isEmpty()) {
                proxies.forEach(FaultProxy::assertScriptMet);
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
        client.close();
    }
}
