package io.dynajournal.internal.dynamo;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The SDK's client with the threads and the flow control that all its users share. Thread-safe. */
public final class AwsClient implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(AwsClient.class);
    private static final String GIVEN = "the application's own client";

    private final DynamoDbAsyncClient sdk;
    private final SdkRequestSender sdkSender;
    private final RequestSender sender;
    private final ClientScheduler threads;
    private final FlowControl flow;
    private final String endpoint;
    private final String httpClient;
    private final List<AutoCloseable> owned;

    /**
     * @param sender sends the most frequent requests
     * @param sdkSender sends all others
     * @param owned closed with this, in order
     */
    AwsClient(
            DynamoDbAsyncClient sdk,
            SdkRequestSender sdkSender,
            RequestSender sender,
            ClientScheduler threads,
            FlowControl flow,
            String endpoint,
            String httpClient,
            List<AutoCloseable> owned) {
        this.sdk = sdk;
        this.sdkSender = sdkSender;
        this.sender = sender;
        this.threads = threads;
        this.flow = flow;
        this.endpoint = endpoint;
        this.httpClient = httpClient;
        this.owned = owned;
    }

    /** A client that the user has built, with the default settings. It is not closed here. */
    public static AwsClient of(DynamoDbAsyncClient given) {
        return of(given, ClientSettings.forEndpoint(null));
    }

    /**
     * A client that the user has built. It is not closed here.
     *
     * @param settings of which only the maximum number of requests in flight, which must not be more than the client has
     *     connections, and flow control apply
     */
    public static AwsClient of(DynamoDbAsyncClient given, ClientSettings settings) {
        return of(given, settings, new ClientThreads());
    }

    /** As {@link #of(DynamoDbAsyncClient, ClientSettings, ClientScheduler)}, with flow control. */
    public static AwsClient of(DynamoDbAsyncClient given, int maxConcurrency, ClientScheduler threads) {
        return of(given, ClientSettings.forEndpoint(null).withMaxConcurrency(maxConcurrency), threads);
    }

    /**
     * A client that the user has built, with the caller's scheduler.
     *
     * @param settings as in {@link #of(DynamoDbAsyncClient, ClientSettings)}
     * @param threads closed with this client
     */
    public static AwsClient of(DynamoDbAsyncClient given, ClientSettings settings, ClientScheduler threads) {
        SdkRequestSender sender = new SdkRequestSender(given, threads);
        return new AwsClient(
                given, sender, sender, threads, FlowControl.of(settings, threads), GIVEN, GIVEN, List.of(threads));
    }

    public DynamoDbAsyncClient sdk() {
        return sdk;
    }

    /** The name of the HTTP client in use, such as {@code AwsCommonRuntime} or {@code NettyNio}. */
    public String httpClient() {
        return httpClient;
    }

    /** For messages: the address if one is set, otherwise the region. */
    public String endpoint() {
        return endpoint;
    }

    SdkRequestSender sdkSender() {
        return sdkSender;
    }

    RequestSender sender() {
        return sender;
    }

    ClientScheduler threads() {
        return threads;
    }

    FlowControl flow() {
        return flow;
    }

    @Override
    public void close() {
        for (AutoCloseable each : owned) {
            try {
                each.close();
            } catch (Exception e) {
                log.warn("The DynamoDB client of {} could not be closed completely", endpoint, e);
            }
        }
    }
}
