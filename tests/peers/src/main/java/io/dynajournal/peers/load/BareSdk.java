package io.dynajournal.peers.load;

import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.ClientSettings.HttpClientChoice;
import io.dynajournal.internal.dynamo.Clients;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * The baseline: conditional puts of items like those of the native layout, by the AWS client as Dynajournal configures it,
 * without toolkit and plugin. Arguments: endpoint, table. The system property {@code load.http-client} selects the HTTP client.
 */
final class BareSdk implements Load {

    /** With more entities than connections a put may wait for a connection until it times out; Dynajournal retries too. */
    private static final int ATTEMPTS = 5;

    private static final int THREADS = 8;

    private static final long TIMESTAMP = 1_794_700_800_000_123L;

    /** The SDK prepares a request on the calling thread, which must not delay the arrivals. */
    private final Executor threads = Executors.newFixedThreadPool(THREADS);

    private final DynamoDbAsyncClient client;
    private final String table;
    private final Map<String, Integer> groups = new HashMap<>();

    private BareSdk(DynamoDbAsyncClient client, String table) {
        this.client = client;
        this.table = table;
    }

    public static void main(String[] args) throws Exception {
        ClientSettings settings =
                settings(URI.create(args[0]), HttpClientChoice.valueOf(System.getProperty("load.http-client", "AUTO")));
        Commands.serve(() -> new BareSdk(Clients.open(settings), args[1]));
    }

    private static ClientSettings settings(URI endpoint, HttpClientChoice httpClient) {
        ClientSettings usual = ClientSettings.forEndpoint(endpoint);
        return new ClientSettings(
                usual.region(),
                usual.endpoint(),
                usual.credentials(),
                usual.allowPlainHttp(),
                usual.maxConcurrency(),
                usual.connectTimeout(),
                usual.connectionAcquisitionTimeout(),
                usual.idleTimeout(),
                usual.flowControl(),
                ClientSettings.Tuning.of(httpClient, false));
    }

    @Override
    public void start(String group, int entities, Measurement measurement) {
        groups.put(group, entities);
        for (int i = 0; i < entities; i++) {
            measurement.done(System.nanoTime(), 0);
        }
    }

    @Override
    public void stop(String group, Measurement measurement) {
        groups.remove(group);
        measurement.done(System.nanoTime(), 0);
    }

    @Override
    public int running(String group) {
        return groups.getOrDefault(group, 0);
    }

    @Override
    public void write(String group, Write write, Measurement measurement) {
        if (!write.how().equals("persist")) {
            throw new IllegalArgumentException("only single puts, not " + write.how());
        }
        for (int number = 0; number < running(group); number++) {
            put(LoadMain.id(group, number), 1, write, measurement, System.nanoTime(), ATTEMPTS);
        }
    }

    private void put(String id, int seqNr, Write write, Measurement measurement, long since, int attempts) {
        put(request(id, seqNr, write.bytes()), attempts, measurement::fail, () -> {
            measurement.done(since, 1);
            if (seqNr < write.times()) {
                put(id, seqNr + 1, write, measurement, System.nanoTime(), ATTEMPTS);
            }
        });
    }

    private void put(PutItemRequest request, int attempts, Consumer<Throwable> onFailure, Runnable onSuccess) {
        client.putItem(request).whenComplete((put, failure) -> {
            if (failure == null) {
                onSuccess.run();
            } else if (attempts > 1) {
                put(request, attempts - 1, onFailure, onSuccess);
            } else {
                onFailure.accept(failure);
            }
        });
    }

    @Override
    public CompletableFuture<String> persistAtRate(String group, Rate rate) {
        return rate.begin(
                        running(group),
                        (loop, entity, index) -> threads.execute(() -> put(
                                request(LoadMain.id(group, entity), index + 1, rate.bytes()),
                                ATTEMPTS,
                                loop::fail,
                                () -> loop.done(index))))
                .result();
    }

    private PutItemRequest request(String id, int seqNr, int bytes) {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put("pid", AttributeValue.fromS(id));
        item.put("seq", AttributeValue.fromN(Integer.toString(seqNr)));
        item.put("ts", AttributeValue.fromN(Long.toString(TIMESTAMP + seqNr)));
        item.put("pv", AttributeValue.fromN(Long.toString(TIMESTAMP + seqNr - 1)));
        item.put("w", AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(new byte[16])));
        item.put("ix", AttributeValue.fromS("#16#7"));
        item.put("ev", AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(Payloads.of(bytes, seqNr))));
        return PutItemRequest.builder()
                .tableName(table)
                .item(item)
                .conditionExpression("attribute_not_exists(pid)")
                .returnValuesOnConditionCheckFailure("ALL_OLD")
                .build();
    }

    @Override
    public void snapshot(String group, int bytes, Measurement measurement) {
        throw new IllegalArgumentException("no snapshots");
    }
}
