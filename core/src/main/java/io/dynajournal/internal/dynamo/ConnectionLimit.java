package io.dynajournal.internal.dynamo;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Counts the requests of a client that are in flight, whatever their operation, so that no more are sent than there are connections.
 * Requests beyond the limit wait in order. Thread-safe.
 */
final class ConnectionLimit {

    private final int maxConcurrency;
    private final Executor executor;

    // Both guarded by waiting, which is empty unless all connections are in use.
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int inFlight;

    /** @param executor starts the requests that have waited */
    ConnectionLimit(int maxConcurrency, Executor executor) {
        this.maxConcurrency = maxConcurrency;
        this.executor = executor;
    }

    int maxConcurrency() {
        return maxConcurrency;
    }

    /** Takes a connection if one is free. Whoever gets one must {@link #release} it. */
    boolean tryAcquire() {
        synchronized (waiting) {
            if (inFlight == maxConcurrency) {
                return false;
            }
            inFlight++;
            return true;
        }
    }

    /**
     * Runs the task with a connection: at once if one is free, otherwise when the requests that wait already have got theirs. The
     * task must not throw, and must lead to one {@link #release}.
     */
    void acquire(Runnable task) {
        synchronized (waiting) {
            if (inFlight == maxConcurrency) {
                waiting.add(task);
                return;
            }
            inFlight++;
        }
        task.run();
    }

    /** Takes back an {@link #acquire}; false if the task has run or is about to. */
    boolean cancel(Runnable task) {
        synchronized (waiting) {
            return waiting.remove(task);
        }
    }

    /** Gives a connection back, or on to the request that has waited longest. */
    void release() {
        Runnable next;
        synchronized (waiting) {
            next = waiting.poll();
            if (next == null) {
                inFlight--;
            }
        }
        if (next != null) {
            executor.execute(next);
        }
    }
}
