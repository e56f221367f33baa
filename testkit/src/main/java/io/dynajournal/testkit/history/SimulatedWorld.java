package io.dynajournal.testkit.history;

import io.dynajournal.internal.dynamo.ClientScheduler;
import io.dynajournal.testkit.simulator.Fault;
import io.dynajournal.testkit.simulator.Faults;
import io.dynajournal.testkit.simulator.RandomFaults;
import io.dynajournal.testkit.simulator.SimulatedDynamoDb;
import io.dynajournal.testkit.simulator.SimulatedRequest;
import io.dynajournal.testkit.simulator.VirtualTime;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The simulated DynamoDB in virtual time: the same seed makes the same run. */
final class SimulatedWorld implements World {

    private static final Duration MINUTE = Duration.ofSeconds(60);
    private static final Duration SOON_EXPIRED = Duration.ofMinutes(2);
    private static final Duration[] INDEX_LAGS = {
        Duration.ofMillis(20), Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofSeconds(10)
    };
    private static final List<Predicate<SimulatedRequest>> CONCERNED = List.of(
            request -> true, request -> request.isOf(Subject.JOURNAL), request -> request.isOf(Subject.SNAPSHOTS));
    private static final Fault[] OUTAGES = {
        Fault.THROTTLED,
        Fault.INTERNAL_ERROR,
        Fault.INTERNAL_ERROR_AFTER_EFFECT,
        Fault.LOST_REQUEST,
        Fault.LOST_REPLY,
        Fault.LOST_REPLY,
        Fault.NOT_CONNECTED,
        Fault.UNPROCESSED,
        Fault.SHORT_ANSWER
    };

    private final VirtualTime time;
    private final SimulatedDynamoDb server;
    private final RandomFaults faults;

    SimulatedWorld(SplittableRandom random) {
        this.time = new VirtualTime(random.nextLong());
        this.server = SimulatedDynamoDb.in(time);
        this.faults = Faults.random(random.nextLong(), 0);
        if (random.nextBoolean()) {
            faults.maxExpiryDelay(SOON_EXPIRED);
        }
        faults.maxIndexLag(INDEX_LAGS[random.nextInt(INDEX_LAGS.length)]);
        server.faults(faults);
    }

    @Override
    public ClientScheduler scheduler() {
        return time;
    }

    @Override
    public Clock clock() {
        return time.clock();
    }

    @Override
    public DynamoDbAsyncClient client(String node) {
        return server.client(node);
    }

    @Override
    public void faults(double rate) {
        faults.rate(rate);
        if (rate == 0) {
            faults.endOutages();
        }
    }

    @Override
    public void outage(String node, int kind, Duration duration) {
        Fault fault = OUTAGES[Math.floorMod(kind, OUTAGES.length)];
        faults.outage(node, fault, CONCERNED.get(Math.floorMod(kind / OUTAGES.length, CONCERNED.size())));
        time.after(duration.toNanos(), () -> faults.endOutage(node));
    }

    @Override
    public void run(Duration duration) {
        time.run(duration);
    }

    @Override
    public void settle(BooleanSupplier quiet) {
        time.run(MINUTE);
    }

    @Override
    public <T> T await(CompletionStage<T> stage) {
        return time.await(stage);
    }

    @Override
    public boolean isVirtual() {
        return true;
    }

    @Override
    public long requests() {
        return server.requests();
    }

    @Override
    public long tasks() {
        return time.tasksRun();
    }

    @Override
    public void close() {
        server.close();
    }
}
