package io.dynajournal.peers.load;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The JIT compiler, which goes on with what a load made hot for many seconds after it, on CPU of the next one. */
final class Compiler {

    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();
    private static final long QUIET_MILLIS = 50;

    private Compiler() {}

    /** Ends the phase when hardly anything was compiled for a second, or after so many seconds. */
    static void awaitQuiet(int seconds, Phase phase) {
        next(System.nanoTime(), COMPILER.getTotalCompilationTime(), seconds, phase);
    }

    private static void next(long since, long before, int seconds, Phase phase) {
        CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(() -> {
            long now = COMPILER.getTotalCompilationTime();
            if (now - before < QUIET_MILLIS || seconds <= 1) {
                phase.done(since, 0);
            } else {
                next(since, now, seconds - 1, phase);
            }
        });
    }
}
