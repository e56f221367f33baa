package io.dynajournal.bench;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Waits for what goes on behind a load: above all the JIT compilers, which are busy for many seconds with what a load made hot,
 * and would take their CPU from whatever is measured next. That of the server counts, and so do those of the other plugins.
 */
final class Quiet {

    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration HARDLY = Duration.ofMillis(10);

    private Quiet() {}

    /** Until this process and all that it has started hardly took CPU for a moment, or for so long. */
    static void await(Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        Map<Long, Duration> before = cpu();
        do {
            try {
                Thread.sleep(LOOK.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
            Map<Long, Duration> now = cpu();
            if (isQuiet(before, now)) {
                return;
            }
            before = now;
        } while (System.nanoTime() - end < 0);
    }

    private static boolean isQuiet(Map<Long, Duration> before, Map<Long, Duration> now) {
        return now.entrySet().stream()
                .allMatch(process -> process.getValue()
                                .minus(before.getOrDefault(process.getKey(), Duration.ZERO))
                                .compareTo(HARDLY)
                        <= 0);
    }

    private static Map<Long, Duration> cpu() {
        Map<Long, Duration> cpu = new HashMap<>();
        ProcessHandle self = ProcessHandle.current();
        Stream.concat(Stream.of(self), self.descendants())
                .forEach(
                        process -> process.info().totalCpuDuration().ifPresent(taken -> cpu.put(process.pid(), taken)));
        return cpu;
    }
}
