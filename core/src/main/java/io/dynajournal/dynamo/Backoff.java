package io.dynajournal.dynamo;

/** Full jitter: any wait between nothing and a bound that doubles with each attempt. */
final class Backoff {

    private Backoff() {}

    /**
     * @param attempt how many attempts have failed, 1 or more
     * @param random between 0 inclusive and 1 exclusive
     */
    static long waitMillis(int attempt, double random, RetrySettings settings) {
        long max = settings.maxDelay().toMillis();
        long doubled = settings.baseDelay().toMillis() << Math.min(attempt - 1, 30);
        long bound = doubled <= 0 ? max : Math.min(max, doubled);
        return (long) (random * (bound + 1));
    }
}
