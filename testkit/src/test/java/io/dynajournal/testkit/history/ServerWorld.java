package io.dynajournal.testkit.history;

import io.dynajournal.internal.dynamo.AwsClient;
import io.dynajournal.internal.dynamo.ClientScheduler;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.testkit.FaultProxy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * A real server in real time, behind a {@link FaultProxy}. Long pauses are cut. The thread of the program runs everything, as in virtual
 * time: answers of the server wait for it.
 */
final class ServerWorld implements World {

    private static final Duration MAX_PAUSE = Duration.ofMillis(200);
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);
    private static final double OUTAGE_RATE = 0.6;

    /** A task that is due at a time. */
    private static final class Task extends FutureTask<Void> implements Delayed {
        private final long atNanos;
        private final long number;

        Task(Runnable work, long atNanos, long number) {
            super(work, null);
            this.atNanos = atNanos;
            this.number = number;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(atNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            Task task = (Task) other;
            int byTime = Long.compare(atNanos - task.atNanos, 0);
            return byTime == 0 ? Long.compare(number, task.number) : byTime;
        }
    }

    /** The tasks of the program's thread. */
    private static final class Loop implements ClientScheduler {
        private final DelayQueue<Task> tasks = new DelayQueue<>();
        private final AtomicLong scheduled = new AtomicLong();
        private final SplittableRandom random;

        Loop(SplittableRandom random) {
            this.random = random;
        }

        @Override
        public void execute(Runnable task) {
            after(0, task);
        }

        @Override
        public Future<?> after(long nanos, Runnable work) {
            Task task = new Task(work, System.nanoTime() + nanos, scheduled.incrementAndGet());
            tasks.add(task);
            return task;
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public double random() {
            return random.nextDouble();
        }

        @Override
        public void close() {
            tasks.clear();
        }

        /** Runs what is due until a condition holds, or until the duration has passed. */
        void run(Duration atMost, BooleanSupplier done) {
            long end = System.nanoTime() + atMost.toNanos();
            while (!done.getAsBoolean() && end - System.nanoTime() > 0) {
                try {
                    Task next = tasks.poll(Math.min(end - System.nanoTime(), 20_000_000), TimeUnit.NANOSECONDS);
                    if (next != null) {
                        next.run();
                        if (!next.isCancelled()) {
                            next.get();
                        }
                    }
                } catch (Exception e) {
                    throw new IllegalStateException("A task of the program failed", e);
                }
            }
        }
    }

    private final Loop loop;
    private final FaultProxy proxy;
    private final AwsClient client;
    private final AtomicLong requests = new AtomicLong();
    private final long seed;
    private double rate;

    ServerWorld(URI server, SplittableRandom random) {
        this.loop = new Loop(random.split());
        this.seed = random.nextLong();
        this.proxy = FaultProxy.to(server);
        this.client = Clients.connect(ClientSettings.forEndpoint(proxy.endpoint()));
        faults(0);
    }

    @Override
    public ClientScheduler scheduler() {
        return loop;
    }

    @Override
    public Clock clock() {
        return Clock.systemUTC();
    }

    /** Each answer arrives on the thread of the program. */
    @Override
    public DynamoDbAsyncClient client(String node) {
        return (DynamoDbAsyncClient) Proxy.newProxyInstance(
                ServerWorld.class.getClassLoader(),
                new Class<?>[] {DynamoDbAsyncClient.class},
                (self, method, arguments) -> {
                    Object result = invoke(method, arguments);
                    return result instanceof CompletableFuture<?> answer ? onLoop(answer) : result;
                });
    }

    private Object invoke(Method method, Object[] arguments) throws Throwable {
        requests.incrementAndGet();
        try {
            return method.invoke(client.sdk(), arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private <T> CompletableFuture<T> onLoop(CompletableFuture<T> answer) {
        CompletableFuture<T> onLoop = new CompletableFuture<>();
        answer.whenComplete((value, failure) -> loop.execute(() -> {
            if (failure == null) {
                onLoop.complete(value);
            } else {
                onLoop.completeExceptionally(
                        failure instanceof CompletionException && failure.getCause() != null
                                ? failure.getCause()
                                : failure);
            }
        }));
        return onLoop;
    }

    @Override
    public void faults(double share) {
        rate = share;
        proxy.faultAtRandom(seed, share);
    }

    @Override
    public void outage(String node, int kind, Duration duration) {
        proxy.faultAtRandom(seed + kind, OUTAGE_RATE);
        loop.after(MAX_PAUSE.toNanos(), () -> proxy.faultAtRandom(seed - kind, rate));
    }

    @Override
    public void run(Duration duration) {
        loop.run(duration.compareTo(MAX_PAUSE) < 0 ? duration : MAX_PAUSE, () -> false);
    }

    @Override
    public void settle(BooleanSupplier quiet) {
        loop.run(MAX_WAIT, quiet);
    }

    @Override
    public <T> T await(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        loop.run(MAX_WAIT, future::isDone);
        if (!future.isDone()) {
            throw new IllegalStateException("The stage has not completed");
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
    public boolean isVirtual() {
        return false;
    }

    @Override
    public long requests() {
        return requests.get();
    }

    @Override
    public long tasks() {
        return 0;
    }

    @Override
    public void close() {
        loop.close();
        client.close();
        proxy.close();
    }
}
