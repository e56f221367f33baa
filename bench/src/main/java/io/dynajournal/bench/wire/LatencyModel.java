package io.dynajournal.bench.wire;

import java.util.Random;

/**
 * How long DynamoDB takes for a request to one item: a floor plus a lognormal part, with the floor, the median and the 99th
 * percentile that single puts have from inside a region. Seeded, so that every plugin meets the same sequence. Not
 * thread-safe.
 */
final class LatencyModel {

    static final double FLOOR_MILLIS = 1.5;
    static final double MEDIAN_MILLIS = 4;
    static final double PERCENTILE_99_MILLIS = 30;

    /** The 99th percentile of the standard normal distribution. */
    private static final double Z_99 = 2.326348;

    private static final double NANOS_PER_MILLI = 1e6;

    private final double scale = MEDIAN_MILLIS - FLOOR_MILLIS;
    private final double sigma = Math.log((PERCENTILE_99_MILLIS - FLOOR_MILLIS) / scale) / Z_99;
    private final Random random;

    LatencyModel(long seed) {
        this.random = new Random(seed);
    }

    long nextNanos() {
        return (long) (NANOS_PER_MILLI * (FLOOR_MILLIS + scale * Math.exp(sigma * random.nextGaussian())));
    }

    /**
     * The time of a request to several items: that of its slowest one. How a batch's time grows with its items on AWS has not
     * been measured. This is the pessimistic assumption (a batch might also take as long as a single put), so group commit
     * never looks better here than it can be on AWS.
     */
    long nextNanos(int items) {
        long slowest = nextNanos();
        for (int i = 1; i < items; i++) {
            slowest = Math.max(slowest, nextNanos());
        }
        return slowest;
    }
}
