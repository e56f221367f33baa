package io.dynajournal.internal.dynamo;

import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * Where a client's tasks run, and the clock of its delays and timeouts. Threads and {@link System#nanoTime} in production; a
 * simulation passes its own, so that the same seed makes the same requests in the same order. Thread-safe.
 */
public interface ClientScheduler extends Executor, AutoCloseable {

    /** Whether a task would have to wait for a thread now. A simulation has as many threads as tasks. */
    default boolean isBusy() {
        return false;
    }

    /** Runs a task on the caller's thread, which counts as one of the client's until it ends. */
    default <T> T onCallersThread(Supplier<T> task) {
        return task.get();
    }

    /** Runs the task after a delay, unless it is cancelled before. */
    Future<?> after(long nanos, Runnable task);

    /** As {@link System#nanoTime}. */
    long nanoTime();

    /** Spreads retries: between 0 inclusive and 1 exclusive. */
    double random();

    @Override
    void close();
}
