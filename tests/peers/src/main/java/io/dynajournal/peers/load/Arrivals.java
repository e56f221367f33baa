package io.dynajournal.peers.load;

import java.util.Random;

/**
 * When operations are to start and on which entities: a Poisson process over entities chosen at random. The same for the same
 * seed, so every plugin is offered the same load.
 */
final class Arrivals {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    private final long[] offsets;
    private final int[] entities;

    private Arrivals(long[] offsets, int[] entities) {
        this.offsets = offsets;
        this.entities = entities;
    }

    /** @param perSecond the mean rate */
    static Arrivals poisson(int perSecond, long millis, int entityCount, long seed) {
        Random random = new Random(seed);
        int count = (int) (perSecond * millis / 1_000);
        long[] offsets = new long[count];
        int[] entities = new int[count];
        double at = 0;
        for (int i = 0; i < count; i++) {
            at -= Math.log(1 - random.nextDouble()) / perSecond;
            offsets[i] = (long) (at * NANOS_PER_SECOND);
            entities[i] = random.nextInt(entityCount);
        }
        // The last one arrives at the end exactly, so that the rate is the same for every seed.
        double scale = count == 0 ? 1 : millis * NANOS_PER_MILLI / Math.max(1, offsets[count - 1]);
        for (int i = 0; i < count; i++) {
            offsets[i] = (long) (offsets[i] * scale);
        }
        return new Arrivals(offsets, entities);
    }

    int count() {
        return offsets.length;
    }

    /** The offset of the last arrival. */
    long end() {
        return offsets.length == 0 ? 0 : offsets[offsets.length - 1];
    }

    /** Nanoseconds after the beginning. */
    long offset(int index) {
        return offsets[index];
    }

    int entity(int index) {
        return entities[index];
    }
}
