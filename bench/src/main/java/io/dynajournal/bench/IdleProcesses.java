package io.dynajournal.bench;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Waits until all processes of the benchmark are idle. After a load the JIT compilers are busy for many seconds, in the server
 * and in the other plugins' JVMs too, and would take CPU from the next measurement.
 */
final class IdleProcesses {

    private static final Duration CHECK_INTERVAL = Duration.ofMillis(50);
    private static final Duration IDLE_CPU = Duration.ofMillis(10);

    private IdleProcesses() {}

    /** Returns when this process and its descendants have used hardly any CPU for a moment, or after the given time. */
    static void await(Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        Map<Long, Duration> before = cpu();
        do {
            try {
                Thread.sleep(CHECK_INTERVAL.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
            Map<Long, Duration> now = cpu();
            if (isIdle(before, now)) {
                return;
            }
            before = now;
        } while (System.nanoTime() - end < 0);
    }

    private static boolean isIdle(Map<Long, Duration> before, Map<Long, Duration> now) {
        return now.entrySet().stream()
                .allMatch(process -> process.getValue()
                                .minus(before.getOrDefault(process.getKey(), Duration.ZERO))
                                .compareTo(IDLE_CPU)
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
