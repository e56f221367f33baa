package io.dynajournal.internal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.listener.Lane;
import io.dynajournal.listener.ThrottlingReason;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** When a health check reads the table. */
final class TableOutcomesTest {

    private final IllegalStateException failure = new IllegalStateException("no answer");
    private Instant now = Instant.EPOCH;
    private final List<CompletableFuture<Void>> reads = new ArrayList<>();
    private final TableOutcomes outcomes = new TableOutcomes(new Clock() {
        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    });

    private CompletionStage<TableHealth> check() {
        return outcomes.health(() -> {
            CompletableFuture<Void> read = new CompletableFuture<>();
            reads.add(read);
            return read;
        });
    }

    private static TableHealth result(CompletionStage<TableHealth> check) {
        assertThat(check.toCompletableFuture()).isDone();
        return check.toCompletableFuture().join();
    }

    private void pass(Duration time) {
        now = now.plus(time);
    }

    @Test
    void noReadForTenSecondsAfterASuccess() {
        outcomes.succeeded();
        pass(Duration.ofMillis(9_999));
        assertThat(result(check())).isEqualTo(new TableHealth(true, Instant.EPOCH, null, null, null, null));
        assertThat(reads).isEmpty();

        pass(Duration.ofMillis(1));
        assertThat(check().toCompletableFuture()).isNotDone();
        assertThat(reads).hasSize(1);
    }

    @Test
    void aFailureAfterTheLastSuccessIsFollowedByARead() {
        outcomes.succeeded();
        pass(Duration.ofSeconds(1));
        outcomes.failed(failure);
        CompletionStage<TableHealth> check = check();
        reads.get(0).completeExceptionally(failure);
        assertThat(result(check)).isEqualTo(new TableHealth(false, Instant.EPOCH, now, failure, null, null));

        pass(Duration.ofSeconds(1));
        outcomes.succeeded();
        assertThat(result(check())).isEqualTo(new TableHealth(true, now, now.minusSeconds(1), failure, null, null));
        assertThat(reads).hasSize(1);
    }

    @Test
    void aTableThatThrottlesTheReadAnswersWhileOthersSucceed() {
        StoreException throttled = new StoreException.Throttled("throttled", failure);
        outcomes.succeeded();
        outcomes.failed(throttled);
        pass(Duration.ofMillis(9_999));
        CompletionStage<TableHealth> some = check();
        reads.get(0).completeExceptionally(throttled);
        assertThat(result(some).answers()).isTrue();

        pass(Duration.ofMillis(1));
        CompletionStage<TableHealth> none = check();
        reads.get(1).completeExceptionally(throttled);
        assertThat(result(none).answers()).isFalse();
    }

    @Test
    void aReadThatGetsNoConnectionIsNoReasonWhileOthersSucceed() {
        StoreException busy = new StoreException.Unavailable("busy", new NoConnectionException(Lane.WRITE, 50, 50));
        outcomes.succeeded();
        outcomes.failed(busy);
        CompletionStage<TableHealth> some = check();
        reads.get(0).completeExceptionally(busy);
        assertThat(result(some).answers()).isTrue();

        pass(Duration.ofSeconds(10));
        CompletionStage<TableHealth> none = check();
        reads.get(1).completeExceptionally(busy);
        assertThat(result(none).answers()).isFalse();
    }

    @Test
    void concurrentChecksShareARead() {
        CompletionStage<TableHealth> first = check();
        CompletionStage<TableHealth> second = check();
        assertThat(reads).hasSize(1);
        reads.get(0).complete(null);
        assertThat(result(first).answers()).isTrue();
        assertThat(result(second).answers()).isTrue();

        CompletionStage<TableHealth> third = check();
        assertThat(reads).hasSize(2);
        assertThat(third.toCompletableFuture()).isNotDone();
    }

    @Test
    void aSuccessThatIsInTheFutureShowsNothing() {
        outcomes.succeeded();
        pass(Duration.ofSeconds(-1));
        assertThat(check().toCompletableFuture()).isNotDone();
    }

    @Test
    void throttlingIsRememberedBesideSuccesses() {
        outcomes.throttled(ThrottlingReason.HOT_KEY);
        pass(Duration.ofSeconds(1));
        outcomes.succeeded();
        assertThat(result(check()))
                .isEqualTo(new TableHealth(true, now, null, null, Instant.EPOCH, ThrottlingReason.HOT_KEY));
    }
}
