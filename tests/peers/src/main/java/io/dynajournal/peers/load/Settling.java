package io.dynajournal.peers.load;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What goes on behind a load: above all the JIT compiler, which is busy for many seconds with what a load made hot, and would
 * take its CPU from whatever is measured next.
 */
final class Settling {

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final long LOOK_MILLIS = 100;
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private Settling() {}

    /** Ends the phase when the process hardly took CPU for a tenth of a second, or after so many seconds. */
    static void await(int seconds, Phase phase) {
        long begin = System.nanoTime();
        next(begin, begin + TimeUnit.SECONDS.toNanos(seconds), PROCESS.getProcessCpuTime(), phase);
    }

    private static void next(long begin, long end, long before, Phase phase) {
        CompletableFuture.delayedExecutor(LOOK_MILLIS, TimeUnit.MILLISECONDS).execute(() -> {
            long now = PROCESS.getProcessCpuTime();
            if (now - before <= QUIET_NANOS || System.nanoTime() - end >= 0) {
                phase.done(begin, 0);
            } else {
                next(begin, end, now, phase);
            }
        });
    }
}
