package io.dynajournal.store;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Hands tasks over to others, so that whoever brings them can go on; but a task that comes after a pause is done by who
 * brings it, because then nothing else waits, and to wake another thread takes longer than many a task. Thread-safe.
 */
public final class HandOver implements Executor {

    private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(50);

    /** Who has something long to do is not kept from its own work by the next one. */
    private static final long LONG = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long AFTER_LONG = TimeUnit.SECONDS.toNanos(1);

    private final Executor others;
    private final LongSupplier nanoTime;
    private volatile long notBefore;

    public HandOver(Executor others) {
        this(others, System::nanoTime);
    }

    HandOver(Executor others, LongSupplier nanoTime) {
        this.others = others;
        this.nanoTime = nanoTime;
        this.notBefore = nanoTime.getAsLong();
    }

    @Override
    public void execute(Runnable task) {
        long begin = nanoTime.getAsLong();
        if (begin - notBefore < 0) {
            if (begin + PAUSE - notBefore > 0) {
                notBefore = begin + PAUSE;
            }
            others.execute(task);
            return;
        }
        try {
            task.run();
        } finally {
            long end = nanoTime.getAsLong();
            notBefore = end + (end - begin > LONG ? AFTER_LONG : PAUSE);
        }
    }
}
