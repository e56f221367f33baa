package io.dynajournal.bench;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Single persists that arrive at a constant rate, whether or not earlier ones have been answered, on the simulated cloud.
 *
 * @param perSecond persists over all entities
 */
record CloudWorkload(int perSecond) {

    /** Entities that the persists are spread over. */
    static final int ENTITIES = 1_000;

    /** More than 50 connections carry when each write has a request of its own: 50 / 5.8 ms = 8,600 per second. */
    static final int SATURATED = 20_000;

    private static final int[] RATES = {500, 1_000, 2_000, 4_000, SATURATED};
    private static final List<Integer> QUICK_RATES = List.of(2_000, SATURATED);

    static List<CloudWorkload> all() {
        return IntStream.of(RATES).mapToObj(CloudWorkload::new).toList();
    }

    String name() {
        return name(perSecond);
    }

    static String name(int perSecond) {
        return "cloud-" + perSecond;
    }

    /** Whether a quick run has time for it. */
    boolean isQuick() {
        return QUICK_RATES.contains(perSecond);
    }

    boolean isSaturated() {
        return perSecond >= SATURATED;
    }
}
