package io.dynajournal.internal.dynamo;

import io.dynajournal.listener.Lane;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.listener.RetryEvent;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/**
 * Executes every request of a client, with retries, deadline, flow control, listener and clock. See {@link RetryingCall}.
 * Thread-safe.
 */
final class RequestExecutor {

    /** A retry with less time than this would rather time out, and hide what the attempt before has found. */
    private static final long MIN_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final RetrySettings retry;
    private final RequestListener listener;
    private final LatestOutcomes outcomes;
    private final @Nullable ReturnConsumedCapacity capacity;
    private final ServerClock clock;
    private final ClientScheduler threads;
    private final FlowControl flow;
    private final UnaryOperator<Lane> lanes;
    private final String endpoint;
    private final AwsRequestOverrideConfiguration attemptTimeout;

    RequestExecutor(AwsClient client, RetrySettings retry, RequestListener listener, Clock clock) {
        this.retry = retry;
        this.listener = new GuardedListener(listener);
        this.outcomes = new LatestOutcomes(clock);
        this.capacity = listener == RequestListener.NONE ? null : ReturnConsumedCapacity.INDEXES;
        this.clock = new ServerClock(clock);
        this.threads = client.threads();
        this.flow = client.flow();
        this.lanes = UnaryOperator.identity();
        this.endpoint = client.endpoint();
        this.attemptTimeout = timeout(retry.callAttemptTimeout());
    }

    private RequestExecutor(RequestExecutor same, UnaryOperator<Lane> lanes) {
        this.retry = same.retry;
        this.listener = same.listener;
        this.outcomes = same.outcomes;
        this.capacity = same.capacity;
        this.clock = same.clock;
        this.threads = same.threads;
        this.flow = same.flow;
        this.endpoint = same.endpoint;
        this.attemptTimeout = same.attemptTimeout;
        this.lanes = lanes;
    }

    RetrySettings retry() {
        return retry;
    }

    /** Whether the application listens, and not only the health checks. */
    boolean isHeard() {
        return capacity != null;
    }

    void ended(RequestEvent event) {
        outcomes.onRequest(event);
        listener.onRequest(event);
    }

    void retries(RetryEvent event) {
        outcomes.onRetry(event);
        listener.onRetry(event);
    }

    /** How the latest requests ended, in all lanes. */
    LatestOutcomes outcomes() {
        return outcomes;
    }

    ServerClock clock() {
        return clock;
    }

    ClientScheduler threads() {
        return threads;
    }

    FlowControl flow() {
        return flow;
    }

    /** @param other gives the lane of a request by the one that it would have here */
    RequestExecutor in(UnaryOperator<Lane> other) {
        return new RequestExecutor(this, own -> other.apply(lanes.apply(own)));
    }

    RequestKind kind(Request<?, ?> request) {
        return new RequestKind(lanes.apply(request.lane()), request.table(), request.isWrite());
    }

    /** For messages. */
    String endpoint() {
        return endpoint;
    }

    /** Null omits the parameter. */
    @Nullable
    ReturnConsumedCapacity capacity() {
        return capacity;
    }

    /** When a request that starts now must have ended, by {@link ClientScheduler#nanoTime}. */
    long deadline() {
        return threads.nanoTime() + retry.callTimeout().toNanos();
    }

    /**
     * A random delay before the next attempt.
     *
     * @param attempts the number of attempts that have failed, 1 or more
     */
    long backoffNanos(int attempts) {
        return TimeUnit.MILLISECONDS.toNanos(Backoff.delayMillis(attempts, threads.random(), retry));
    }

    /** Whether a retry after this delay still has enough time before the deadline. */
    boolean mayRetry(long delayNanos, long deadline) {
        return delayNanos + MIN_RETRY_NANOS < deadline - threads.nanoTime();
    }

    <R extends DynamoDbRequest, T> CompletionStage<T> execute(Request<R, T> request) {
        return call(request, deadline()).start();
    }

    <R extends DynamoDbRequest, T> RetryingCall<R, T> call(Request<R, T> request, long deadline) {
        return new RetryingCall<>(this, request, deadline, retry.maxAttempts());
    }

    /** For requests that are sent often: to set it later costs a copy of the request. */
    AwsRequestOverrideConfiguration attemptTimeout() {
        return attemptTimeout;
    }

    /**
     * The request with a timeout for the SDK's own attempt. The SDK frees the connection of an attempt only by its own timeout:
     * to cancel the future that it returns has no effect on the connection.
     */
    @SuppressWarnings("unchecked") // A request's builder builds a request of its own type.
    <R extends DynamoDbRequest> R withTimeout(R request, long nanos) {
        boolean whole = nanos >= retry.callAttemptTimeout().toNanos();
        if (whole && attemptTimeout.equals(request.overrideConfiguration().orElse(null))) {
            return request;
        }
        return (R) request.toBuilder()
                .overrideConfiguration(whole ? attemptTimeout : timeout(Duration.ofNanos(nanos)))
                .build();
    }

    private static AwsRequestOverrideConfiguration timeout(Duration duration) {
        // The SDK counts whole milliseconds, and takes 0 for none.
        return AwsRequestOverrideConfiguration.builder()
                .apiCallAttemptTimeout(Duration.ofMillis(Math.max(1, duration.toMillis())))
                .build();
    }
}
