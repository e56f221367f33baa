package io.dynajournal.internal.dynamo;

import io.dynajournal.listener.Lane;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Requests, their retries and a table that takes 300 a second, in simulated time: what {@link FlowControl} makes of entities that all
 * recover while others write. A storm of minutes takes a fraction of a second, and the same seed gives the same storm.
 */
final class SimulatedStorm {

    /** Requests that the table takes in a second. */
    static final int CAPACITY = 300;

    private static final int WRITERS = 50;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long WRITE_EVERY = SECOND / 2;

    private record Event(long at, long number, Runnable task) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
    private final Random random;
    private final FlowControl flow;
    private final ThrottleSignal signal;
    private final List<Long> writes = new ArrayList<>();
    private long number;
    private long now = SECOND;
    private double tokens = CAPACITY;
    private long refilled = now;
    private boolean writing = true;
    private int failed;
    private int recovered;

    SimulatedStorm(long seed, boolean slowsDown, ThrottleSignal signal) {
        this.random = new Random(seed);
        this.signal = signal;
        this.flow = new FlowControl(50, slowsDown, task -> in(0, task), this::in, () -> now);
    }

    private void in(long nanos, Runnable task) {
        events.add(new Event(now + nanos, number++, task));
    }

    /** Requests that were given up after the call timeout. */
    int failed() {
        return failed;
    }

    int recovered() {
        return recovered;
    }

    /** Lets more writers write than the table takes; returns how many writes a second are stored. */
    double overload(int writers, int seconds) {
        start(writers);
        run(now + seconds * SECOND, Integer.MAX_VALUE);
        return writes.size() / (double) seconds;
    }

    private void start(int writers) {
        for (int i = 0; i < writers; i++) {
            in(random.nextLong(WRITE_EVERY), this::write);
        }
    }

    /** Lets the writers write for some seconds; returns the 99th percentile of their writes in milliseconds. */
    double calm(int seconds) {
        start(WRITERS);
        run(now + seconds * SECOND, Integer.MAX_VALUE);
        return takeP99();
    }

    /** Entities recover, some at once, while the writers go on; returns as {@link #calm}. */
    double storm(int entities, int concurrently) {
        int[] left = {entities - concurrently};
        for (int i = 0; i < concurrently; i++) {
            in(0, () -> recover(left));
        }
        run(now + 600 * SECOND, entities);
        writing = false;
        return takeP99();
    }

    private void run(long end, int untilRecovered) {
        while (!events.isEmpty() && now < end && recovered + failed < untilRecovered) {
            Event next = events.remove();
            now = next.at();
            next.task().run();
        }
    }

    private double takeP99() {
        long[] sorted = writes.stream().mapToLong(Long::longValue).sorted().toArray();
        writes.clear();
        return sorted[(int) (sorted.length * 0.99)] / 1e6;
    }

    private void write() {
        if (writing) {
            long started = now;
            in(WRITE_EVERY, this::write);
            new Call(new RequestKind(Lane.WRITE, "events", true), ended -> writes.add(ended - started)).acquire();
        }
    }

    private void recover(int[] left) {
        new Call(new RequestKind(Lane.RECOVERY, "events", false), ended -> {
                    recovered++;
                    if (left[0]-- > 0) {
                        recover(left);
                    }
                })
                .acquire();
    }

    /** As {@link RetryingCall}, in simulated time. */
    private final class Call {
        private final RequestKind kind;
        private final LongConsumer done;
        private final long deadline = now + RetrySettings.DEFAULTS.callTimeout().toNanos();
        private int attempts;

        Call(RequestKind kind, LongConsumer done) {
            this.kind = kind;
            this.done = done;
        }

        void acquire() {
            flow.acquire(kind, this::send);
        }

        private void send() {
            if (now > deadline) {
                flow.release(kind);
                failed++;
                return;
            }
            long sent = now;
            attempts++;
            boolean accepted = takeToken();
            in(latency(), () -> {
                if (accepted) {
                    flow.served(kind);
                    done.accept(now);
                } else {
                    flow.throttled(kind, signal, sent);
                    long delay = Backoff.delayMillis(attempts, random.nextDouble(), RetrySettings.DEFAULTS);
                    in(TimeUnit.MILLISECONDS.toNanos(delay), this::acquire);
                }
            });
        }
    }

    private boolean takeToken() {
        tokens = Math.min(CAPACITY, tokens + CAPACITY * (now - refilled) / (double) SECOND);
        refilled = now;
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }

    /** As DynamoDB's, in milliseconds: floor 1.5, median 4, 99th percentile 30. */
    private long latency() {
        double excess = 2.5 * Math.exp(random.nextGaussian() * 1.05);
        return (long) ((1.5 + excess) * 1e6);
    }

    @Override
    public String toString() {
        return Arrays.toString(new int[] {recovered, failed}) + " after " + now / SECOND + " s";
    }
}
