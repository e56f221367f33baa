package io.dynajournal.testkit.simulator;

import io.dynajournal.internal.dynamo.ClientScheduler;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * A scheduler whose time passes only while its tasks run: hours take no time, and the same seed runs the same tasks in the same
 * order. Tasks that are due at the same moment run in an order that the seed decides. All of it runs on the thread that calls
 * {@link #await} or {@link #run}. Not thread-safe.
 */
public final class VirtualTime implements ClientScheduler {

    private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

    private record Task(long atNanos, int lot, long number, FutureTask<Void> work) {}

    private final SplittableRandom random;
    private final PriorityQueue<Task> tasks = new PriorityQueue<>(
            Comparator.comparingLong(Task::atNanos).thenComparingInt(Task::lot).thenComparingLong(Task::number));
    private long nowNanos;
    private long scheduled;
    private long ran;

    /** @param seed decides the order of tasks that are due together, and the spread of retries */
    public VirtualTime(long seed) {
        this.random = new SplittableRandom(seed);
    }

    @Override
    public void execute(Runnable task) {
        after(0, task);
    }

    @Override
    public Future<?> after(long nanos, Runnable task) {
        FutureTask<Void> work = new FutureTask<>(task, null);
        tasks.add(new Task(nowNanos + Math.max(0, nanos), random.nextInt(), scheduled++, work));
        return work;
    }

    @Override
    public long nanoTime() {
        return nowNanos;
    }

    @Override
    public double random() {
        return random.nextDouble();
    }

    /** How many tasks have run; equal for two runs of the same seed. */
    public long tasksRun() {
        return ran;
    }

    /** The clock of this time. */
    public Clock clock() {
        return clock(Duration.ZERO);
    }

    /** A clock that is wrong by a duration. */
    public Clock clock(Duration ahead) {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return EPOCH.plusNanos(nowNanos).plus(ahead);
            }
        };
    }

    /** Runs the next task; false if there is none. */
    public boolean runNext() {
        Task next = tasks.poll();
        if (next == null) {
            return false;
        }
        if (next.work.isCancelled()) {
            return true;
        }
        nowNanos = Math.max(nowNanos, next.atNanos);
        ran++;
        next.work.run();
        if (!next.work.isCancelled()) {
            try {
                next.work.get();
            } catch (Exception e) {
                throw new IllegalStateException("A task of the simulation failed", e);
            }
        }
        return true;
    }

    /** Runs what is due within a duration, and lets that much time pass. */
    public void run(Duration duration) {
        long end = nowNanos + duration.toNanos();
        while (!tasks.isEmpty() && tasks.peek().atNanos <= end) {
            runNext();
        }
        nowNanos = end;
    }

    /** Runs until nothing is left to do. */
    public void runAll() {
        while (runNext()) {
            // runNext did the work.
        }
    }

    /** Runs until the stage has completed; fails if nothing is left to do before. */
    public <T> T await(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        while (!future.isDone()) {
            if (!runNext()) {
                throw new IllegalStateException("Nothing is left to do, and the stage has not completed.");
            }
        }
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        tasks.clear();
    }
}
