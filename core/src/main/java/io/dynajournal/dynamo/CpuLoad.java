package io.dynajournal.dynamo;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** How much of the processors this process takes, looked at now and then. Thread-safe. */
final class CpuLoad {

    private static final long SPAN_NANOS = TimeUnit.MILLISECONDS.toNanos(40);

    private final LongSupplier cpuNanos;
    private final LongSupplier nanoTime;
    private final int processors;
    private long since;
    private long cpuSince;
    private boolean high;

    /**
     * Begins to look.
     *
     * @param cpuNanos what the process has taken, all processors together; negative if nobody knows
     */
    CpuLoad(LongSupplier cpuNanos, LongSupplier nanoTime, int processors) {
        this.cpuNanos = cpuNanos;
        this.nanoTime = nanoTime;
        this.processors = processors;
        this.since = nanoTime.getAsLong();
        this.cpuSince = cpuNanos.getAsLong();
    }

    static CpuLoad ofProcess() {
        ProcessHandle process = ProcessHandle.current();
        LongSupplier cpu =
                () -> process.info().totalCpuDuration().map(Duration::toNanos).orElse(-1L);
        return new CpuLoad(cpu, System::nanoTime, Runtime.getRuntime().availableProcessors());
    }

    /** Whether it took more than half of them in the last 40 ms or more; always, if nobody knows. */
    synchronized boolean isHigh() {
        long now = nanoTime.getAsLong();
        long span = now - since;
        if (span >= SPAN_NANOS) {
            long cpu = cpuNanos.getAsLong();
            high = cpu < 0 || (cpu - cpuSince) * 2 > span * processors;
            since = now;
            cpuSince = cpu;
        }
        return high;
    }
}
