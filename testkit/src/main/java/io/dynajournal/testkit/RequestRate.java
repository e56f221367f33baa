package io.dynajournal.testkit;

import java.util.function.LongSupplier;

/** A number of requests per second, of which a tenth of a second may be saved up. Thread-safe. */
final class RequestRate {

    private static final double SAVED_SECONDS = 0.1;

    private final int perSecond;
    private final LongSupplier nanoTime;
    private double tokens;
    private long refilled;

    RequestRate(int perSecond, LongSupplier nanoTime) {
        this.perSecond = perSecond;
        this.nanoTime = nanoTime;
        this.tokens = most();
        this.refilled = nanoTime.getAsLong();
    }

    private double most() {
        return Math.max(1, perSecond * SAVED_SECONDS);
    }

    /** Whether the next request is within the rate. */
    synchronized boolean take() {
        long now = nanoTime.getAsLong();
        tokens = Math.min(most(), tokens + perSecond * (now - refilled) / 1e9);
        refilled = now;
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }
}
