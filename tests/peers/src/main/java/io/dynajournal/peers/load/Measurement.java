package io.dynajournal.peers.load;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Times a known number of operations, and what the process uses until the last has ended. Thread-safe. */
final class Measurement {

    private final long[] latencies;
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger recorded = new AtomicInteger();
    private final AtomicLong events = new AtomicLong();
    private final CompletableFuture<String> result = new CompletableFuture<>();
    private final ProcessUsage usage = new ProcessUsage();
    private final long begin = System.nanoTime();

    Measurement(int operations) {
        this.latencies = new long[operations];
    }

    /** Completes with the fields of {@link #fields}. */
    CompletableFuture<String> result() {
        return result;
    }

    /** Records the end of an operation. */
    void done(long since, int withEvents) {
        long now = System.nanoTime();
        int index = recorded.getAndIncrement();
        if (index >= latencies.length) {
            fail(new IllegalStateException("more than " + latencies.length + " operations"));
            return;
        }
        latencies[index] = now - since;
        events.addAndGet(withEvents);
        if (done.incrementAndGet() == latencies.length) {
            result.complete(fields(latencies.length, events.get(), now - begin, usage.soFar(), latencies));
        }
    }

    void fail(Throwable cause) {
        result.completeExceptionally(cause);
    }

    /**
     * Numbers separated by tabs: operations, events, elapsed nanoseconds, CPU nanoseconds, allocated bytes, and the latencies'
     * 50th, 99th and 99.9th percentile in nanoseconds.
     */
    static String fields(long operations, long events, long nanos, ProcessUsage.Usage usage, long[] latencies) {
        Percentiles percentiles = new Percentiles(latencies);
        return operations + "\t" + events + "\t" + nanos + "\t" + usage.cpuNanos() + "\t" + usage.allocatedBytes()
                + "\t" + percentiles.at(50) + "\t" + percentiles.at(99) + "\t" + percentiles.at(99.9);
    }
}
