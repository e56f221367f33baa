package io.dynajournal.internal.dynamo;

import static io.dynajournal.internal.dynamo.OverHttp.failure;
import static io.dynajournal.internal.dynamo.OverHttp.insert;
import static io.dynajournal.internal.dynamo.OverHttp.query;
import static io.dynajournal.internal.dynamo.OverHttp.result;
import static io.dynajournal.internal.dynamo.OverHttp.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynajournal.exception.StoreException;
import io.dynajournal.exception.StoreException.Outcome;
import io.dynajournal.internal.dynamo.ScriptedServer.Reply;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.listener.RetryEvent;
import java.net.URI;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Retries, their messages, threads and events, over HTTP. */
final class RetryingCallTest {

    private static final Reply SERVER_ERROR = Reply.error(500, "InternalServerError", "try later");
    private static final Reply THROTTLED =
            Reply.error(400, "ProvisionedThroughputExceededException", "too many requests");

    private final OverHttp http = new OverHttp();

    @AfterEach
    void close() {
        http.close();
    }

    private void replies(Reply... replies) {
        List.of(replies).forEach(http.server::then);
    }

    @Test
    void aWriteThatWasNotConfirmedHasAnUnknownOutcome() {
        http.server.otherwise(request -> SERVER_ERROR);
        StoreException.Unavailable failure =
                failure(insert(http.open(retry(5000, 2000, 3)), 7), StoreException.Unavailable.class);
        assertThat(failure)
                .hasMessageMatching(
                        "DynamoDB did not confirm PUT of pid=cart-7, seq=12 on table events after 3 attempts in \\d+ m?s"
                                + " \\(last: HTTP 500 InternalServerError: try later\\)\\. Whether it was carried out is"
                                + " unknown\\. \\[runbook#unavailable]");
        assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void aReadHasNoOutcome() {
        http.server.otherwise(request -> SERVER_ERROR);
        StoreException.Unavailable failure =
                failure(query(http.open(retry(5000, 2000, 1))), StoreException.Unavailable.class);
        assertThat(failure.outcome()).isEqualTo(Outcome.NOTHING_CHANGED);
        assertThat(failure)
                .hasMessageMatching("DynamoDB did not answer QUERY on table events after 1 attempt in .*"
                        + "\\(last: HTTP 500 InternalServerError: try later\\)\\. \\[runbook#unavailable]");
    }

    @Test
    void aThrottledWriteHasChangedNothing() {
        http.server.otherwise(request -> THROTTLED);
        StoreException.Throttled failure =
                failure(insert(http.open(retry(5000, 2000, 2)), 7), StoreException.Throttled.class);
        assertThat(failure.outcome()).isEqualTo(Outcome.NOTHING_CHANGED);
        assertThat(failure)
                .hasMessageContaining("DynamoDB throttled PUT of pid=cart-7, seq=12 on table events after 2 attempts")
                .hasMessageEndingWith("Nothing was changed. [runbook#throttled]");
    }

    @Test
    void aWriteThatWasThrottledAfterALostAnswerHasAnUnknownOutcome() {
        replies(SERVER_ERROR);
        http.server.otherwise(request -> THROTTLED);
        StoreException.Throttled failure =
                failure(insert(http.open(retry(5000, 2000, 2)), 7), StoreException.Throttled.class);
        assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(failure).hasMessageEndingWith("Whether it was carried out is unknown. [runbook#throttled]");
    }

    @Test
    void aLastAttemptWithoutAnswerIsNotReportedAsThrottling() {
        replies(THROTTLED);
        http.server.otherwise(request -> Reply.NONE);
        assertThat(failure(insert(http.open(retry(500, 400)), 7), StoreException.Unavailable.class))
                .hasMessageContaining("(last: no answer in ")
                .hasMessageEndingWith("Whether it was carried out is unknown. [runbook#unavailable]");
    }

    /** A refusal of the second attempt leaves open what became of the first. */
    @Test
    void aWriteThatWasRejectedAfterALostAnswerHasAnUnknownOutcome() {
        replies(SERVER_ERROR);
        http.server.otherwise(request -> Reply.error(400, "AccessDeniedException", "no"));
        StoreException.Refused failure =
                failure(insert(http.open(retry(20_000, 10_000)), 7), StoreException.Refused.class);
        assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(failure).hasMessageEndingWith("Whether it was carried out is unknown. [runbook#refused]");
    }

    @Test
    void aRejectedWriteNamesTheErrorAndHasChangedNothing() {
        http.server.otherwise(request -> Reply.error(400, "ValidationException", "One or more values are invalid."));
        assertThat(failure(insert(http.open(retry(5000, 2000)), 7), StoreException.Refused.class))
                .hasMessage("DynamoDB rejected PUT of pid=cart-7, seq=12 on table events: HTTP 400 ValidationException:"
                        + " One or more values are invalid. Nothing was changed. [runbook#refused]");
        assertThat(http.operations()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"CRT", "NETTY"})
    void aServerThatCannotBeReachedIsNamed(ClientSettings.HttpClientChoice choice) {
        AwsClient client = http.client(choice, 10);
        URI endpoint = http.server.endpoint();
        http.server.close();
        Dynamo dynamo = new Dynamo(client, retry(60_000, 20_000, 2), RequestListener.NONE, Clock.systemUTC());
        assertThat(failure(insert(dynamo, 7), StoreException.Unavailable.class))
                .hasMessageContaining("No connection to " + endpoint + " for PUT of pid=cart-7, seq=12")
                .hasMessageContaining("after 2 attempts")
                .hasMessageEndingWith("Nothing was changed. [runbook#unavailable]");
    }

    @Test
    void aRequestThatGetsNoConnectionInTimeIsNotSent() {
        AwsClient client = http.client(ClientSettings.HttpClientChoice.AUTO, 1);
        http.server.hold();
        CompletableFuture<?> first = query(
                        new Dynamo(client, retry(20_000, 20_000), RequestListener.NONE, Clock.systemUTC()))
                .toCompletableFuture();
        Dynamo impatient = new Dynamo(client, retry(200, 200), RequestListener.NONE, Clock.systemUTC());
        assertThat(failure(insert(impatient, 7), StoreException.Unavailable.class))
                .hasMessageContaining(
                        "PUT of pid=cart-7, seq=12 on table events was not sent: all connections that write"
                                + " requests may use (1 of 1) were in use")
                .hasMessageContaining("http.max-concurrency");
        http.server.release();
        result(first);
        assertThat(http.operations()).containsExactly("Query");
    }

    @Test
    void aRequestThatGetsNoConnectionOfItsLaneNamesTheLimitOfTheLane() {
        AwsClient client = http.client(ClientSettings.HttpClientChoice.AUTO, 4);
        http.server.hold();
        Dynamo patient = new Dynamo(client, retry(20_000, 20_000), RequestListener.NONE, Clock.systemUTC());
        List<CompletableFuture<ItemPage>> recoveries = Stream.generate(
                        () -> query(patient).toCompletableFuture())
                .limit(3)
                .toList();
        Dynamo impatient = new Dynamo(client, retry(200, 200), RequestListener.NONE, Clock.systemUTC());
        assertThat(failure(query(impatient), StoreException.Unavailable.class))
                .hasMessageContaining("all connections that recovery requests may use (3 of 4) were in use");
        http.server.release();
        recoveries.forEach(OverHttp::result);
    }

    /** Each of them fails at once and starts the next: one inside another they would overflow the stack. */
    @Test
    void manyRequestsThatWaitForAClosedClientEndOneAfterAnother() {
        AwsClient client = http.client(ClientSettings.HttpClientChoice.AUTO, 1);
        http.server.hold();
        Dynamo dynamo = new Dynamo(client, retry(60_000, 60_000), RequestListener.NONE, Clock.systemUTC());
        List<CompletableFuture<ItemPage>> waiting = Stream.generate(
                        () -> query(dynamo).toCompletableFuture())
                .limit(20_000)
                .toList();
        client.close();
        http.server.release();
        for (CompletableFuture<?> each : waiting) {
            assertThat(catchThrowable(() -> result(each)))
                    .as("fails, and with no error")
                    .satisfiesAnyOf(
                            failure -> assertThat(failure).isNull(),
                            failure -> assertThat(failure).hasCauseInstanceOf(StoreException.class));
        }
    }

    /** DynamoDB reports a wrong clock as a wrong signature. */
    @Test
    void aRequestSignedByAWrongClockIsRetried() {
        String inTenMinutes =
                ScriptedServer.httpDate(ZonedDateTime.now(ZoneOffset.UTC).plusMinutes(10));
        replies(Reply.error(400, "InvalidSignatureException", "Signature expired")
                .with("Date", inTenMinutes));
        result(insert(http.open(retry(5000, 2000)), 7));
        assertThat(http.operations()).hasSize(2);
    }

    private static final class Recorder implements RequestListener {
        final Queue<RequestEvent> requests = new ConcurrentLinkedQueue<>();
        final Queue<RetryEvent> retries = new ConcurrentLinkedQueue<>();

        @Override
        public void onRequest(RequestEvent event) {
            requests.add(event);
        }

        @Override
        public void onRetry(RetryEvent event) {
            retries.add(event);
        }
    }

    @Test
    void aListenerSeesAttemptsRetriesAndCapacity() {
        replies(
                SERVER_ERROR,
                Reply.of(
                        200,
                        "{\"ConsumedCapacity\":{\"TableName\":\"events\",\"CapacityUnits\":3,\"Table\":{\"CapacityUnits\":1}}}"));
        Recorder recorder = new Recorder();
        result(insert(http.open(retry(5000, 2000), recorder), 7));

        assertThat(recorder.retries).singleElement().satisfies(retry -> {
            assertThat(retry.attempt()).isEqualTo(1);
            assertThat(retry.table()).isEqualTo("events");
        });
        assertThat(recorder.requests).singleElement().satisfies(request -> {
            assertThat(request.operation()).isEqualTo(Operation.PUT);
            assertThat(request.outcome()).isEqualTo(RequestEvent.Outcome.SUCCEEDED);
            assertThat(request.attempts()).isEqualTo(2);
            assertThat(request.capacity().table()).isEqualTo(1);
            assertThat(request.capacity().indexes()).isEqualTo(2);
        });
        assertThat(http.server.last().body()).contains("\"ReturnConsumedCapacity\":\"INDEXES\"");
    }

    @Test
    void aListenerSeesFailedConditionsAndFailures() {
        replies(Reply.error(400, "ConditionalCheckFailedException", "The conditional request failed"), SERVER_ERROR);
        Recorder recorder = new Recorder();
        Dynamo dynamo = http.open(retry(5000, 2000, 1), recorder);
        result(insert(dynamo, 7));
        StoreException failure = failure(insert(dynamo, 8), StoreException.Unavailable.class);

        assertThat(recorder.requests)
                .extracting(RequestEvent::outcome)
                .containsExactly(RequestEvent.Outcome.CONDITION_FAILED, RequestEvent.Outcome.FAILED);
        assertThat(recorder.requests)
                .last()
                .satisfies(event -> assertThat(event.failure()).isSameAs(failure));
    }

    @Test
    void aListenerThatThrowsDoesNotAffectRequests() {
        replies(SERVER_ERROR);
        Dynamo dynamo = http.open(retry(5000, 2000), new RequestListener() {
            @Override
            public void onRequest(RequestEvent event) {
                throw new IllegalStateException("a bug in a listener");
            }

            @Override
            public void onRetry(RetryEvent event) {
                throw new LinkageError("another one");
            }
        });
        result(insert(dynamo, 7));
        result(insert(dynamo, 8));
        assertThat(http.operations()).hasSize(3);
    }

    @ParameterizedTest
    @EnumSource(names = {"CRT", "NETTY"})
    void stagesCompleteOnTheClientsThreads(ClientSettings.HttpClientChoice choice) {
        AwsClient client = http.client(choice, 10);
        // Patient: on a busy machine the first connection takes longer than a short timeout.
        Dynamo patient = new Dynamo(client, retry(60_000, 60_000, 2), RequestListener.NONE, Clock.systemUTC());
        http.server.hold();
        CompletableFuture<Thread> success = completion(insert(patient, 7));
        http.server.releaseWhenInFlight(1);
        assertThat(result(success).getName()).startsWith("dynajournal-client");

        http.server.otherwise(request -> SERVER_ERROR);
        assertThat(result(completion(insert(patient, 7))).getName()).startsWith("dynajournal-client");
        http.server.otherwise(request -> Reply.NONE);
        Dynamo impatient = new Dynamo(client, retry(700, 300, 2), RequestListener.NONE, Clock.systemUTC());
        assertThat(result(completion(insert(impatient, 7))).getName()).startsWith("dynajournal-client");
        assertThat(result(completion(impatient.updateIf(
                                UpdateItemRequest.builder().tableName("events").key(OverHttp.KEY))))
                        .getName())
                .startsWith("dynajournal-client");
    }

    private static CompletableFuture<Thread> completion(java.util.concurrent.CompletionStage<?> stage) {
        AtomicReference<Thread> thread = new AtomicReference<>();
        return stage.handle((value, failure) -> {
                    thread.set(Thread.currentThread());
                    return thread.get();
                })
                .toCompletableFuture();
    }
}
