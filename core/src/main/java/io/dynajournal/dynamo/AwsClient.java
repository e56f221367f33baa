package io.dynajournal.dynamo;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The SDK's client, and the shorter way for the requests that come most often. Thread-safe. */
public final class AwsClient implements AutoCloseable {

    private final DynamoDbAsyncClient sdk;
    private final Requests requests;
    private final Executor sending;
    private final List<AutoCloseable> owned;

    AwsClient(DynamoDbAsyncClient sdk, Requests requests, Executor sending, List<AutoCloseable> owned) {
        this.sdk = sdk;
        this.requests = requests;
        this.sending = sending;
        this.owned = owned;
    }

    /** A client of the user's own: every request goes by it, and it is not closed here. */
    public static AwsClient of(DynamoDbAsyncClient given) {
        return new AwsClient(given, new SdkRequests(given), ForkJoinPool.commonPool(), List.of());
    }

    public DynamoDbAsyncClient sdk() {
        return sdk;
    }

    Requests requests() {
        return requests;
    }

    /** Where requests are made that nobody waits for on a thread. */
    Executor sending() {
        return sending;
    }

    @Override
    public void close() {
        for (AutoCloseable each : owned) {
            try {
                each.close();
            } catch (Exception e) {
                throw new IllegalStateException("The AWS client cannot be closed", e);
            }
        }
    }
}
