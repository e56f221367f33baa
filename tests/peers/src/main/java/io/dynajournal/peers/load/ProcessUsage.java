package io.dynajournal.peers.load;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/** CPU time and allocated bytes of this process since an instance was created. Threads that have ended are not counted. */
final class ProcessUsage {

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Map<Long, Long> allocatedBefore = allocatedByThread();
    private final long cpuBefore = PROCESS.getProcessCpuTime();

    record Usage(long cpuNanos, long allocatedBytes) {}

    Usage soFar() {
        long cpuNanos = PROCESS.getProcessCpuTime() - cpuBefore;
        long bytes = 0;
        for (Map.Entry<Long, Long> thread : allocatedByThread().entrySet()) {
            bytes += thread.getValue() - allocatedBefore.getOrDefault(thread.getKey(), 0L);
        }
        return new Usage(cpuNanos, bytes);
    }

    private static Map<Long, Long> allocatedByThread() {
        long[] threads = THREADS.getAllThreadIds();
        long[] bytes = THREADS.getThreadAllocatedBytes(threads);
        Map<Long, Long> allocated = new HashMap<>();
        for (int i = 0; i < threads.length; i++) {
            // Negative for a thread that has just ended.
            allocated.put(threads[i], Math.max(0, bytes[i]));
        }
        return allocated;
    }
}
