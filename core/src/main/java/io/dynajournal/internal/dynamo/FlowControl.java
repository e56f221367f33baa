package io.dynajournal.internal.dynamo;

import io.dynajournal.internal.dynamo.LaneQueues.Waiting;
import io.dynajournal.listener.Lane;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when each request of a client is sent. No more are in flight than there are connections; lanes go before one another; what
 * throttles gets fewer requests beside the writes ({@link Pace}). A request that must wait is started later, on the executor. Thread-safe.
 */
final class FlowControl {

    /** Runs a task after a delay in nanoseconds. */
    interface Timer {
        void after(long nanos, Runnable task);
    }

    /** Of this number of requests that had to wait, one is the oldest, whatever its lane. */
    private static final int OLDEST_OF = 8;

    private static final long NEVER = Long.MAX_VALUE;

    private final int maxConcurrency;
    private final boolean slowsDown;
    private final Executor executor;
    private final Timer timer;
    private final LongSupplier nanoTime;

    // Guarded by queues.
    private final LaneQueues queues = new LaneQueues();
    private final Paces paces = new Paces();
    // Requests of the lane and of those after it.
    private final Map<Lane, Integer> inFlight = new EnumMap<>(Lane.class);
    private int turns;
    private long wakeUpNanos = NEVER;
    private boolean timerWaits = true;

    /**
     * @param slowsDown whether what throttles gets fewer requests
     * @param executor starts the requests that have waited
     */
    FlowControl(int maxConcurrency, boolean slowsDown, Executor executor, Timer timer, LongSupplier nanoTime) {
        this.maxConcurrency = maxConcurrency;
        this.slowsDown = slowsDown;
        this.executor = executor;
        this.timer = timer;
        this.nanoTime = nanoTime;
    }

    static FlowControl of(ClientSettings settings, ClientScheduler threads) {
        return new FlowControl(
                settings.maxConcurrency(), settings.flowControl(), threads, threads::after, threads::nanoTime);
    }

    /** The failure of a request of this lane that found no connection in time. */
    NoConnectionException noConnection(Lane lane) {
        return new NoConnectionException(lane, connections(lane), maxConcurrency);
    }

    /** Whether requests of this kind are slowed down now, because DynamoDB throttles. */
    boolean isSlowedDown(RequestKind kind) {
        synchronized (queues) {
            return slowsDown && paces.limits(kind, nanoTime.getAsLong());
        }
    }

    /** Takes a connection if a request of this kind may be sent now. The caller must release it. */
    boolean tryAcquire(RequestKind kind) {
        synchronized (queues) {
            long now = nanoTime.getAsLong();
            if (queues.contains(kind) || !maySend(kind, now)) {
                return false;
            }
            take(kind);
            return true;
        }
    }

    /**
     * Runs the task with a connection: at once if a request of this kind may be sent, otherwise in its turn. The task must not throw,
     * and must lead to one release.
     */
    void acquire(RequestKind kind, Runnable task) {
        if (tryAcquire(kind)) {
            task.run();
        } else {
            start(() -> queues.add(kind, task));
        }
    }

    /** Takes back an {@link #acquire}; false if the task has run or is about to. */
    boolean cancel(RequestKind kind, Runnable task) {
        synchronized (queues) {
            return queues.remove(kind, task);
        }
    }

    /** Gives back the connection of a request that was not sent, or of which nothing is known. */
    void release(RequestKind kind) {
        start(() -> count(kind, -1));
    }

    /** Gives back the connection of a request that DynamoDB has answered without throttling it. */
    void served(RequestKind kind) {
        start(() -> {
            count(kind, -1);
            if (slowsDown) {
                paces.served(kind, nanoTime.getAsLong());
            }
        });
    }

    /**
     * Gives back the connection of a throttled request.
     *
     * @param sentAt when it was sent, by the clock of this
     */
    void throttled(RequestKind kind, ThrottleSignal signal, long sentAt) {
        start(() -> {
            count(kind, -1);
            if (slowsDown) {
                paces.throttled(kind, signal, sentAt, nanoTime.getAsLong());
            }
        });
    }

    long now() {
        return nanoTime.getAsLong();
    }

    /** What the change lets be sent is started, and the timer set, outside the lock: either may run at once. */
    private void start(Runnable change) {
        List<Runnable> started = List.of();
        long wait = 0;
        long at;
        synchronized (queues) {
            change.run();
            long now = nanoTime.getAsLong();
            if (!queues.isEmpty()) {
                started = startable(now);
                wait = planWakeUp(now);
            }
            at = now + wait;
        }
        started.forEach(executor::execute);
        if (wait > 0) {
            timer.after(wait, () -> wakeUp(at));
        }
    }

    private List<Runnable> startable(long now) {
        List<Runnable> started = new ArrayList<>();
        for (Waiting next = next(now); next != null; next = next(now)) {
            take(next.kind());
            turns = (turns + 1) % OLDEST_OF;
            started.add(next.task());
        }
        return started;
    }

    private @Nullable Waiting next(long now) {
        return turns == OLDEST_OF - 1
                ? queues.takeOldest(kind -> maySend(kind, now))
                : queues.takeFirst(kind -> maySend(kind, now));
    }

    private boolean maySend(RequestKind kind, long now) {
        return hasConnection(kind.lane()) && (!slowsDown || !timerWaits || paces.admits(kind, now));
    }

    /**
     * Each lane and those after it leave connections free for the lanes before, so that a write need not wait for a long recovery or
     * a scan to end. What writes use is not counted, or many of them would keep the later lanes waiting beside free connections.
     */
    private boolean hasConnection(Lane lane) {
        for (Lane each : EnumSet.range(Lane.WRITE, lane)) {
            if (inFlight.getOrDefault(each, 0) >= connections(each)) {
                return false;
            }
        }
        return true;
    }

    private int connections(Lane lane) {
        return switch (lane) {
            case WRITE -> maxConcurrency;
            case RECOVERY -> Math.max(1, maxConcurrency * 3 / 4);
            case QUERY -> Math.max(1, maxConcurrency / 2);
            case MAINTENANCE -> Math.max(1, maxConcurrency / 4);
        };
    }

    private void take(RequestKind kind) {
        count(kind, 1);
        if (slowsDown) {
            paces.sent(kind);
        }
    }

    private void count(RequestKind kind, int change) {
        EnumSet.range(Lane.WRITE, kind.lane()).forEach(lane -> inFlight.merge(lane, change, Integer::sum));
    }

    /**
     * How long until something that waits for its pace may be sent; 0 if nothing does, or an earlier wake-up is planned, which plans
     * the next. What waits for a connection is started when one is given back.
     */
    private long planWakeUp(long now) {
        if (!slowsDown || !timerWaits) {
            return 0;
        }
        long wait = queues.kinds().stream()
                .mapToLong(kind -> paces.waitNanos(kind, now))
                .filter(nanos -> nanos > 0)
                .min()
                .orElse(0);
        if (wait == 0 || (wakeUpNanos != NEVER && now + wait - wakeUpNanos >= 0)) {
            return 0;
        }
        wakeUpNanos = now + wait;
        return wait;
    }

    /**
     * A wake-up that was replaced by an earlier one has nothing to do; otherwise there would be ever more of them. A timer that does
     * not wait is closed: from then on nothing waits for its pace, so that every request ends.
     */
    private void wakeUp(long at) {
        start(() -> {
            if (wakeUpNanos == at) {
                wakeUpNanos = NEVER;
            }
            timerWaits &= nanoTime.getAsLong() - at >= 0;
        });
    }
}
