package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.dynamo.ClientSettings;
import io.dynajournal.dynamo.Clients;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
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
    void anAnswerPassesWithItsHeaders() {
        FaultProxy proxy = local.proxy();
        try (DynamoDbAsyncClient client = client(proxy)) {
            ListTablesResponse through = Await.result(client.listTables());
            ListTablesResponse direct = Await.result(local.client().listTables());
            assertThat(through.tableNames()).isEqualTo(direct.tableNames());
            for (String header : List.of("x-amzn-RequestId", "x-amz-crc32", "Date", "Content-Type")) {
                assertThat(through.sdkHttpResponse().firstMatchingHeader(header).isPresent())
                        .as(header)
                        .isEqualTo(direct.sdkHttpResponse()
                                .firstMatchingHeader(header)
                                .isPresent());
            }
            assertThat(proxy.requests()).containsExactly(new ProxiedRequest(1, "ListTables", ""));
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
    void aHeldReplyComesWhenItIsReleased() {
        FaultProxy proxy = local.proxy();
        try (DynamoDbAsyncClient client = client(proxy)) {
            Gate gate = proxy.when(LIST).holdReply();
            CompletableFuture<ListTablesResponse> held = client.listTables();
            gate.awaitArrival();
            gate.awaitDelivery();
            Await.result(client.listTables());
            assertThat(held).isNotDone();
            gate.release();
            Await.result(held);
        }
    }

    @Test
    void aFaultThatNothingMetIsAnError() {
        try (FaultProxy proxy = FaultProxy.to(local.endpoint())) {
            proxy.when(RequestMatch.operation("PutItem")).loseReply();
            assertThatThrownBy(proxy::assertScriptMet)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("PutItem");
            proxy.clear();
            proxy.assertScriptMet();
        }
    }
}
