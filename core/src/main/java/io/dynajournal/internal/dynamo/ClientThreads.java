package io.dynajournal.internal.dynamo;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of one client: workers that send requests and complete their stages, and a timer that only hands tasks to the
 * workers. So neither the HTTP client's event loop nor the JVM's delay thread ever runs code of ours or of the user's. Idle threads
 * end after ten seconds. Thread-safe.
 */
final class ClientThreads implements ClientScheduler {

    private static final Logger log = LoggerFactory.getLogger(ClientThreads.class);
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor workers;
    private final ScheduledThreadPoolExecutor timer;
    private final Queue<Runnable> afterClose = new ConcurrentLinkedQueue<>();
    private final AtomicInteger notRun = new AtomicInteger();
    private final AtomicInteger unfinished = new AtomicInteger();

    ClientThreads() {
        // Nothing here blocks, so more threads than processors would only take turns.
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        workers =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        daemons("dynajournal-client")) {
                    @Override
                    protected void afterExecute(Runnable task, @Nullable Throwable failure) {
                        unfinished.decrementAndGet();
                    }
                };
        workers.allowCoreThreadTimeOut(true);
        timer = new ScheduledThreadPoolExecutor(1, daemons("dynajournal-timer"));
        timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        timer.setRemoveOnCancelPolicy(true);
    }

    private static ThreadFactory daemons(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Runs the task on a worker; after {@link #close} on a caller's thread, so that no stage stays incomplete. */
    @Override
    public void execute(Runnable task) {
        unfinished.incrementAndGet();
        try {
            workers.execute(task);
        } catch (RejectedExecutionException closed) {
            unfinished.decrementAndGet();
            runAfterClose(task);
        }
    }

    @Override
    public <T> T onCallersThread(Supplier<T> task) {
        unfinished.incrementAndGet();
        try {
            return task.get();
        } finally {
            unfinished.decrementAndGet();
        }
    }

    @Override
    public boolean isBusy() {
        return unfinished.get() >= workers.getMaximumPoolSize();
    }

    /** One after another: a request that fails starts the next that waits, and thousands would overflow the stack. */
    private void runAfterClose(Runnable task) {
        afterClose.add(task);
        if (notRun.getAndIncrement() > 0) {
            return;
        }
        do {
            try {
                Objects.requireNonNull(afterClose.poll()).run();
            } catch (Throwable e) {
                // Whatever it is: the tasks after it must run.
                log.error("A task of a closed DynamoDB client failed", e);
            }
        } while (notRun.decrementAndGet() > 0);
    }

    /** Runs the task on a worker. */
    @Override
    public Future<?> after(long nanos, Runnable task) {
        try {
            return timer.schedule(() -> execute(task), nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            FutureTask<Void> atOnce = new FutureTask<>(task, null);
            execute(atOnce);
            return atOnce;
        }
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public double random() {
        return ThreadLocalRandom.current().nextDouble();
    }

    /** For the SDK's own timeouts. */
    ScheduledExecutorService timer() {
        return timer;
    }

    /** Tasks that are queued or scheduled still run. */
    @Override
    public void close() {
        timer.shutdown();
        workers.shutdown();
    }
}
