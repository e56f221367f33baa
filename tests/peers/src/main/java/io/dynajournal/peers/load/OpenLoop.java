package io.dynajournal.peers.load;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Starts operations by the clock, whether or not earlier ones have ended, as users' requests arrive. An entity has one
 * operation in flight; further ones wait for it. A latency counts from the intended start, so time spent waiting for a slow
 * operation, or because this generator was late, is part of it.
 *
 * <p>The first part of the arrivals is a lead-in that is not measured. The measurement ends with the last arrival, however many
 * operations are still waiting: the throughput is what was acknowledged by then. Operations that still wait
 * are dropped then and count with the time they have waited; those in flight are awaited. Thread-safe.
 */
final class OpenLoop {

    interface Operation {

        /** Starts an operation without blocking. Its end is reported to {@link #done} or {@link #fail}. */
        void start(OpenLoop loop, int entity, int index);
    }

    private static final long UNFINISHED = Long.MIN_VALUE;
    private static final long MAX_WAIT_MILLIS = 30_000;
    private static final long NANOS_PER_MILLI = 1_000_000;
    /** A load that takes longer than this beyond its last arrival is cut off; what has not started counts as waiting. */
    private static final long MAX_LATENESS_NANOS = 100_000_000;

    private final Arrivals arrivals;
    private final long leadInNanos;
    private final int maxInFlight;
    private final Operation operation;
    private final CompletableFuture<String> result = new CompletableFuture<>();
    private final Object lock = new Object();

    // Guarded by the lock.
    private final Queue<Integer>[] waitingByEntity;
    private final boolean[] busy;
    private final Queue<Integer> ready = new ArrayDeque<>();
    private final long[] ends;
    private int inFlight;
    private boolean stopped;

    private volatile long begin;

    /**
     * Creates a loop that has not begun.
     *
     * @param maxInFlight of all entities; further operations wait
     */
    OpenLoop(Arrivals arrivals, int entities, long leadInMillis, int maxInFlight, Operation operation) {
        this.arrivals = arrivals;
        this.leadInNanos = leadInMillis * NANOS_PER_MILLI;
        this.maxInFlight = maxInFlight;
        this.operation = operation;
        this.waitingByEntity = queues(entities);
        this.busy = new boolean[entities];
        this.ends = new long[arrivals.count()];
        Arrays.fill(ends, UNFINISHED);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of generic queues
    private static Queue<Integer>[] queues(int count) {
        Queue<Integer>[] queues = new Queue[count];
        Arrays.setAll(queues, index -> new ArrayDeque<>());
        return queues;
    }

    /** Completes with the fields of {@link Measurement#fields}. */
    CompletableFuture<String> result() {
        return result;
    }

    /** Starts the load on a thread of its own. */
    void begin() {
        Thread thread = new Thread(this::run, "arrivals");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            begin = System.nanoTime();
            ProcessUsage usage = new ProcessUsage();
            boolean measuring = false;
            for (int index = 0; index < arrivals.count() && !isOver(); index++) {
                if (!measuring && arrivals.offset(index) >= leadInNanos) {
                    awaitOffset(leadInNanos);
                    usage = new ProcessUsage();
                    measuring = true;
                }
                awaitOffset(arrivals.offset(index));
                arrive(index);
            }
            end(usage.soFar());
        } catch (InterruptedException | RuntimeException e) {
            fail(e);
        }
    }

    /** Whether an operation has failed, or the machine is too slow to start all operations in time. */
    private boolean isOver() {
        return result.isDone() || remaining(arrivals.end() + MAX_LATENESS_NANOS) < 0;
    }

    private void awaitOffset(long offset) {
        for (long wait = remaining(offset); wait > 0; wait = remaining(offset)) {
            LockSupport.parkNanos(wait);
        }
    }

    private long remaining(long offset) {
        return begin + offset - System.nanoTime();
    }

    private void arrive(int index) {
        int entity = arrivals.entity(index);
        synchronized (lock) {
            if (busy[entity]) {
                waitingByEntity[entity].add(index);
                return;
            }
            busy[entity] = true;
            ready.add(index);
        }
        startReady();
    }

    /** Reports that the operation of an index has succeeded. */
    void done(int index) {
        long now = System.nanoTime();
        int entity = arrivals.entity(index);
        synchronized (lock) {
            ends[index] = now;
            inFlight--;
            Integer next = waitingByEntity[entity].poll();
            if (next == null) {
                busy[entity] = false;
            } else {
                ready.add(next);
            }
            if (stopped && inFlight == 0) {
                lock.notifyAll();
            }
        }
        startReady();
    }

    /** Reports that an operation has failed, and so the whole load. */
    void fail(Throwable cause) {
        result.completeExceptionally(cause);
    }

    private void startReady() {
        while (true) {
            int next;
            synchronized (lock) {
                if (stopped || ready.isEmpty() || inFlight >= maxInFlight) {
                    return;
                }
                inFlight++;
                next = ready.remove();
            }
            operation.start(this, arrivals.entity(next), next);
        }
    }

    private void end(ProcessUsage.Usage usage) throws InterruptedException {
        long now = System.nanoTime();
        synchronized (lock) {
            stopped = true;
            // The next load must not meet operations of this one.
            long deadline = now + MAX_WAIT_MILLIS * NANOS_PER_MILLI;
            for (long wait = MAX_WAIT_MILLIS; inFlight > 0 && wait > 0; wait = millisUntil(deadline)) {
                lock.wait(wait);
            }
            if (inFlight > 0) {
                fail(new IllegalStateException(
                        inFlight + " operations had no answer " + MAX_WAIT_MILLIS + " ms after the load"));
                return;
            }
            long ended = Arrays.stream(ends).filter(end -> end != UNFINISHED).count();
            result.complete(
                    Measurement.fields(ended, acknowledged(now), now - begin - leadInNanos, usage, latencies(now)));
        }
    }

    private static long millisUntil(long deadline) {
        return (deadline - System.nanoTime()) / NANOS_PER_MILLI;
    }

    /** Of the operations that arrived after the lead-in. */
    private long[] latencies(long now) {
        return IntStream.range(0, arrivals.count())
                .filter(index -> arrivals.offset(index) >= leadInNanos)
                .mapToLong(index -> (ends[index] == UNFINISHED ? now : ends[index]) - begin - arrivals.offset(index))
                .toArray();
    }

    /** How many operations ended between the lead-in and the last arrival. */
    private long acknowledged(long now) {
        return Arrays.stream(ends)
                .filter(end -> end != UNFINISHED && end - begin >= leadInNanos && end - now <= 0)
                .count();
    }
}
