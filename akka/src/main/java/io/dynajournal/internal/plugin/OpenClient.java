package io.dynajournal.internal.plugin;

import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.EmbeddedServer;
import io.dynajournal.internal.dynamo.TableAdmin;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.settings.ClientConfig;
import io.dynajournal.internal.settings.TablePolicy;
import io.dynajournal.listener.Lane;
import io.dynajournal.listener.RequestListener;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbServiceClientConfiguration;

/** An AWS client with its settings, shared by all plugins that name the same block. Thread-safe. */
final class OpenClient {

    private final ClientConfig config;
    private final AwsClient client;
    private final Dynamo dynamo;
    private final Dynamo queries;

    private OpenClient(ClientConfig config, AwsClient client, RequestListener listener) {
        this.config = config;
        this.client = client;
        this.dynamo = new Dynamo(client, config.retry(), listener, Clock.systemUTC(), config.groupCommit());
        this.queries = dynamo.in(Lane.QUERY);
    }

    /**
     * May block for seconds, while the embedded server starts or the SDK looks for its region.
     *
     * @param given the application's own client, or null to create one
     */
    static OpenClient open(ClientConfig config, @Nullable DynamoDbAsyncClient given, RequestListener listener) {
        return given == null
                ? new OpenClient(config, Clients.connect(settings(config)), listener)
                : new OpenClient(config, AwsClient.of(given, config.settings()), listener);
    }

    private static ClientSettings settings(ClientConfig config) {
        return config.embedded()
                ? config.settingsAt(
                        embedded(config, EmbeddedServer.class.getClassLoader()).start(config.embeddedDir()))
                : config.settings();
    }

    /** @throws SettingsException if the embedded server is not on the class path */
    static EmbeddedServer embedded(ClientConfig config, ClassLoader loader) {
        return ServiceLoader.load(EmbeddedServer.class, loader)
                .findFirst()
                .orElseThrow(() -> SettingsException.of(
                        config.path() + ".endpoint",
                        "\"embedded\" without the embedded server",
                        "io.dynajournal:dynajournal-local on the class path, or another endpoint"));
    }

    DynamoDbAsyncClient client() {
        return client.sdk();
    }

    Dynamo dynamo() {
        return dynamo;
    }

    /** The same operations with the reads of queries, which go after those of recoveries. */
    Dynamo queries() {
        return queries;
    }

    ClientConfig config() {
        return config;
    }

    TableAdmin tables() {
        return dynamo.tables();
    }

    /** Where the requests go, for messages: the endpoint and the region. */
    String target() {
        DynamoDbServiceClientConfiguration sdk = client.sdk().serviceClientConfiguration();
        String region = sdk.region() == null ? "" : "region " + sdk.region();
        return sdk.endpointOverride()
                .map(URI::toString)
                .map(endpoint -> "endpoint " + endpoint + (region.isEmpty() ? "" : ", " + region))
                .orElse(region);
    }

    /** The HTTP client in use, for messages. */
    String httpClient() {
        return client.httpClient();
    }

    /** Chooses the layout whose key the table has. */
    <L> CompletionStage<L> layout(List<L> layouts, Function<L, TableSpec> table) {
        if (layouts.size() == 1) {
            return CompletableFuture.completedFuture(layouts.get(0));
        }
        List<TableSpec> specs = layouts.stream().map(table).toList();
        return tables().withExistingKey(specs).thenApply(found -> layouts.get(specs.indexOf(found)));
    }

    /**
     * Creates and checks the table as the plugin's settings ask for.
     *
     * @param table what is created
     * @param required what must exist
     */
    CompletionStage<Void> prepare(TableSpec table, TableSpec required, TablePolicy policy) {
        // A table is checked even after it was created: it may have existed before, in another shape.
        CompletionStage<Void> created =
                policy.creates(config.embedded()) ? create(table) : CompletableFuture.completedFuture(null);
        return policy.check() ? created.thenCompose(done -> verify(required)) : created;
    }

    CompletionStage<Void> create(TableSpec table) {
        return explained("Table " + table.name() + " could not be created", () -> tables().create(table));
    }

    CompletionStage<Void> recreate(TableSpec table) {
        return explained("Table " + table.name() + " could not be deleted", () -> tables().delete(table.name()))
                .thenCompose(deleted -> create(table));
    }

    private CompletionStage<Void> verify(TableSpec table) {
        return explained("Table " + table.name() + " could not be checked", () -> tables().verify(table));
    }

    /** @param table what the commands create that a message about a missing table has */
    CompletionStage<Void> verify(TableSpec required, TableSpec table) {
        String options = config.settings().awsOptions();
        return explained(
                "Table " + table.name() + " could not be checked", () -> tables().verify(required, table, options));
    }

    /** Whether the table removes expired items. */
    CompletionStage<Boolean> removesExpiredItems(TableSpec table) {
        return tables().removesExpiredItems(table);
    }

    private CompletionStage<Void> explained(String what, Supplier<CompletionStage<Void>> operation) {
        CompletionStage<Void> stage;
        try {
            stage = operation.get();
        } catch (RuntimeException e) {
            stage = CompletableFuture.failedFuture(e);
        }
        return stage.exceptionallyCompose(
                failure -> CompletableFuture.failedFuture(StartFailures.explained(config, target(), what, failure)));
    }

    /** Returns immediately: the SDK waits some seconds for its threads, and the actor system must not wait for it. */
    void close() {
        Thread closing = new Thread(client::close, "dynajournal-close");
        closing.setDaemon(true);
        closing.start();
    }
}
