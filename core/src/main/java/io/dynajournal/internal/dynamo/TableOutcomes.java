package io.dynajournal.internal.dynamo;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.store.Stages;
import io.dynajournal.listener.ThrottlingReason;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How the latest requests on one table ended. Thread-safe. */
final class TableOutcomes {

    /** How long a success shows that the table answers. */
    private static final Duration FRESH = Duration.ofSeconds(10);

    private record Failure(Instant at, Throwable cause) {}

    private record Throttling(Instant at, ThrottlingReason reason) {}

    private final Clock clock;
    private volatile @Nullable Instant lastSuccess;
    private volatile @Nullable Failure lastFailure;
    private volatile @Nullable Throttling lastThrottled;
    // Guarded by this.
    private CompletableFuture<?> read = CompletableFuture.completedFuture(null);

    TableOutcomes(Clock clock) {
        this.clock = clock;
    }

    void succeeded() {
        lastSuccess = clock.instant();
    }

    void failed(Throwable cause) {
        lastFailure = new Failure(clock.instant(), cause);
    }

    void throttled(ThrottlingReason reason) {
        lastThrottled = new Throttling(clock.instant(), reason);
    }

    /** @param probe reads the table; not called while requests succeed, and once for concurrent callers */
    CompletionStage<TableHealth> health(Supplier<? extends CompletionStage<?>> probe) {
        return isAnswering()
                ? CompletableFuture.completedFuture(health(true))
                : reading(probe).handle((page, failure) -> health(failure == null || isOnlyBusy(failure)));
    }

    private boolean isAnswering() {
        @Nullable Instant success = lastSuccess;
        @Nullable Failure failure = lastFailure;
        return success != null && isFresh(success) && (failure == null || success.isAfter(failure.at()));
    }

    /** Some requests still succeed. Fewer nodes would not help: they share the table, and its load. */
    private boolean isOnlyBusy(Throwable failure) {
        Throwable cause = Stages.unwrap(failure);
        return (cause instanceof StoreException.Throttled || cause.getCause() instanceof NoConnectionException)
                && isFresh(lastSuccess);
    }

    private boolean isFresh(@Nullable Instant success) {
        if (success == null) {
            return false;
        }
        Duration age = Duration.between(success, clock.instant());
        // Negative after the clock was set back.
        return !age.isNegative() && age.compareTo(FRESH) < 0;
    }

    private synchronized CompletableFuture<?> reading(Supplier<? extends CompletionStage<?>> probe) {
        if (read.isDone()) {
            read = probe.get().toCompletableFuture();
        }
        return read;
    }

    private TableHealth health(boolean answers) {
        @Nullable Failure failure = lastFailure;
        @Nullable Throttling throttling = lastThrottled;
        return new TableHealth(
                answers,
                lastSuccess,
                failure == null ? null : failure.at(),
                failure == null ? null : failure.cause(),
                throttling == null ? null : throttling.at(),
                throttling == null ? null : throttling.reason());
    }
}
