package io.dynajournal.internal.direct;

import io.dynajournal.internal.dynamo.ScriptedServer;
import java.time.Clock;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The SDK's client and a direct one with the same HTTP client, to the same server. */
final class Connected implements AutoCloseable {

    static final AwsCredentials CREDENTIALS = AwsSessionCredentials.create("key", "hush-hush", "token");

    final DynamoDbAsyncClient sdk;
    final DirectClient direct;
    private final SdkAsyncHttpClient http;
    private final ExecutorService completions = Executors.newFixedThreadPool(2);

    Connected(ScriptedServer server, SdkAsyncHttpClient http) {
        this(server, http, Clock.systemUTC());
    }

    Connected(ScriptedServer server, SdkAsyncHttpClient http, Clock clock) {
        this.http = http;
        StaticCredentialsProvider credentials = StaticCredentialsProvider.create(CREDENTIALS);
        EndpointCapture capture = new EndpointCapture();
        this.direct = new DirectClient(http, credentials, completions, capture, clock);
        this.sdk = DynamoDbAsyncClient.builder()
                .httpClient(http)
                .endpointOverride(server.endpoint())
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(credentials)
                .overrideConfiguration(override ->
                        override.retryStrategy(AwsRetryStrategy.doNotRetry()).addExecutionInterceptor(capture))
                .build();
    }

    /** Lets the direct client learn the endpoint from a request of the SDK. */
    Connected ready() {
        sdk.describeTable(request -> request.tableName("t")).join();
        return this;
    }

    @Override
    public void close() {
        sdk.close();
        // Netty waits some seconds for its threads to end.
        Thread closing = new Thread(http::close);
        closing.setDaemon(true);
        closing.start();
        completions.shutdownNow();
    }
}
