package io.dynajournal.projection;

import akka.actor.BootstrapSetup;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.DynajournalSetup;
import io.dynajournal.Tables;
import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.internal.projections.ProjectionOffsets;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.local.EmbeddedDynamoLocal;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.FaultProxy;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** An offset table, a read model and actor systems for a test. All tests of a JVM share one server. */
final class Fixture implements AfterEachCallback {

    private static final URI SERVER = new EmbeddedDynamoLocal().start(null);

    private static final DynamoDbAsyncClient CLIENT = DynamoDbAsyncClient.builder()
            .endpointOverride(SERVER)
            .region(Region.EU_CENTRAL_1)
            .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
            .build();

    private final List<akka.actor.ActorSystem> started = new CopyOnWriteArrayList<>();
    private final List<FaultProxy> proxies = new CopyOnWriteArrayList<>();

    /** Names that no other test uses. */
    final String offsets = "o_" + UUID.randomUUID();

    final String readModel = "m_" + UUID.randomUUID();
    final String entityType = "T" + UUID.randomUUID().toString().substring(0, 8);

    /** Persistence ids of the test's entity type in the slices from 0 on. */
    List<String> ids(int lastSlice, int count) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> entityType + "|" + i)
                .filter(id -> Slices.of(id) <= lastSlice)
                .limit(count)
                .toList();
    }

    static URI server() {
        return SERVER;
    }

    static DynamoDbAsyncClient client() {
        return CLIENT;
    }

    FaultProxy proxy() {
        FaultProxy proxy = FaultProxy.to(SERVER);
        proxies.add(proxy);
        return proxy;
    }

    ActorSystem<Void> start() {
        return start("");
    }

    /** The offsets through a proxy, everything else without it. */
    ActorSystem<Void> start(FaultProxy proxy) {
        return start(through(proxy));
    }

    static String through(FaultProxy proxy) {
        return """
                proxied = ${dynajournal.client}
                proxied { endpoint = "%s", retry { base-delay = 1 ms, max-delay = 20 ms } }
                dynajournal.projection { use-client = proxied, create-tables = on }
                """.formatted(proxy.endpoint());
    }

    ActorSystem<Void> start(String overrides) {
        return start(overrides, RequestListener.NONE);
    }

    ActorSystem<Void> start(String overrides, RequestListener listener) {
        return start(overrides, DynajournalSetup.create().withRequestListener(listener));
    }

    ActorSystem<Void> start(String overrides, DynajournalSetup setup) {
        String own = "dynajournal.projection.table = \"" + offsets + "\"\nlocal-host = \"" + SERVER.getHost()
                + "\"\nlocal-port = " + SERVER.getPort() + "\n";
        akka.actor.ActorSystem system = akka.actor.ActorSystem.create(
                "test",
                ActorSystemSetup.create(
                        BootstrapSetup.create(ConfigFactory.load(ConfigFactory.parseString(overrides)
                                .withFallback(ConfigFactory.parseString(own))
                                .withFallback(ConfigFactory.parseResources("projections.conf")))),
                        setup));
        started.add(system);
        return Adapter.toTyped(system);
    }

    /** Creates the offset table before a projection runs. */
    void createOffsets(ActorSystem<?> system) {
        Await.result(Tables.create(system, "dynajournal.projection"));
    }

    void createReadModel() {
        Await.result(CLIENT.createTable(table -> table.tableName(readModel)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(AttributeDefinition.builder()
                        .attributeName("id")
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .keySchema(KeySchemaElement.builder()
                        .attributeName("id")
                        .keyType(KeyType.HASH)
                        .build())));
    }

    /** Counts how often a sequence number of an entity took effect. */
    TransactWriteItem count(String persistenceId, long seqNr) {
        return TransactWriteItem.builder()
                .update(update -> update.tableName(readModel)
                        .key(Map.of("id", AttributeValue.fromS(persistenceId + "/" + seqNr)))
                        .updateExpression("ADD n :one")
                        .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1"))))
                .build();
    }

    /** How often each sequence number took effect, by {@code persistence id/sequence number}. */
    Map<String, Long> counts() {
        Map<String, Long> counts = new HashMap<>();
        scan(readModel)
                .forEach(item -> counts.put(
                        item.getOrDefault("id", AttributeValue.fromNul(true)).s(), number(item, "n")));
        return counts;
    }

    static long number(Map<String, AttributeValue> item, String name) {
        return Long.parseLong(
                item.getOrDefault(name, AttributeValue.fromNul(true)).n());
    }

    List<Map<String, AttributeValue>> scan(String table) {
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        CLIENT.scanPaginator(scan -> scan.tableName(table).consistentRead(true))
                .items()
                .subscribe(items::add)
                .join();
        return items;
    }

    /** An item of the offset table; empty if there is none. */
    Map<String, AttributeValue> offset(String projection, int slice, String pid) {
        return Await.result(CLIENT.getItem(get -> get.tableName(offsets)
                        .consistentRead(true)
                        .key(Map.of(
                                "name_slice", AttributeValue.fromS(projection + "-" + slice),
                                "pid", AttributeValue.fromS(pid)))))
                .item();
    }

    void deleteOffset(String projection, int slice, String pid) {
        Await.result(CLIENT.deleteItem(delete -> delete.tableName(offsets)
                .key(Map.of(
                        "name_slice", AttributeValue.fromS(projection + "-" + slice),
                        "pid", AttributeValue.fromS(pid)))));
    }

    void putOffset(Map<String, AttributeValue> item) {
        Await.result(CLIENT.putItem(put -> put.tableName(offsets).item(item)));
    }

    /** Sets the offset of all slices as the command line does, while instances may run. */
    void setOffset(String projection, long micros) {
        AwsClient client = Clients.connect(ClientSettings.forEndpoint(SERVER));
        Dynamo dynamo = new Dynamo(client, RetrySettings.DEFAULTS, RequestListener.NONE, Clock.systemUTC());
        Await.result(new ProjectionOffsets(dynamo, offsets, projection).set(micros));
        client.close();
    }

    void stop(ActorSystem<?> system) {
        system.terminate();
        system.getWhenTerminated()
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        started.forEach(akka.actor.ActorSystem::terminate);
        started.forEach(system -> system.getWhenTerminated()
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join());
        proxies.forEach(FaultProxy::close);
    }
}
