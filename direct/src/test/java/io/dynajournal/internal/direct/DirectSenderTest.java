package io.dynajournal.internal.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.dynamo.ScriptedServer;
import io.dynajournal.internal.dynamo.ScriptedServer.Received;
import io.dynajournal.internal.dynamo.ScriptedServer.Reply;
import io.dynajournal.listener.RequestListener;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Direct requests as core uses them: found on the class path, with the SDK in reserve. */
final class DirectSenderTest {

    private final ScriptedServer server = new ScriptedServer();
    private final AwsClient client = Clients.connect(ClientSettings.forEndpoint(server.endpoint())
            .withTuning(ClientSettings.Tuning.of(ClientSettings.HttpClientChoice.AUTO, true)));
    private final Dynamo dynamo = new Dynamo(
            client,
            new RetrySettings(
                    Duration.ofSeconds(20), Duration.ofSeconds(10), Duration.ofMillis(1), Duration.ofMillis(5), 3),
            RequestListener.NONE,
            Clock.systemUTC());

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private static boolean isDirect(Received request) {
        return "dynajournal".equals(request.header("User-Agent"));
    }

    private List<Boolean> direct() {
        return server.received().stream().map(DirectSenderTest::isDirect).toList();
    }

    private void insert() {
        dynamo.insert("events", Item.create().text("pid", "cart-7").number("seq", 12), "pid", "seq")
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    @Test
    void requestsAreSentDirectlyAfterTheFirst() {
        insert();
        insert();
        insert();
        assertThat(direct()).containsExactly(false, true, true);
    }

    @ParameterizedTest
    @CsvSource({
        "400, InvalidSignatureException",
        "400, IncompleteSignatureException",
        "400, SerializationException",
        "400, UnrecognizedClientException",
        "400, ValidationException",
        "403, SomethingNew"
    })
    void aRequestThatOnlyTheSdkGetsRightSwitchesDirectRequestsOff(int status, String code) {
        server.otherwise(request -> isDirect(request) ? Reply.error(status, code, "wrong") : Reply.of(200, "{}"));
        insert();
        insert();
        insert();
        assertThat(direct()).containsExactly(false, true, false, false);
    }

    @Test
    void anIntactAnswerThatCannotBeReadSwitchesDirectRequestsOff() {
        server.otherwise(request ->
                isDirect(request) ? Reply.of(200, "[]").with("x-amz-crc32", "223132457") : Reply.of(200, "{}"));
        insert();
        insert();
        insert();
        assertThat(direct()).containsExactly(false, true, false, false);
    }

    @ParameterizedTest
    @CsvSource({
        "400, ConditionalCheckFailedException, 2",
        "400, ResourceNotFoundException, 2",
        "400, AccessDeniedException, 2",
        "400, ThrottlingException, 4",
        "500, InternalServerError, 4"
    })
    void ordinaryErrorsKeepDirectRequests(int status, String code, int requests) {
        insert();
        server.otherwise(request -> Reply.error(status, code, "no"));
        Throwable failure = catchThrowable(this::insert);
        assertThat(failure == null).isEqualTo(code.startsWith("Conditional"));
        assertThat(direct())
                .hasSize(requests)
                .startsWith(false)
                .filteredOn(each -> !each)
                .hasSize(1);
    }

    @Test
    void aRequestThatTheSdkGetsWrongTooKeepsDirectRequests() {
        insert();
        server.otherwise(request -> Reply.error(400, "ValidationException", "really wrong"));
        assertThat(catchThrowable(this::insert)).hasMessageContaining("really wrong");
        server.otherwise(request -> Reply.of(200, "{}"));
        insert();
        assertThat(direct()).containsExactly(false, true, false, true);
    }

    @Test
    void aWrongClockIsCorrectedAndTheRequestRetried() {
        insert();
        String inTenMinutes =
                ScriptedServer.httpDate(ZonedDateTime.now(ZoneOffset.UTC).plusMinutes(10));
        server.then(Reply.error(400, "InvalidSignatureException", "Signature expired")
                .with("Date", inTenMinutes));
        insert();
        assertThat(direct()).containsExactly(false, true, true);
        assertThat(server.last().header("X-Amz-Date"))
                .isGreaterThan(DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'")
                        .withZone(ZoneOffset.UTC)
                        .format(Instant.now().plusSeconds(300)));
    }
}
