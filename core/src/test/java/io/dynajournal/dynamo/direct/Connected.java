package io.dynajournal.dynamo.direct;

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

/** The SDK's client and a direct one over the same connections, to the same server. */
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
        this.direct = new DirectClient(http, credentials, completions, completions, clock);
        this.sdk = DynamoDbAsyncClient.builder()
                .httpClient(http)
                .endpointOverride(server.endpoint())
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(credentials)
                .overrideConfiguration(override ->
                        override.retryStrategy(AwsRetryStrategy.doNotRetry()).addExecutionInterceptor(direct.watch()))
                .build();
    }

    /** The direct client learns the way from a request of the SDK's. */
    Connected shown() {
        sdk.describeTable(request -> request.tableName("t")).join();
        return this;
    }

    @Override
    public void close() {
        sdk.close();
        // Netty waits some seconds for its threads.
        Thread closing = new Thread(http::close);
        closing.setDaemon(true);
        closing.start();
        completions.shutdownNow();
    }
}
