package io.dynajournal.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.testkit.Await;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementErrorCodeEnum;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** The simulated cloud, with the real CLIENT. */
class CloudServerTest {

    private static final Duration LATENCY = Duration.ofMillis(200);
    /** Two write units. */
    private static final int LARGE = 1_500;

    /** The throttle's clock stands still, so a key that is out of units stays so. */
    private static final CloudServer SERVER =
            new CloudServer(0, items -> LATENCY.toNanos(), Map.of("t", "p"), new PartitionThrottle(3), () -> 0);

    // One for all tests, because closing a client takes two seconds.
    private static final DynamoDbAsyncClient CLIENT = Clients.open(ClientSettings.forEndpoint(SERVER.endpoint()));

    private final String hot = "hot-" + UUID.randomUUID();
    private final String cold = "cold-" + UUID.randomUUID();

    @AfterAll
    static void close() {
        CLIENT.close();
        SERVER.close();
    }

    private static Map<String, AttributeValue> item(String key, int bytes) {
        return Map.of(
                "p",
                AttributeValue.fromS(key),
                "s",
                AttributeValue.fromN("1"),
                "b",
                AttributeValue.fromB(SdkBytes.fromByteArray(new byte[bytes])));
    }

    private CompletableFuture<?> put(String key, int bytes) {
        return CLIENT.putItem(put -> put.tableName("t").item(item(key, bytes)));
    }

    private static BatchStatementRequest insert(String key, int bytes) {
        return BatchStatementRequest.builder()
                .statement("INSERT INTO \"t\" VALUE {'s': ?, 'p': ?, 'b': ?}")
                .parameters(
                        AttributeValue.fromN("1"),
                        AttributeValue.fromS(key),
                        AttributeValue.fromB(SdkBytes.fromByteArray(new byte[bytes])))
                .build();
    }

    private static WriteRequest write(String key, int bytes) {
        return WriteRequest.builder()
                .putRequest(put -> put.item(item(key, bytes)))
                .build();
    }

    private static TransactWriteItem transactPut(String key, int bytes) {
        return TransactWriteItem.builder()
                .put(put -> put.tableName("t").item(item(key, bytes)))
                .build();
    }

    private static Throwable failure(CompletableFuture<?> request) {
        try {
            request.join();
        } catch (CompletionException e) {
            return Objects.requireNonNull(e.getCause());
        }
        throw new AssertionError("the request succeeded");
    }

    private static Duration time(Supplier<CompletableFuture<?>> request) {
        long begin = System.nanoTime();
        Await.result(request.get());
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    /** Leaves one unit to the key. */
    private void exhaust(String key) {
        Await.result(put(key, LARGE));
    }

    @Test
    void theLatenciesStartAnewWithASeed() throws Exception {
        try (CloudServer server =
                new CloudServer(0, items -> LATENCY.toNanos(), Map.of("t", "p"), new PartitionThrottle(3), () -> 0)) {
            HttpClient client = HttpClient.newHttpClient();
            HttpRequest request = HttpRequest.newBuilder(server.endpoint())
                    .header("X-Amz-Target", "DynamoDB_20120810.Query")
                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                    .build();
            client.send(request, HttpResponse.BodyHandlers.discarding());
            for (int turn = 0; turn < 2; turn++) {
                server.restartLatencies(7);
                LatencyModel expected = new LatencyModel(7);
                long beginOfTurn = System.nanoTime();
                for (int i = 0; i < 20; i++) {
                    long begin = System.nanoTime();
                    client.send(request, HttpResponse.BodyHandlers.discarding());
                    assertThat(System.nanoTime() - begin)
                            .as("turn %d, request %d", turn, i)
                            .isGreaterThanOrEqualTo(expected.nextNanos());
                }
                assertThat(System.nanoTime() - beginOfTurn).isLessThan(20 * LATENCY.toNanos());
            }
        }
    }

    @Test
    void latenciesHaveTheDocumentedPercentilesAndRepeatWithTheSeed() {
        LatencyModel model = new LatencyModel(7);
        double[] millis = IntStream.range(0, 200_000)
                .mapToDouble(i -> model.nextNanos() / 1e6)
                .sorted()
                .toArray();
        assertThat(millis[0]).isBetween(1.5, 1.7);
        assertThat(millis[100_000]).isBetween(3.95, 4.05);
        assertThat(millis[198_000]).isBetween(29.0, 31.0);
        assertThat(new LatencyModel(7).nextNanos())
                .isEqualTo(new LatencyModel(7).nextNanos())
                .isNotEqualTo(new LatencyModel(8).nextNanos());
    }

    @Test
    void aBatchTakesAsLongAsItsSlowestItem() {
        LatencyModel single = new LatencyModel(7);
        long slowest =
                IntStream.range(0, 25).mapToLong(i -> single.nextNanos()).max().orElseThrow();
        assertThat(new LatencyModel(7).nextNanos(25)).isEqualTo(slowest);
    }

    @Test
    void requestsAreAnsweredConcurrentlyAfterTheirLatency() {
        long before = SERVER.requests();
        assertThat(time(() -> put("first", 10))).isGreaterThanOrEqualTo(LATENCY);
        assertThat(time(() -> put("second", 10))).isGreaterThanOrEqualTo(LATENCY);
        int count = 50;
        assertThat(time(() -> CompletableFuture.allOf(IntStream.range(0, count)
                        .mapToObj(i -> put("k" + i, 10))
                        .toArray(CompletableFuture[]::new))))
                .isLessThan(LATENCY.multipliedBy(count / 2));
        assertThat(SERVER.requests() - before).isEqualTo(count + 2);
    }

    @Test
    void aLimitOfAllRequestsThrottlesReadsAndWrites() {
        SERVER.limitRequests(2);
        try {
            Await.result(put(cold, 10));
            Await.result(CLIENT.getItem(get -> get.tableName("t").key(Map.of("p", AttributeValue.fromS(cold)))));
            assertThat(failure(put(cold, 10))).isInstanceOf(ProvisionedThroughputExceededException.class);
        } finally {
            SERVER.limitRequests(Integer.MAX_VALUE);
        }
        Await.result(put(cold, 10));
    }

    @Test
    void aPartitionKeyHasAThousandUnitsPerSecondAndABurstOfOneSecond() {
        PartitionThrottle throttle = new PartitionThrottle(PartitionThrottle.UNITS_PER_SECOND);
        long second = Duration.ofSeconds(1).toNanos();
        int accepted = 0;
        for (int i = 0; i < 30_000; i++) {
            // 10,000 per second for 3 seconds.
            accepted += throttle.tryWrite("hot", 1, i * second / 10_000) ? 1 : 0;
            assertThat(throttle.tryWrite("cold" + i % 1_000, 1, i * second / 10_000))
                    .isTrue();
        }
        assertThat(accepted).isBetween(3_990, 4_010);
    }

    @Test
    void aThrottledPutFailsAndOtherKeysGoOn() {
        exhaust(hot);
        assertThat(failure(put(hot, LARGE))).isInstanceOf(ProvisionedThroughputExceededException.class);
        Await.result(put(cold, LARGE));
    }

    @Test
    void aBatchOfStatementsReportsThrottlingForEachStatement() {
        exhaust(hot);
        List<BatchStatementResponse> responses = Await.result(CLIENT.batchExecuteStatement(
                        batch -> batch.statements(insert(cold, 10), insert(hot, LARGE), insert(cold, 10))))
                .responses();
        assertThat(responses).hasSize(3);
        assertThat(responses.get(0).error()).isNull();
        assertThat(responses.get(1).error().code())
                .isEqualTo(BatchStatementErrorCodeEnum.PROVISIONED_THROUGHPUT_EXCEEDED);
        assertThat(responses.get(2).error()).isNull();
    }

    @Test
    void aBatchWriteReturnsThrottledItemsAsUnprocessed() {
        exhaust(hot);
        WriteRequest throttled = write(hot, LARGE);
        assertThat(Await.result(CLIENT.batchWriteItem(batch ->
                                batch.requestItems(Map.of("t", List.of(write(cold, 10), throttled)))))
                        .unprocessedItems())
                .isEqualTo(Map.of("t", List.of(throttled)));
        assertThat(failure(CLIENT.batchWriteItem(batch -> batch.requestItems(Map.of("t", List.of(throttled))))))
                .isInstanceOf(ProvisionedThroughputExceededException.class);
    }

    @Test
    void aTransactionWithAThrottledItemIsCancelled() {
        exhaust(hot);
        assertThat(failure(CLIENT.transactWriteItems(transaction ->
                        transaction.transactItems(List.of(transactPut(cold, 10), transactPut(hot, LARGE))))))
                .isInstanceOfSatisfying(
                        TransactionCanceledException.class,
                        e -> assertThat(e.cancellationReasons())
                                .extracting(reason -> reason.code())
                                .containsExactly("None", "ThrottlingError"));
    }

    @Test
    void readsFindNothing() {
        assertThat(Await.result(CLIENT.query(query -> query.tableName("t").keyConditionExpression("p = :p")))
                        .items())
                .isEmpty();
        assertThat(Await.result(CLIENT.getItem(get -> get.tableName("t").key(item("k", 1))))
                        .hasItem())
                .isFalse();
    }

    @Test
    void aWriteToAnUnknownTableIsRejected() {
        assertThat(failure(CLIENT.putItem(put -> put.tableName("other").item(item("k", 1)))))
                .isInstanceOfSatisfying(
                        DynamoDbException.class, e -> assertThat(e.getMessage()).contains("unknown table other"));
    }

    @Test
    void writeUnitsAndKeysAreReadFromTheRequest() {
        WriteRequests requests = new WriteRequests(Map.of("t", "p"));
        byte[] body = ("{ \"Item\" : {\"x\":{\"L\":[{\"S\":\"}\\\"\"}]}, \"p\":{\"S\":\"a\\\"b\"},\"b\":{\"B\":\""
                        + "A".repeat(2_000) + "\"}},\"TableName\": \"t\"}")
                .getBytes(StandardCharsets.UTF_8);
        byte[] padded = Arrays.copyOf(body, body.length + 5);
        assertThat(requests.of("PutItem", new JsonScanner(padded, 0, body.length)))
                .containsExactly(new ItemWrite("t", "t \"a\\\"b\"", 2, ""));
    }
}
