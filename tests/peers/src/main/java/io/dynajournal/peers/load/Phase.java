package io.dynajournal.peers.load;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Times a number of operations, and what the whole process spends meanwhile. The allocated bytes are those of threads that live
 * at the end. Thread-safe.
 */
final class Phase {

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long[] latencies;
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger recorded = new AtomicInteger();
    private final AtomicLong events = new AtomicLong();
    private final CompletableFuture<String> end = new CompletableFuture<>();
    private final Map<Long, Long> allocatedBefore;
    private final long cpuBefore;
    private final long begin;

    Phase(int operations) {
        this.latencies = new long[operations];
        this.allocatedBefore = allocated();
        this.cpuBefore = PROCESS.getProcessCpuTime();
        this.begin = System.nanoTime();
    }

    /** Fields with tabs between: operations, events, nanoseconds, those of the CPU, bytes, median and 99th percentile. */
    CompletableFuture<String> end() {
        return end;
    }

    /** An operation has ended. */
    void done(long since, int withEvents) {
        long now = System.nanoTime();
        int place = recorded.getAndIncrement();
        if (place >= latencies.length) {
            fail(new IllegalStateException("more than " + latencies.length + " operations"));
            return;
        }
        latencies[place] = now - since;
        events.addAndGet(withEvents);
        if (done.incrementAndGet() == latencies.length) {
            finish(now);
        }
    }

    void fail(Throwable cause) {
        end.completeExceptionally(cause);
    }

    private void finish(long now) {
        long cpu = PROCESS.getProcessCpuTime() - cpuBefore;
        long bytes = 0;
        for (Map.Entry<Long, Long> thread : allocated().entrySet()) {
            bytes += thread.getValue() - allocatedBefore.getOrDefault(thread.getKey(), 0L);
        }
        Arrays.sort(latencies);
        end.complete(String.join(
                "\t",
                Integer.toString(latencies.length),
                events.toString(),
                Long.toString(now - begin),
                Long.toString(cpu),
                Long.toString(bytes),
                Long.toString(percentile(50)),
                Long.toString(percentile(99))));
    }

    private long percentile(int percent) {
        return latencies[Math.max(0, (int) Math.ceil(latencies.length * percent / 100.0) - 1)];
    }

    /** By thread. */
    private static Map<Long, Long> allocated() {
        long[] threads = THREADS.getAllThreadIds();
        long[] bytes = THREADS.getThreadAllocatedBytes(threads);
        Map<Long, Long> allocated = new HashMap<>();
        for (int i = 0; i < threads.length; i++) {
            // Negative of one that has ended.
            allocated.put(threads[i], Math.max(0, bytes[i]));
        }
        return allocated;
    }
}
