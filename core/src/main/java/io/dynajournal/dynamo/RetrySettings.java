package io.dynajournal.dynamo;

import java.time.Duration;

/**
 * How long a request may take and how it is repeated.
 *
 * @param callTimeout for a request with all its repetitions
 * @param attemptTimeout for one attempt
 * @param baseDelay upper bound of the first wait; it doubles with every attempt
 * @param maxDelay upper bound of any wait
 * @param maxAttempts after how many attempts to give up, should the time last longer
 */
public record RetrySettings(
        Duration callTimeout, Duration attemptTimeout, Duration baseDelay, Duration maxDelay, int maxAttempts) {

    public static final RetrySettings DEFAULTS = new RetrySettings(
            Duration.ofSeconds(8), Duration.ofMillis(2500), Duration.ofMillis(25), Duration.ofSeconds(1));

    /** With as many attempts as the time allows. */
    public RetrySettings(Duration callTimeout, Duration attemptTimeout, Duration baseDelay, Duration maxDelay) {
        this(callTimeout, attemptTimeout, baseDelay, maxDelay, Integer.MAX_VALUE);
    }

    public RetrySettings {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("the number of attempts must be 1 or more, not " + maxAttempts);
        }
        positive("call-timeout", callTimeout);
        positive("attempt-timeout", attemptTimeout);
        positive("retry.base-delay", baseDelay);
        positive("retry.max-delay", maxDelay);
        if (attemptTimeout.compareTo(callTimeout) > 0) {
            throw new IllegalArgumentException("attempt-timeout (" + attemptTimeout.toMillis()
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
