package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.internal.layout.akka2.Akka2Journal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.ListTablesResponse;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.RequestLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingReason;

/** The proxy does what its script says, and nothing else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultProxyTest {

    private static final RequestMatch LIST = RequestMatch.operation("ListTables");

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private static DynamoDbAsyncClient client(FaultProxy proxy) {
        return Clients.open(ClientSettings.forEndpoint(proxy.endpoint()));
    }

    @Test
    void aResponsePassesWithItsHeaders() {
        String table = local.freshTable();
        local.create(Akka2Journal.of(table).table());
        DescribeTableRequest request =
                DescribeTableRequest.builder().tableName(table).build();
        FaultProxy proxy = local.proxy();
        try (DynamoDbAsyncClient client = client(proxy)) {
            DescribeTableResponse through = Await.result(client.describeTable(request));
            DescribeTableResponse direct = Await.result(local.client().describeTable(request));
            assertThat(through.table()).isEqualTo(direct.table());
            for (String header : List.of("x-amzn-RequestId", "x-amz-crc32", "Date", "Content-Type")) {
                assertThat(through.sdkHttpResponse().firstMatchingHeader(header).isPresent())
                        .as(header)
                        .isEqualTo(direct.sdkHttpResponse()
                                .firstMatchingHeader(header)
                                .isPresent());
            }
            assertThat(proxy.requests()).containsExactly(new ProxiedRequest(1, "DescribeTable", table));
        }
    }

    @Test
    void throttlingArrivesInEachOfItsForms() {
        FaultProxy proxy = local.proxy();
        try (DynamoDbAsyncClient client = client(proxy)) {
            proxy.when(LIST).answer(ErrorAnswer.throughputExceeded("why", "what"));
            assertReason(Await.failure(client.listTables(), ProvisionedThroughputExceededException.class)
                    .throttlingReasons());
            proxy.when(LIST).answer(ErrorAnswer.throttling("why", "what"));
            assertReason(Await.failure(client.listTables(), ThrottlingException.class)
                    .throttlingReasons());
            proxy.when(LIST).answer(ErrorAnswer.requestLimit("why", "what"));
            assertReason(Await.failure(client.listTables(), RequestLimitExceededException.class)
                    .throttlingReasons());
        }
    }

    @Test
    void whatIsAboveARateIsAnsweredAndTheRestPasses() {
        AtomicLong now = new AtomicLong();
        RequestRate rate = new RequestRate(20, now::get);
        assertThat(Stream.generate(rate::take).limit(4)).containsExactly(true, true, false, false);
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(50));
        assertThat(Stream.generate(rate::take).limit(2)).containsExactly(true, false);
        now.addAndGet(TimeUnit.SECONDS.toNanos(60));
        assertThat(Stream.generate(rate::take).limit(3)).containsExactly(true, true, false);

        FaultProxy proxy = local.proxy();
        try (DynamoDbAsyncClient client = client(proxy)) {
            proxy.when(LIST).always().answerAbove(1, ErrorAnswer.throttling("why", "what"));
            Await.result(client.listTables());
            Throwable failure = null;
            for (int i = 0; i < 100 && failure == null; i++) {
                failure = Await.result(client.listTables().handle((tables, failed) -> failed));
            }
            assertThat(failure).hasCauseInstanceOf(ThrottlingException.class);
        }
    }

    private static void assertReason(List<ThrottlingReason> reasons) {
        assertThat(reasons)
                .containsExactly(ThrottlingReason.builder()
                        .reason("why")
                        .resource("what")
                        .build());
    }

    @Test
    void aLostRequestIsAClosedConnection() {
        FaultProxy proxy = local.proxy();
        try (DynamoDbAsyncClient client = client(proxy)) {
            proxy.when(LIST).loseRequest();
            Await.failure(client.listTables(), SdkClientException.class);
            Await.result(client.listTables());
        }
    }

    @Test
    void aHeldReplyArrivesWhenItIsReleased() {
        FaultProxy proxy = local.proxy();
        try (DynamoDbAsyncClient client = client(proxy)) {
            HeldRequest held = proxy.when(LIST).holdReply();
            CompletableFuture<ListTablesResponse> response = client.listTables();
            held.awaitArrival();
            held.awaitDelivery();
            Await.result(client.listTables());
            assertThat(response).isNotDone();
            held.release();
            Await.result(response);
        }
    }

    @Test
    void aFaultThatNoRequestUsedIsAnError() {
        try (FaultProxy proxy = FaultProxy.to(local.endpoint())) {
            proxy.when(RequestMatch.operation("PutItem")).loseReply();
            assertThatThrownBy(proxy::assertScriptUsed)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("PutItem");
            proxy.clear();
            proxy.assertScriptUsed();
        }
    }

    @Test
    void randomFaultsAreCountedAndRequestsAreNotRecorded() {
        FaultProxy proxy = local.proxy();
        try (DynamoDbAsyncClient client = client(proxy)) {
            proxy.faultAtRandom(1, 0.5);
            long failed = Stream.generate(() -> client.listTables().handle((tables, failure) -> failure != null))
                    .limit(40)
                    .toList()
                    .stream()
                    .filter(Await::result)
                    .count();

            Map<String, Long> counts = proxy.randomFaults();
            long requests = counts.getOrDefault("requests", 0L);
            long faults = counts.values().stream().mapToLong(Long::longValue).sum() - requests;
            assertThat(requests).isGreaterThanOrEqualTo(40);
            assertThat(faults).isBetween(8L, requests - 8);
            assertThat(failed).isBetween(1L, faults);
            assertThat(proxy.requests()).isEmpty();

            proxy.faultAtRandom(1, 0);
            Await.result(client.listTables());
            assertThat(proxy.randomFaults()).containsExactly(Map.entry("requests", 1L));
        }
    }
}
