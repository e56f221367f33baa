package io.dynajournal;

import io.dynajournal.dynamo.AwsClient;
import io.dynajournal.dynamo.ClientSettings;
import io.dynajournal.dynamo.Clients;
import io.dynajournal.dynamo.Dynamo;
import io.dynajournal.dynamo.EmbeddedServer;
import io.dynajournal.dynamo.RequestListener;
import io.dynajournal.dynamo.TableAdmin;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.settings.ClientConfig;
import io.dynajournal.settings.SettingsException;
import io.dynajournal.settings.TablePolicy;
import io.dynajournal.store.StoreException;
import io.dynajournal.toolkit.Stages;
import java.time.Clock;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** A client with its settings, shared by all plugins that name them. */
final class OpenClient {

    private final ClientConfig config;
    private final AwsClient client;
    private final Dynamo dynamo;

    private OpenClient(ClientConfig config, AwsClient client, RequestListener listener) {
        this.config = config;
        this.client = client;
        this.dynamo = new Dynamo(client, config.retry(), listener, Clock.systemUTC(), config.insertsAtOnce());
    }

    /**
     * May take seconds: the embedded server starts, or the SDK looks for its region.
     *
     * @param given the user's own client, or null to make one
     */
    static OpenClient open(ClientConfig config, @Nullable DynamoDbAsyncClient given, RequestListener listener) {
        return new OpenClient(
                config, given == null ? Clients.connect(settings(config)) : AwsClient.of(given), listener);
    }

    private static ClientSettings settings(ClientConfig config) {
        if (!config.embedded()) {
            return config.settings();
        }
        return config.settingsAt(
                embedded(config, EmbeddedServer.class.getClassLoader()).start(config.embeddedDir()));
    }

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

    TableAdmin tables() {
        return new TableAdmin(client.sdk());
    }

    /** Of several layouts for one table, the one whose key the table has. */
    <L> CompletionStage<L> layout(List<L> layouts, Function<L, TableSpec> table) {
        if (layouts.size() == 1) {
            return CompletableFuture.completedFuture(layouts.get(0));
        }
        List<TableSpec> specs = layouts.stream().map(table).toList();
        return tables().keyed(specs).thenApply(found -> layouts.get(specs.indexOf(found)));
    }

    /**
     * Creates and checks the table as the plugin's settings say.
     *
     * @param table what is created
     * @param required what must be there
     */
    CompletionStage<Void> prepare(TableSpec table, TableSpec required, TablePolicy policy) {
        // A new table is compared too: it may have been there before, in another shape.
        CompletionStage<Void> there =
                policy.creates(config.embedded()) ? create(table) : CompletableFuture.completedFuture(null);
        return policy.check() ? there.thenCompose(made -> tables().verify(required)) : there;
    }

    CompletionStage<Void> create(TableSpec table) {
        return named(tables().create(table), "created", table);
    }

    CompletionStage<Void> recreate(TableSpec table) {
        return named(tables().delete(table.name()), "deleted", table).thenCompose(gone -> create(table));
    }

    private static CompletionStage<Void> named(CompletionStage<Void> stage, String what, TableSpec table) {
        return stage.handle((done, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.<Void>completedFuture(null);
                    }
                    Throwable cause = Stages.unwrap(failure);
                    return CompletableFuture.<Void>failedFuture(
                            cause instanceof StoreException
                                    ? cause
                                    : new StoreException.Unavailable(
                                            "Table " + table.name() + " could not be " + what + ": "
                                                    + cause.getMessage(),
                                            cause));
                })
                .thenCompose(outcome -> outcome);
    }

    /** Returns at once: the SDK waits some seconds for its threads, and the actor system must not wait with it. */
    void close() {
        Thread closing = new Thread(client::close, "dynajournal-close");
        closing.setDaemon(true);
        closing.start();
    }
}
