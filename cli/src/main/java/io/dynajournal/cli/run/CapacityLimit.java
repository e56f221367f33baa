package io.dynajournal.cli.run;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Keeps work below a rate of capacity units. What a request costs is known only afterwards, so that work waits for what
 * earlier work has consumed too much. A second of the rate may be consumed at once. Thread-safe.
 */
public final class CapacityLimit {

    /** Units per second; infinite for no limit. */
    public record Rates(double read, double write) {
        public static final Rates NONE = new Rates(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

    private final Bucket read;
    private final Bucket write;
    private final LongSupplier nanoTime;

    CapacityLimit(Rates rates, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.read = new Bucket(rates.read(), nanoTime.getAsLong());
        this.write = new Bucket(rates.write(), nanoTime.getAsLong());
    }

    /**
     * How long the next piece of work has to wait.
     *
     * @param totalRead read units since the start
     * @param totalWritten write units since the start
     */
    synchronized long nanosToWait(double totalRead, double totalWritten) {
        long now = nanoTime.getAsLong();
        return Math.max(read.nanosToWait(totalRead, now), write.nanosToWait(totalWritten, now));
    }

    private static final class Bucket {
        private final double perSecond;
        private double available;
        private double seen;
        private long filledAt;

        Bucket(double perSecond, long now) {
            this.perSecond = perSecond;
            this.available = perSecond;
            this.filledAt = now;
        }

        long nanosToWait(double total, long now) {
            if (Double.isInfinite(perSecond)) {
                return 0;
            }
            double earned = (now - filledAt) / (double) TimeUnit.SECONDS.toNanos(1) * perSecond;
            available = Math.min(perSecond, available + earned) - (total - seen);
            filledAt = now;
            seen = total;
            return available >= 0 ? 0 : (long) (-available / perSecond * TimeUnit.SECONDS.toNanos(1));
        }
    }
}
