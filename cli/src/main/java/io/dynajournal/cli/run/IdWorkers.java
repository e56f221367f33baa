package io.dynajournal.cli.run;

import java.util.Iterator;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Handles persistence ids concurrently, a limited number at a time, each on a thread of its own. */
public final class IdWorkers {

    private final int inFlight;
    private final BooleanSupplier stopped;

    public IdWorkers(int inFlight, BooleanSupplier stopped) {
        this.inFlight = inFlight;
        this.stopped = stopped;
    }

    /**
     * Returns when all that were started are done. The work reports its own exceptions; an error, such as a lack of memory, is
     * thrown at the end, because the persistence id that met it was not handled.
     */
    public void forEach(Iterator<String> ids, Consumer<String> work) {
        ExecutorService threads = Executors.newFixedThreadPool(inFlight);
        Semaphore free = new Semaphore(inFlight);
        AtomicReference<@Nullable Error> error = new AtomicReference<>();
        try {
            while (!stopped.getAsBoolean() && error.get() == null && ids.hasNext()) {
                String id = ids.next();
                free.acquireUninterruptibly();
                threads.execute(() -> {
                    try {
                        work.accept(id);
                    } catch (Error e) {
                        error.compareAndSet(null, e);
                    } finally {
                        free.release();
                    }
                });
            }
        } finally {
            free.acquireUninterruptibly(inFlight);
            threads.shutdown();
            awaitEnd(threads);
        }
        Error met = error.get();
        if (met != null) {
            throw new IllegalStateException("Not all persistence ids were handled: " + met, met);
        }
    }

    private static void awaitEnd(ExecutorService threads) {
        try {
            if (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("Idle threads did not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
