package io.dynajournal.testkit.history;

import io.dynajournal.internal.dynamo.ClientScheduler;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Where a program runs: a DynamoDB, its faults, and a time. Everything of a program runs on one thread. */
interface World extends AutoCloseable {

    ClientScheduler scheduler();

    Clock clock();

    /** A client with its own faults. */
    DynamoDbAsyncClient client(String node);

    /** The share of requests that get a fault from now on. */
    void faults(double rate);

    /** Lets time pass, and what is due happen. */
    void run(Duration duration);

    /** Lets time pass until nothing waits any more, a minute at most. */
    void settle(BooleanSupplier quiet);

    /** The result of a stage, as soon as it is there. */
    <T> T await(CompletionStage<T> stage);

    /** How many requests were sent. */
    long requests();

    /** Equal for two runs of one program, where runs can be repeated. */
    long tasks();

    @Override
    void close();
}
