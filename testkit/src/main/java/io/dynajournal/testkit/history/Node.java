package io.dynajournal.testkit.history;

import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.ClientScheduler;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.store.EventJournal;
import io.dynajournal.internal.store.JournalCaches;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestListener;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A process: it has its own journal, caches, clock and client, and can end at any moment. */
final class Node implements ClientScheduler {

    private static final RetrySettings RETRY = RetrySettings.DEFAULTS;
    private static final long MILLI = 1_000_000;

    /** How many views of logs a process keeps. */
    private static final int[] WRITERS = {1, 1, 100, 100};

    private final String name;
    private final ClientScheduler time;
    private final ShiftingClock clock;
    private final Dynamo dynamo;
    private final JournalLayout layout;
    private final EventJournal journal;
    private final @Nullable SnapshotTable snapshots;
    private boolean crashed;

    /** A process whose journal is not used. */
    Node(String name, Subject subject, World world, Duration ahead, SplittableRandom random) {
        this(name, subject.journal(), subject, world, ahead, random);
    }

    Node(String name, JournalLayout layout, Subject subject, World world, Duration ahead, SplittableRandom random) {
        this.name = name;
        this.time = world.scheduler();
        this.clock = new ShiftingClock(world.clock(), ahead);
        boolean groupCommit = random.nextBoolean();
        int connections = groupCommit ? 1 + random.nextInt(3) : 50;
        AwsClient client = AwsClient.of(world.client(name), connections, this);
        SplittableRandom failures = random.split();
        this.dynamo = new Dynamo(client, RETRY, listener(failures), clock, groupCommit);
        int writers = WRITERS[random.nextInt(WRITERS.length)];
        JournalCaches caches = new JournalCaches(writers, 64L << 20, Duration.ofHours(1));
        this.layout = layout;
        this.journal = new EventJournal(layout.open(dynamo), caches, this);
        this.snapshots = subject.snapshots().map(found -> found.open(dynamo)).orElse(null);
    }

    /** A user's listener that throws now and then. */
    private static RequestListener listener(SplittableRandom random) {
        return new RequestListener() {
            @Override
            public void onRequest(RequestEvent event) {
                if (random.nextInt(50) == 0) {
                    throw new IllegalStateException("a listener fails");
                }
            }
        };
    }

    String name() {
        return name;
    }

    Dynamo dynamo() {
        return dynamo;
    }

    JournalLayout layout() {
        return layout;
    }

    /** The clock of the machine is set. */
    void shiftClock(Duration by) {
        clock.shift(by);
    }

    /** Completes at once or later, as an actor that has other messages. */
    CompletionStage<Void> think() {
        double dice = random();
        if (dice < 0.6) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        after(MILLI * (long) (random() * (dice < 0.96 ? 20 : 3_000)), () -> done.complete(null));
        return done;
    }

    EventJournal journal() {
        return journal;
    }

    @Nullable
    SnapshotTable snapshots() {
        return snapshots;
    }

    void crash() {
        crashed = true;
    }

    boolean isCrashed() {
        return crashed;
    }

    @Override
    public void execute(Runnable task) {
        time.execute(() -> runUnlessCrashed(task));
    }

    @Override
    public Future<?> after(long nanos, Runnable task) {
        return crashed ? CompletableFuture.completedFuture(null) : time.after(nanos, () -> runUnlessCrashed(task));
    }

    private void runUnlessCrashed(Runnable task) {
        if (!crashed) {
            task.run();
        }
    }

    @Override
    public long nanoTime() {
        return time.nanoTime();
    }

    @Override
    public double random() {
        return time.random();
    }

    @Override
    public void close() {
        crashed = true;
    }
}
