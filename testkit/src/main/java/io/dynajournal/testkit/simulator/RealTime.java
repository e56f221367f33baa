package io.dynajournal.testkit.simulator;

import io.dynajournal.internal.dynamo.ClientScheduler;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** One daemon thread and the machine's clock. */
final class RealTime implements ClientScheduler {

    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, task -> {
        Thread created = new Thread(task, "simulated-dynamodb");
        created.setDaemon(true);
        return created;
    });

    @Override
    public void execute(Runnable task) {
        thread.execute(task);
    }

    @Override
    public Future<?> after(long nanos, Runnable task) {
        return thread.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public double random() {
        return ThreadLocalRandom.current().nextDouble();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
