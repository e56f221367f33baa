package io.dynajournal.internal.dynamo;

/** Full jitter: a random delay between zero and a bound that doubles with each attempt. */
final class Backoff {

    private Backoff() {}

    /**
     * The delay before the next attempt.
     *
     * @param attempts the number of attempts that have failed, 1 or more
     * @param random between 0 inclusive and 1 exclusive
     */
    static long delayMillis(int attempts, double random, RetrySettings settings) {
        long max = settings.maxDelay().toMillis();
        long doubled = settings.baseDelay().toMillis() << Math.min(attempts - 1, 30);
        long bound = doubled <= 0 ? max : Math.min(max, doubled);
        return (long) (random * (bound + 1));
    }
}
