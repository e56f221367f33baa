package io.dynajournal.peers.load;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The JIT compiler, which goes on with what a load made hot for many seconds after it, on CPU of the next one. */
final class Compiler {

    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();
    private static final long LOOK_MILLIS = 200;
    private static final long QUIET_MILLIS = 10;

    private Compiler() {}

    /** Ends the phase when hardly anything was compiled for a fifth of a second, or after so many seconds. */
    static void awaitQuiet(int seconds, Phase phase) {
        long begin = System.nanoTime();
        next(begin, begin + TimeUnit.SECONDS.toNanos(seconds), COMPILER.getTotalCompilationTime(), phase);
    }

    private static void next(long begin, long end, long before, Phase phase) {
        CompletableFuture.delayedExecutor(LOOK_MILLIS, TimeUnit.MILLISECONDS).execute(() -> {
            long now = COMPILER.getTotalCompilationTime();
            if (now - before < QUIET_MILLIS || System.nanoTime() - end >= 0) {
                phase.done(begin, 0);
            } else {
                next(begin, end, now, phase);
            }
        });
    }
}
