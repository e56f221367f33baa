package io.dynajournal.testkit.history;

import io.dynajournal.internal.dynamo.ClientScheduler;
import io.dynajournal.testkit.simulator.Faults;
import io.dynajournal.testkit.simulator.RandomFaults;
import io.dynajournal.testkit.simulator.SimulatedDynamoDb;
import io.dynajournal.testkit.simulator.VirtualTime;
import java.time.Clock;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The simulated DynamoDB in virtual time: the same seed makes the same run. */
final class SimulatedWorld implements World {

    private static final Duration MINUTE = Duration.ofSeconds(60);
    private static final Duration SOON_EXPIRED = Duration.ofMinutes(2);

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
