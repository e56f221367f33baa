package io.dynajournal.internal.dynamo;

import static io.dynajournal.internal.dynamo.OverHttp.failure;
import static io.dynajournal.internal.dynamo.OverHttp.insert;
import static io.dynajournal.internal.dynamo.OverHttp.query;
import static io.dynajournal.internal.dynamo.OverHttp.result;
import static io.dynajournal.internal.dynamo.OverHttp.retry;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.ScriptedServer.Reply;
import io.dynajournal.listener.Operation;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.listener.RetryEvent;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/** However a request ends, its connection is given back: with a single one, the next request would not be sent otherwise. */
final class ConnectionReleaseTest {

    private final OverHttp http = new OverHttp();
    private final AwsClient client = http.client(ClientSettings.HttpClientChoice.AUTO, 1);

    @AfterEach
    void close() {
        http.close();
    }

    private Dynamo open(RetrySettings retry, boolean groupCommit) {
        return new Dynamo(client, retry, RequestListener.NONE, Clock.systemUTC(), groupCommit);
    }

    private void nextRequestIsSent() {
        http.server.otherwise(request -> Reply.of(200, "{}"));
        result(insert(open(retry(20_000, 10_000), true), 8));
        result(query(open(retry(20_000, 10_000), true)));
    }

    @ParameterizedTest
    @CsvSource({
        "500, InternalServerError",
        "400, ProvisionedThroughputExceededException",
        "400, ValidationException",
        "200, not JSON"
    })
    void anErrorGivesTheConnectionBack(int status, String error) {
        http.server.otherwise(request -> status == 200 ? Reply.of(status, error) : Reply.error(status, error, "no"));
        failure(insert(open(retry(5_000, 4_000, 2), true), 7), StoreException.class);
        nextRequestIsSent();
    }

    @Test
    void aFailedConditionGivesTheConnectionBack() {
        http.server.then(Reply.error(400, "ConditionalCheckFailedException", "The conditional request failed"));
        result(insert(open(retry(5_000, 4_000), true), 7));
        nextRequestIsSent();
    }

    @Test
    void aTimeoutGivesTheConnectionBack() {
        http.server.otherwise(request -> Reply.NONE);
        failure(insert(open(retry(500, 100, 2), true), 7), StoreException.Unavailable.class);
        nextRequestIsSent();
    }

    @Test
    void aRequestThatGivesUpWaitingLeavesTheConnectionToTheNext() {
        http.server.hold();
        CompletableFuture<?> first = query(open(retry(20_000, 20_000), true)).toCompletableFuture();
        Dynamo impatient = open(retry(100, 100), true);
        failure(insert(impatient, 7), StoreException.Unavailable.class);
        failure(query(impatient), StoreException.Unavailable.class);
        http.server.release();
        result(first);
        nextRequestIsSent();
    }

    @Test
    void anExceptionOrErrorInSendGivesTheConnectionBack() {
        RequestExecutor executor =
                new RequestExecutor(client, retry(5_000, 4_000, 1), RequestListener.NONE, Clock.systemUTC());
        PutItemRequest put = PutItemRequest.builder().tableName("events").build();
        for (Throwable bug : new Throwable[] {new IllegalStateException("a bug"), new NoClassDefFoundError("gone")}) {
            assertThat(failure(
                            executor.execute(new Request<>(Operation.PUT, "events", put, request -> {
                                throw sneaky(bug);
                            })),
                            StoreException.Refused.class))
                    .hasRootCause(bug);
        }
        nextRequestIsSent();
    }

    @SuppressWarnings("unchecked") // Throws any throwable as if it were unchecked.
    private static <T extends Throwable> RuntimeException sneaky(Throwable bug) throws T {
        throw (T) bug;
    }

    @Test
    void aListenerThatThrowsGivesTheConnectionBack() {
        http.server.then(Reply.error(500, "InternalServerError", "try later"));
        Dynamo dynamo = new Dynamo(
                client,
                retry(20_000, 10_000),
                new RequestListener() {
                    @Override
                    public void onRequest(RequestEvent event) {
                        throw new IllegalStateException("a bug in a listener");
                    }

                    @Override
                    public void onRetry(RetryEvent event) {
                        throw new LinkageError("another one");
                    }
                },
                Clock.systemUTC());
        result(insert(dynamo, 7));
        nextRequestIsSent();
    }

    /** A client may be closed while requests wait for a table that throttles: each of them ends, one way or the other. */
    @Test
    void whatWaitsWhenTheClientIsClosedEnds() {
        http.server.otherwise(request -> Reply.error(400, "ProvisionedThroughputExceededException", "slow down"));
        Dynamo dynamo = open(retry(2_000, 1_000), true);
        CompletableFuture<?>[] calls = new CompletableFuture<?>[200];
        for (int i = 0; i < 100; i++) {
            calls[2 * i] = insert(dynamo, i).toCompletableFuture();
            calls[2 * i + 1] = query(dynamo).toCompletableFuture();
        }
        client.close();
        CompletableFuture<?> late = insert(dynamo, 1_000).toCompletableFuture();
        failure(CompletableFuture.allOf(calls), StoreException.class);
        failure(late, StoreException.class);
        assertThat(calls).allSatisfy(call -> assertThat(call).isDone());
    }
}
