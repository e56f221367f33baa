package io.dynajournal.internal.dynamo;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Counts what happened in the last second, or since the last restart if that is less. Not thread-safe. */
final class LastSecond {

    private static final int SLOTS = 10;
    private static final long SLOT_NANOS = TimeUnit.SECONDS.toNanos(1) / SLOTS;

    private final int[] counts = new int[SLOTS];
    private boolean started;
    private long start;
    private long slot;

    void add(long now) {
        if (!started) {
            restart(now);
        }
        forget(now);
        counts[(int) Math.floorMod(slot, (long) SLOTS)]++;
    }

    int count(long now) {
        forget(now);
        return Arrays.stream(counts).sum();
    }

    /** Of less than a tenth of a second as if it were that long. */
    double perSecond(long now) {
        long nanos = Math.max(SLOT_NANOS, Math.min(SLOTS * SLOT_NANOS, now - start));
        return count(now) * (double) TimeUnit.SECONDS.toNanos(1) / nanos;
    }

    void restart(long now) {
        Arrays.fill(counts, 0);
        started = true;
        start = now;
        slot = Math.floorDiv(now, SLOT_NANOS);
    }

    private void forget(long now) {
        long current = Math.floorDiv(now, SLOT_NANOS);
        for (long next = Math.max(slot + 1, current - SLOTS + 1); next <= current; next++) {
            counts[(int) Math.floorMod(next, (long) SLOTS)] = 0;
        }
        slot = Math.max(slot, current);
    }
}
