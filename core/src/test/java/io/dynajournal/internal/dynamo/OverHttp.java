package io.dynajournal.internal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynajournal.listener.RequestListener;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** A server that answers by a script, and clients of it. */
final class OverHttp implements AutoCloseable {

    static final Map<String, AttributeValue> KEY = Map.of("pid", AttributeValue.fromS("cart-7"));

    final ScriptedServer server = new ScriptedServer();
    private final List<AwsClient> clients = new ArrayList<>();

    AwsClient client(ClientSettings.HttpClientChoice choice, int maxConcurrency) {
        AwsClient client = Clients.connect(ClientSettings.forEndpoint(server.endpoint())
                .withMaxConcurrency(maxConcurrency)
                .withTuning(ClientSettings.Tuning.of(choice, false)));
        clients.add(client);
        return client;
    }

    Dynamo open(RetrySettings retry, RequestListener listener) {
        return new Dynamo(client(ClientSettings.HttpClientChoice.AUTO, 10), retry, listener, Clock.systemUTC());
    }

    Dynamo open(RetrySettings retry) {
        return open(retry, RequestListener.NONE);
    }

    static RetrySettings retry(long callMillis, long attemptMillis) {
        return new RetrySettings(
                Duration.ofMillis(callMillis),
                Duration.ofMillis(attemptMillis),
                Duration.ofMillis(1),
                Duration.ofMillis(5));
    }

    static RetrySettings retry(long callMillis, long attemptMillis, int maxAttempts) {
        RetrySettings retry = retry(callMillis, attemptMillis);
        return new RetrySettings(
                retry.callTimeout(), retry.callAttemptTimeout(), retry.baseDelay(), retry.maxDelay(), maxAttempts);
    }

    static CompletionStage<?> insert(Dynamo dynamo, int number) {
        return dynamo.insert(
                "events", Item.create().text("pid", "cart-" + number).number("seq", 12), "pid", "seq");
    }

    static CompletionStage<ItemPage> query(Dynamo dynamo) {
        return dynamo.query(QueryRequest.builder()
                .tableName("events")
                .keyConditionExpression("pid = :pid")
                .expressionAttributeValues(Map.of(":pid", AttributeValue.fromS("cart-7"))));
    }

    static <T> T result(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    static <E extends Throwable> E failure(CompletionStage<?> stage, Class<E> type) {
        Throwable failure =
                Objects.requireNonNull(catchThrowable(() -> result(stage)).getCause());
        assertThat(failure).isInstanceOf(type);
        return type.cast(failure);
    }

    List<AwsClient> clients() {
        return clients;
    }

    List<String> operations() {
        return server.operations();
    }

    @Override
    public void close() {
        clients.forEach(AwsClient::close);
        server.close();
    }
}
