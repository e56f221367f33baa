package io.dynajournal.internal.dynamo;

import static io.dynajournal.internal.dynamo.OverHttp.query;
import static io.dynajournal.internal.dynamo.OverHttp.result;
import static io.dynajournal.internal.dynamo.OverHttp.retry;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.ScriptedServer.Reply;
import io.dynajournal.internal.dynamo.ThrottleSignal.Side;
import io.dynajournal.listener.Lane;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.listener.RetryEvent;
import io.dynajournal.listener.ThrottlingReason;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

final class ThrottleSignalTest {

    @ParameterizedTest
    @CsvSource({
        "TableReadKeyRangeThroughputExceeded, HOT_KEY, READ",
        "IndexWriteKeyRangeThroughputExceeded, HOT_KEY, WRITE",
        "TableWriteProvisionedThroughputExceeded, TABLE, WRITE",
        "TableReadMaxOnDemandThroughputExceeded, TABLE, READ",
        "IndexReadProvisionedThroughputExceeded, INDEX, READ",
        "IndexWriteMaxOnDemandThroughputExceeded, INDEX, WRITE",
        "TableWriteAccountLimitExceeded, ACCOUNT, WRITE",
        "SomethingNew, UNKNOWN, BOTH"
    })
    void aReasonNamesWhatIsThrottled(String reason, ThrottlingReason expected, Side side) {
        assertThat(ThrottleSignal.parsed(reason)).isEqualTo(new ThrottleSignal(expected, side));
    }

    /** A hot key is no reason to slow the table down, but a table is, whatever else is named. */
    @Test
    void ofSeveralReasonsTheWidestCounts() {
        assertThat(ThrottleSignal.of(ProvisionedThroughputExceededException.builder()
                        .throttlingReasons(List.of(
                                reason("TableWriteKeyRangeThroughputExceeded"),
                                reason("TableWriteProvisionedThroughputExceeded")))
                        .awsErrorDetails(AwsErrorDetails.builder()
                                .errorCode("ProvisionedThroughputExceededException")
                                .build())
                        .build()))
                .isEqualTo(new ThrottleSignal(ThrottlingReason.TABLE, Side.WRITE));
    }

    private static software.amazon.awssdk.services.dynamodb.model.ThrottlingReason reason(String reason) {
        return software.amazon.awssdk.services.dynamodb.model.ThrottlingReason.builder()
                .reason(reason)
                .build();
    }

    @Test
    void otherFailuresAreNoThrottling() {
        assertThat(ThrottleSignal.of(new IllegalStateException())).isNull();
        assertThat(ThrottleSignal.of(cancelled("ConditionalCheckFailed", "ThrottlingError")))
                .isNull();
        assertThat(ThrottleSignal.of(cancelled("TransactionConflict"))).isNull();
        assertThat(ThrottleSignal.of(cancelled("None", "ThrottlingError"))).isEqualTo(ThrottleSignal.UNKNOWN);
    }

    private static TransactionCanceledException cancelled(String... codes) {
        return TransactionCanceledException.builder()
                .cancellationReasons(List.of(codes).stream()
                        .map(code -> CancellationReason.builder().code(code).build())
                        .toList())
                .build();
    }

    @ParameterizedTest
    @CsvSource({
        "ProvisionedThroughputExceededException, TableReadKeyRangeThroughputExceeded, HOT_KEY",
        "ThrottlingException, IndexReadMaxOnDemandThroughputExceeded, INDEX",
        "RequestLimitExceeded, TableReadAccountLimitExceeded, ACCOUNT",
        "RequestLimitExceeded, , ACCOUNT",
        "ProvisionedThroughputExceededException, , UNKNOWN"
    })
    void theListenerSeesTheReasonAndTheLane(String error, String reason, ThrottlingReason expected) {
        Queue<RetryEvent> retries = new ConcurrentLinkedQueue<>();
        try (OverHttp http = new OverHttp()) {
            String reasons = "\"hrottlingReasons\":[{\"reason\":\"" + reason + "\",\"resource\":\"arn\"}]";
            http.server.then(Reply.of(
                    400,
                    "{\"__type\":\"com.amazonaws.dynamodb.v20120810#" + error + "\",\"message\":\"slow down\""
                            + (reason == null
                                    ? ""
                                    : ","
                                            + reasons.replace(
                                                    "hrottling",
                                                    error.equals("ThrottlingException") ? "throttling" : "Throttling"))
                            + "}"));
            Dynamo dynamo = http.open(retry(20_000, 10_000), new RequestListener() {
                @Override
                public void onRetry(RetryEvent event) {
                    retries.add(event);
                }
            });
            result(query(dynamo.in(Lane.QUERY)));
        }
        assertThat(retries).singleElement().satisfies(retry -> {
            assertThat(retry.throttlingReason()).isEqualTo(expected);
            assertThat(retry.lane()).isEqualTo(Lane.QUERY);
        });
    }
}
