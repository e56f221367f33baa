package io.dynajournal.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;

/** The proxy in front of the stub, with the real client. */
class CountingProxyTest {

    private final StubServer stub = StubServer.start();
    private final CountingProxy proxy = CountingProxy.to(Upstream.local(stub.endpoint()));
    private final DynamoDbAsyncClient client = Clients.open(ClientSettings.forEndpoint(proxy.endpoint()));

    @AfterEach
    void close() {
        client.close();
        proxy.close();
        stub.close();
    }

    private CompletableFuture<?> put(int number) {
        return client.putItem(put -> put.tableName("t")
                .item(Map.of("p", AttributeValue.fromS("größe"), "s", AttributeValue.fromN(Integer.toString(number)))));
    }

    private CompletableFuture<?> query() {
        return client.query(query -> query.tableName("t").keyConditionExpression("p = :p"));
    }

    @Test
    void everyRequestIsRecordedWithItsResponse() {
        CompletableFuture<?>[] puts =
                IntStream.range(0, 100).mapToObj(this::put).toArray(CompletableFuture[]::new);
        Await.result(CompletableFuture.allOf(puts));
        Await.result(query());
        List<Exchange> exchanges = proxy.take();
        assertThat(exchanges).hasSize(101);
        assertThat(stub.requests()).isEqualTo(101);
        assertThat(exchanges.get(100).operation()).isEqualTo("Query");
        assertThat(new String(exchanges.get(100).response(), StandardCharsets.UTF_8))
                .contains("\"Count\":0");
        assertThat(exchanges.subList(0, 100)).allSatisfy(put -> {
            assertThat(put.operation()).isEqualTo("PutItem");
            assertThat(put.status()).isEqualTo(200);
            assertThat(put.requestText()).contains("größe").doesNotContain("ReturnConsumedCapacity");
        });
        assertThat(proxy.take()).isEmpty();
    }

    @Test
    void aProxyCanBindTheStubsPortImmediately() {
        // A client has open connections when its server is closed.
        StubServer first = StubServer.start();
        try (DynamoDbAsyncClient before = Clients.open(ClientSettings.forEndpoint(first.endpoint()))) {
            Await.result(before.deleteItem(delete -> delete.tableName("t").key(Map.of())));
            first.close();
            try (CountingProxy second = CountingProxy.to(
                            Upstream.local(stub.endpoint()), first.endpoint().getPort());
                    DynamoDbAsyncClient after = Clients.open(ClientSettings.forEndpoint(first.endpoint()))) {
                Await.result(after.deleteItem(delete -> delete.tableName("t").key(Map.of())));
                assertThat(second.take()).extracting(Exchange::operation).containsExactly("DeleteItem");
            }
        }
    }

    @Test
    void theStubReturnsAResultForEachStatement() {
        List<BatchStatementRequest> statements = Stream.generate(() -> BatchStatementRequest.builder()
                        .statement("INSERT INTO t VALUE {'p': 'a'}")
                        .build())
                .limit(25)
                .toList();
        assertThat(Await.result(client.batchExecuteStatement(batch -> batch.statements(statements)))
                        .responses())
                .hasSize(25);
    }

    @Test
    void concurrentRequestsOverlapWhileResponsesAreDelayed() {
        proxy.delay(Duration.ofMillis(50));
        Await.result(CompletableFuture.allOf(put(1), put(2)));
        List<Exchange> together = proxy.take();
        assertThat(RoundTrips.chain(together)).isEqualTo(1);
        assertThat(together)
                .allSatisfy(each -> assertThat(each.end() - each.begin())
                        .isGreaterThanOrEqualTo(Duration.ofMillis(50).toNanos()));
        Await.result(put(3).thenCompose(before -> put(4)));
        assertThat(RoundTrips.chain(proxy.take())).isEqualTo(2);
    }

    @Test
    void capacityIsRequestedOnce() {
        assertThat(withCapacity("PutItem", "{\"a\":1}")).isEqualTo("{\"ReturnConsumedCapacity\":\"INDEXES\",\"a\":1}");
        assertThat(withCapacity("Query", "{\"a\":1,\"ReturnConsumedCapacity\":\"NONE\"}"))
                .isEqualTo("{\"a\":1,\"ReturnConsumedCapacity\":\"INDEXES\"}");
        assertThat(withCapacity("DescribeTable", "{\"a\":1}")).isEqualTo("{\"a\":1}");
    }

    private static String withCapacity(String operation, String body) {
        return new String(
                CapacityRequest.withCapacity(operation, body.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
    }
}
