package io.dynajournal.cli.run;

import io.dynajournal.cli.terminal.Console;
import io.dynajournal.listener.RequestListener;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Work that takes long: it shows its progress, keeps below a rate of capacity units, stops between two steps on Ctrl-C, and
 * records what is done so that it can be continued. Close it at the end of the work. Thread-safe.
 *
 * <pre>{@code
 * try (LongRun run = options.start(console, "ids", identity);
 *         Stores stores = new Stores(settings, run.listener())) {
 *     for (String id : ids) {
 *         run.pace();
 *         ... // one step
 *         run.checkpoint().done(id);
 *         run.progress(1);
 *     }
 * }
 * }</pre>
 */
public final class LongRun implements AutoCloseable {

    /** Ctrl-C: the work ends here. */
    public static final class Stopped extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("stopped");
        }
    }

    /** The JVM waits this long after Ctrl-C for the step that is being done. */
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);

    private final Console console;
    private final String unit;
    private final CapacityMeter meter = new CapacityMeter();
    private final CapacityLimit limit;
    private final Checkpoint checkpoint;
    private final Progress progress;
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong total = new AtomicLong(-1);
    private final CountDownLatch stopRequested = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread onExit = new Thread(this::stopAndWait, "dynajournal-stop");

    public LongRun(Console console, String unit, CapacityLimit.Rates rates, Checkpoint checkpoint) {
        this.console = console;
        this.unit = unit;
        this.limit = new CapacityLimit(rates, System::nanoTime);
        this.checkpoint = checkpoint;
        this.progress = Progress.of(console, unit);
        Runtime.getRuntime().addShutdownHook(onExit);
    }

    /** Counts the capacity; every client of the run must have it. */
    public RequestListener listener() {
        return meter;
    }

    public Checkpoint checkpoint() {
        return checkpoint;
    }

    /** How much there is to do in all, or about how much; beyond that the rest is shown as unknown. */
    public void total(long units) {
        total.set(units);
    }

    /** Adds to what is done. */
    public void progress(long units) {
        long sum = done.addAndGet(units);
        long all = total.get();
        progress.update(sum, sum > all ? -1 : all, consumed());
    }

    public long done() {
        return done.get();
    }

    /** Whether no further step may begin. */
    public boolean isStopped() {
        return stopRequested.getCount() == 0;
    }

    /** Asks the work to end after the step that is being done. */
    public void stop() {
        stopRequested.countDown();
    }

    /**
     * Waits until the next step may begin.
     *
     * @throws Stopped if the work is to end
     */
    public void pace() {
        try {
            long wait = limit.nanosToWait(meter.read(), meter.written());
            while (wait > 0 && !stopRequested.await(wait, TimeUnit.NANOSECONDS)) {
                wait = limit.nanosToWait(meter.read(), meter.written());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop();
        }
        if (isStopped()) {
            throw new Stopped();
        }
    }

    /** Waits; returns whether the time has passed, and not the work is to end. */
    public boolean await(Duration time) {
        try {
            return !stopRequested.await(Math.max(0, time.toNanos()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop();
            return false;
        }
    }

    /** The capacity units so far, for people. */
    public String consumed() {
        return String.format(Locale.ROOT, "%,.1f read units, %,.1f write units", meter.read(), meter.written());
    }

    private void stopAndWait() {
        stop();
        try {
            if (!ended.await(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                console.say("The step that was being done has not ended within " + STOP_TIMEOUT.toSeconds() + " s.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Says what was done, and how to continue if that is not all. */
    @Override
    public void close() {
        progress.close();
        checkpoint.close();
        console.say(String.format(Locale.ROOT, "%,d %s done, %s.", done.get(), unit, consumed()));
        if (isStopped()) {
            @Nullable Object file = checkpoint.file();
            console.say(
                    file == null
                            ? "Stopped. There is no --checkpoint, so the same command begins again."
                            : "Stopped. The same command continues from " + file + ".");
        }
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(onExit);
        } catch (IllegalStateException exiting) {
            // The JVM is ending, and the hook has just been released.
        }
    }
}
