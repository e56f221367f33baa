package io.dynajournal.internal.dynamo;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.store.Stages;
import io.dynajournal.listener.Capacity;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestEvent.Outcome;
import io.dynajournal.listener.RetryEvent;
import io.dynajournal.listener.ThrottlingReason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * One request with its attempts. Each attempt takes a connection and gives it back; between attempts is a random delay. The stage
 * fails with a {@link StoreException}, or with the SDK's exception if a condition did not hold. It completes by the deadline, on the
 * client's threads.
 */
final class RetryingCall<R extends DynamoDbRequest, T> {

    private static final Logger log = LoggerFactory.getLogger(RetryingCall.class);

    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final RequestExecutor executor;
    private final Request<R, T> request;
    private final RequestKind kind;
    private final long started;
    private final long deadline;
    private final int maxAttempts;

    // Attempts follow one another, each on a thread that the one before has handed over to.
    private int attempts;
    private boolean mayBeDone;
    private @Nullable Throwable lastFailure;

    RetryingCall(RequestExecutor executor, Request<R, T> request, long deadline, int maxAttempts) {
        this.executor = executor;
        this.started = executor.threads().nanoTime();
        this.request = request;
        this.kind = executor.kind(request);
        this.deadline = deadline;
        this.maxAttempts = maxAttempts;
    }

    /** Sends the request as soon as a connection is free. */
    CompletionStage<T> start() {
        acquire();
        return result;
    }

    /** Sends the request over a connection that the caller has acquired; it is given back here. */
    CompletionStage<T> startAcquired() {
        send();
        return result;
    }

    /** Sends the request after the delay that follows a first failed attempt. */
    CompletionStage<T> startDelayed() {
        long delay = executor.backoffNanos(1);
        executor.threads().after(Math.min(delay, Math.max(0, left())), this::acquire);
        return result;
    }

    private long left() {
        return deadline - executor.threads().nanoTime();
    }

    private void acquire() {
        if (executor.flow().tryAcquire(kind)) {
            send();
            return;
        }
        Waiting waiting = new Waiting();
        executor.flow().acquire(kind, waiting);
        waiting.timeout = executor.threads().after(Math.max(0, left()), waiting::giveUp);
    }

    /** A wait for a connection, or for the pace of a table that throttles. */
    private final class Waiting implements Runnable {
        private volatile @Nullable Future<?> timeout;

        @Override
        public void run() {
            Future<?> pending = timeout;
            if (pending != null) {
                pending.cancel(false);
            }
            send();
        }

        void giveUp() {
            if (executor.flow().cancel(kind, this)) {
                tooLate();
            }
        }
    }

    private void tooLate() {
        Throwable before = lastFailure;
        if (before != null) {
            fail(before);
        } else if (executor.flow().isSlowedDown(kind)) {
            fail(new SlowedDownException(kind));
        } else {
            fail(executor.flow().noConnection(kind.lane()));
        }
    }

    private void send() {
        if (left() <= 0) {
            executor.flow().release(kind);
            tooLate();
            return;
        }
        attempts++;
        long sentMicros = executor.clock().localMicros();
        long sentNanos = executor.flow().now();
        long patience = Math.min(
                Math.max(1, left()), executor.retry().callAttemptTimeout().toNanos());
        CompletableFuture<Answer<T>> attempt = sent(patience);
        Future<?> pending = executor.threads().after(patience, () -> attempt.completeExceptionally(timeout(patience)));
        attempt.whenComplete((answer, failure) -> {
            pending.cancel(false);
            try {
                Throwable cause = failure == null ? null : Stages.unwrap(failure);
                @Nullable ThrottleSignal throttled = release(cause, sentNanos);
                if (cause == null) {
                    succeed(sentMicros, answer);
                } else {
                    attemptFailed(Failures.isTimeout(cause) ? timeout(patience) : cause, throttled);
                }
            } catch (Throwable t) {
                // Whatever it is: the caller must learn of it.
                result.completeExceptionally(t);
            }
        });
    }

    /** Gives the connection back, whatever the answer is and whether or not it can be classified. */
    private @Nullable ThrottleSignal release(@Nullable Throwable failure, long sentNanos) {
        ThrottleSignal throttled;
        try {
            throttled = failure == null ? null : ThrottleSignal.of(failure);
        } catch (Throwable t) {
            executor.flow().release(kind);
            throw t;
        }
        if (throttled != null) {
            executor.flow().throttled(kind, throttled, sentNanos);
        } else if (failure == null || failure instanceof AwsServiceException) {
            executor.flow().served(kind);
        } else {
            executor.flow().release(kind);
        }
        return throttled;
    }

    private static TimeoutException timeout(long patience) {
        return new TimeoutException("no answer in " + TimeUnit.NANOSECONDS.toMillis(patience) + " ms");
    }

    private CompletableFuture<Answer<T>> sent(long patience) {
        try {
            return request.send().apply(executor.withTimeout(request.request(), patience));
        } catch (Throwable t) {
            // Whatever it is: the connection must be given back, and the caller must learn of it.
            return CompletableFuture.failedFuture(t);
        }
    }

    private void succeed(long sentMicros, Answer<T> answer) {
        String date = answer.date();
        if (date != null) {
            executor.clock().observe(sentMicros, executor.clock().localMicros(), date);
        }
        report(Outcome.SUCCEEDED, Capacity.of(answer.capacity()), null);
        result.complete(answer.value());
    }

    private void attemptFailed(Throwable failure, @Nullable ThrottleSignal throttled) {
        if (failure instanceof ConditionalCheckFailedException
                || (failure instanceof TransactionCanceledException && !Failures.isRetryable(failure))) {
            report(Outcome.CONDITION_FAILED, Capacity.NONE, null);
            result.completeExceptionally(failure);
            return;
        }
        mayBeDone |= Failures.mayBeDone(failure);
        lastFailure = failure;
        long delay = executor.backoffNanos(attempts);
        boolean inTime = executor.mayRetry(delay, deadline);
        boolean retryable = Failures.isRetryable(failure)
                || Failures.isClockSkew(failure, executor.clock().local());
        if (inTime && attempts < maxAttempts && retryable) {
            log.debug(
                    "{}: attempt {} failed, next in {} ms",
                    request,
                    attempts,
                    TimeUnit.NANOSECONDS.toMillis(delay),
                    failure);
            executor.retries(new RetryEvent(
                    request.operation(),
                    request.table(),
                    kind.lane(),
                    attempts,
                    Duration.ofNanos(delay),
                    throttled == null ? null : throttled.reason(),
                    failure));
            executor.threads().after(delay, this::acquire);
        } else {
            fail(failure);
        }
    }

    private void fail(Throwable failure) {
        StoreException translated = Failures.translate(
                new FailedCall(request, executor.endpoint(), attempts, elapsed(), mayBeDone), failure);
        report(Outcome.FAILED, Capacity.NONE, translated);
        result.completeExceptionally(translated);
    }

    private void report(Outcome outcome, Capacity capacity, @Nullable StoreException failure) {
        boolean heard = executor.isHeard();
        executor.ended(new RequestEvent(
                request.operation(),
                request.table(),
                heard ? RequestSubject.entityType(request.request()) : "",
                heard ? RequestSubject.items(request.request()) : 0,
                kind.lane(),
                outcome,
                attempts,
                elapsed(),
                capacity,
                failure == null ? null : reason(failure),
                failure));
    }

    private static @Nullable ThrottlingReason reason(StoreException failure) {
        Throwable cause = failure.getCause();
        @Nullable ThrottleSignal throttled = cause == null ? null : ThrottleSignal.of(cause);
        return throttled == null ? null : throttled.reason();
    }

    private Duration elapsed() {
        return Duration.ofNanos(executor.threads().nanoTime() - started);
    }
}
