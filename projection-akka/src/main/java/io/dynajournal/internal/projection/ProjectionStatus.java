package io.dynajournal.internal.projection;

import akka.projection.ProjectionId;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.projections.Position;
import io.dynajournal.internal.projections.ProjectionAudit;
import io.dynajournal.internal.query.QueryObserver;
import io.dynajournal.listener.ProjectionListener;
import io.dynajournal.listener.ProjectionListener.Audit;
import io.dynajournal.listener.ProjectionListener.State;
import io.dynajournal.listener.ProjectionListener.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The progress of a projection over all its runs, for the application's listener and health checks. Thread-safe. */
final class ProjectionStatus implements QueryObserver {

    /** How often the status is reported. A projection without progress for this time is idle. */
    static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final Logger log = LoggerFactory.getLogger(ProjectionStatus.class);

    private final ProjectionListener listener;
    private final ProjectionListener latest;
    private final ProjectionId id;
    private final SliceRange range;
    private final LongSupplier nanoTime;
    // Reports are queued under the lock and delivered outside it, one after another.
    private final Queue<Runnable> reports = new ConcurrentLinkedQueue<>();
    private final AtomicInteger undelivered = new AtomicInteger();
    private boolean failureLogged; // only used by the thread that delivers
    // The rest is guarded by this.
    private State phase = State.STARTING;
    private long stuckAfterNanos = Long.MAX_VALUE;
    private final ArrayDeque<Long> undecided = new ArrayDeque<>();
    private final ArrayDeque<Position> unstored = new ArrayDeque<>();
    private long newestMicros;
    private long resumeMicros;
    private long readToMicros;
    private long readToChangedNanos;
    private long lastActivityNanos;
    private @Nullable Instant lastProgress;
    private @Nullable Throwable queryFailure;
    private @Nullable Reading reading;
    private int failures;
    private @Nullable Throwable cause;

    /** @param latest keeps the status for health checks */
    ProjectionStatus(
            ProjectionListener listener,
            ProjectionListener latest,
            ProjectionId id,
            SliceRange range,
            LongSupplier nanoTime) {
        this.listener = listener;
        this.latest = latest;
        this.id = id;
        this.range = range;
        this.nanoTime = nanoTime;
        this.lastActivityNanos = nanoTime.getAsLong();
    }

    /** Whether the application has a listener. Without one nothing needs to be audited. */
    boolean isHeard() {
        return listener != ProjectionListener.NONE;
    }

    // ---- The life of a run ----

    void starting() {
        synchronized (this) {
            phase = State.STARTING;
            undecided.clear();
            unstored.clear();
            readToMicros = 0;
            queryFailure = null;
            queue();
        }
        deliver();
    }

    /** The offsets were read. */
    void opened(boolean paused, long resume, long newest, Duration stuckAfter) {
        synchronized (this) {
            phase = paused ? State.PAUSED : State.RUNNING;
            resumeMicros = resume;
            newestMicros = Math.max(newestMicros, newest);
            stuckAfterNanos = stuckAfter.toNanos();
            lastActivityNanos = nanoTime.getAsLong();
            queue();
        }
        deliver();
    }

    void failed(Throwable failure) {
        synchronized (this) {
            phase = State.FAILED;
            failures++;
            cause = failure;
            queue();
        }
        deliver();
    }

    /** There is no further run. */
    void ended(boolean failed) {
        synchronized (this) {
            phase = failed ? State.FAILED : State.STOPPED;
            undecided.clear();
            unstored.clear();
            queue();
        }
        deliver();
    }

    // ---- The way of an envelope ----

    /** The query has delivered it. */
    synchronized void received(Position position) {
        active(undecided.isEmpty() && unstored.isEmpty());
        undecided.add(position.micros());
    }

    /** It is known whether they are handed on. */
    synchronized void decided(int envelopes) {
        for (int i = 0; i < envelopes; i++) {
            undecided.poll();
        }
    }

    synchronized void handedOn(Position position) {
        active(unstored.isEmpty());
        unstored.add(position);
    }

    private void active(boolean isFirst) {
        if (isFirst) {
            lastActivityNanos = nanoTime.getAsLong();
        }
    }

    /** The handler has returned; the offset may be stored later. */
    synchronized void handled() {
        lastActivityNanos = nanoTime.getAsLong();
        lastProgress = Instant.now();
        failures = 0;
        cause = null;
    }

    /** Offsets are stored in the order in which envelopes were handed on, so those before the last one are done. */
    synchronized void stored(List<Position> positions) {
        Position last = positions.get(positions.size() - 1);
        if (unstored.contains(last)) {
            Position done;
            do {
                done = unstored.remove();
                newestMicros = Math.max(newestMicros, done.micros());
            } while (!done.equals(last));
        }
        handled();
    }

    // ---- The query ----

    @Override
    public synchronized void started(Reading started) {
        reading = started;
    }

    /** What the query reads; null if it has not started, or is not one of Dynajournal's by slices. */
    synchronized @Nullable Reading reading() {
        return phase == State.RUNNING ? reading : null;
    }

    @Override
    public synchronized void readTo(long micros) {
        if (micros > readToMicros) {
            readToMicros = micros;
            readToChangedNanos = nanoTime.getAsLong();
            queryFailure = null;
        }
    }

    @Override
    public void stuck(Throwable failure) {
        synchronized (this) {
            boolean isFirst = queryFailure == null;
            queryFailure = failure;
            if (isFirst) {
                queue();
            }
        }
        deliver();
    }

    // ---- Reports ----

    /** Reports the status; called at each interval. */
    void report() {
        synchronized (this) {
            queue();
        }
        deliver();
    }

    /** Hands an audit to the listener. */
    void audited(List<ProjectionAudit.Entity> entities) {
        Audit audit = new Audit(
                id.name(),
                id.key(),
                range.min(),
                range.max(),
                entities.size(),
                ProjectionAudit.count(entities, ProjectionAudit.State.PROJECTED),
                ProjectionAudit.count(entities, ProjectionAudit.State.WAITING),
                ProjectionAudit.count(entities, ProjectionAudit.State.FORGOTTEN),
                entities.stream()
                        .filter(entity -> entity.state() == ProjectionAudit.State.MISSED)
                        .map(ProjectionAudit.Entity::persistenceId)
                        .toList());
        reports.add(() -> listener.audited(audit));
        deliver();
    }

    private void queue() {
        Status status = status();
        reports.add(() -> latest.reported(status));
        reports.add(() -> listener.reported(status));
    }

    private Status status() {
        long nowNanos = nanoTime.getAsLong();
        Instant now = Instant.now();
        long to = projectedTo();
        Instant projectedTo = to == 0 ? null : EnvelopeSource.instant(to);
        Duration lag = projectedTo == null ? null : Duration.between(projectedTo, now);
        return new Status(
                id.name(),
                id.key(),
                range.min(),
                range.max(),
                state(nowNanos, EnvelopeSource.micros(now)),
                newestMicros == 0 ? null : EnvelopeSource.instant(newestMicros),
                projectedTo,
                lag != null && lag.isNegative() ? Duration.ZERO : lag,
                (long) undecided.size() + unstored.size(),
                lastProgress,
                failures,
                queryFailure == null ? cause : queryFailure);
    }

    private long projectedTo() {
        long known = readToMicros > 0 ? readToMicros : Math.max(resumeMicros, newestMicros);
        long oldest = Stream.concat(undecided.stream(), unstored.stream().map(Position::micros))
                .mapToLong(Long::longValue)
                .min()
                .orElse(Long.MAX_VALUE);
        // A query that does not report how far it is has delivered what is before the oldest event.
        return oldest < Long.MAX_VALUE && readToMicros == 0 ? oldest : Math.min(known, oldest);
    }

    private State state(long nowNanos, long nowMicros) {
        if (phase != State.RUNNING) {
            return phase;
        }
        boolean isActive = nowNanos - lastActivityNanos < stuckAfterNanos;
        if (queryFailure != null) {
            return State.STUCK;
        }
        if (!undecided.isEmpty() || !unstored.isEmpty()) {
            return isActive ? State.RUNNING : State.STUCK;
        }
        if (readToMicros > 0 && nowNanos - readToChangedNanos >= stuckAfterNanos) {
            return State.STUCK;
        }
        boolean catchesUp = readToMicros > 0 && nowMicros - readToMicros >= stuckAfterNanos / 1000;
        return catchesUp || nowNanos - lastActivityNanos < INTERVAL.toNanos() ? State.RUNNING : State.IDLE;
    }

    private void deliver() {
        if (undelivered.getAndIncrement() > 0) {
            return;
        }
        int calls = 1;
        do {
            for (Runnable next = reports.poll(); next != null; next = reports.poll()) {
                deliver(next);
            }
            calls = undelivered.addAndGet(-calls);
        } while (calls > 0);
    }

    private void deliver(Runnable report) {
        try {
            report.run();
        } catch (Exception | LinkageError | AssertionError e) {
            if (!failureLogged) {
                failureLogged = true;
                log.warn(
                        "The projection listener {} has thrown; projection {} continues. Further failures of it are not"
                                + " logged",
                        listener.getClass().getName(),
                        id.id(),
                        e);
            }
        }
    }
}
