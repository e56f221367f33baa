package io.dynajournal.internal.dynamo;

import java.time.Duration;

/**
 * How long a request may take and how it is retried.
 *
 * @param callTimeout for a request with all its attempts
 * @param callAttemptTimeout for one attempt
 * @param baseDelay upper bound of the first delay between attempts; it doubles with every attempt
 * @param maxDelay upper bound of any delay
 * @param maxAttempts number of attempts after which a request fails, even if {@code callTimeout} has not passed
 */
public record RetrySettings(
        Duration callTimeout, Duration callAttemptTimeout, Duration baseDelay, Duration maxDelay, int maxAttempts) {

    public static final RetrySettings DEFAULTS = new RetrySettings(
            Duration.ofSeconds(8), Duration.ofMillis(2500), Duration.ofMillis(25), Duration.ofSeconds(1));

    /** With as many attempts as fit into {@code callTimeout}. */
    public RetrySettings(Duration callTimeout, Duration callAttemptTimeout, Duration baseDelay, Duration maxDelay) {
        this(callTimeout, callAttemptTimeout, baseDelay, maxDelay, Integer.MAX_VALUE);
    }

    public RetrySettings {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("the number of attempts must be 1 or more, not " + maxAttempts);
        }
        positive("call-timeout", callTimeout);
        positive("call-attempt-timeout", callAttemptTimeout);
        positive("retry.base-delay", baseDelay);
        positive("retry.max-delay", maxDelay);
        if (callAttemptTimeout.compareTo(callTimeout) > 0) {
            throw new IllegalArgumentException("call-attempt-timeout (" + callAttemptTimeout.toMillis()
                    + " ms) is longer than call-timeout (" + callTimeout.toMillis() + " ms)");
        }
        if (baseDelay.compareTo(maxDelay) > 0) {
            throw new IllegalArgumentException("retry.base-delay (" + baseDelay.toMillis()
                    + " ms) is longer than retry.max-delay (" + maxDelay.toMillis() + " ms)");
        }
    }

    private static void positive(String key, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(key + " must be more than 0, not " + duration.toMillis() + " ms");
        }
    }
}
