package io.dynajournal.peers.load;

import java.util.Arrays;

/** Percentiles by the nearest-rank method: the smallest value that at least this share of them does not exceed. */
final class Percentiles {

    private final long[] sorted;

    Percentiles(long[] values) {
        this.sorted = values.clone();
        Arrays.sort(sorted);
    }

    /** @param percent above 0, at most 100; 0 if there are no values */
    long at(double percent) {
        if (sorted.length == 0) {
            return 0;
        }
        // The product of a percentage and a count may exceed a whole number by a rounding error.
        int rank = (int) Math.ceil(sorted.length * percent / 100 - 1e-9);
        return sorted[Math.max(0, rank - 1)];
    }
}
