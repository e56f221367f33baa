package io.dynajournal.testkit.history;

import io.dynajournal.internal.dynamo.ClientScheduler;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Where a program runs: a DynamoDB, its faults, and a time. Everything of a program runs on one thread, which calls these methods. */
interface World extends AutoCloseable {

    ClientScheduler scheduler();

    Clock clock();

    /** A client with its own faults. */
    DynamoDbAsyncClient client(String node);

    /** The share of requests that get a fault from now on; 0 ends outages too. */
    void faults(double rate);

    /**
     * For a while most requests of a node have the same fault.
     *
     * @param kind which fault, as a number of any size
     */
    void outage(String node, int kind, Duration duration);

    /** Lets time pass, and what is due happen. */
    void run(Duration duration);

    /** Lets time pass until nothing waits any more, a minute at most. */
    void settle(BooleanSupplier quiet);

    /** The result of a stage, as soon as it is there. */
    <T> T await(CompletionStage<T> stage);

    /** Whether minutes take no time. */
    boolean isVirtual();

    /** How many requests were sent. */
    long requests();

    /** Equal for two runs of one program, where runs can be repeated. */
    long tasks();

    @Override
    void close();
}
