package io.dynajournal.internal.dynamo;

import io.dynajournal.exception.StoreException;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.config.SdkAdvancedAsyncClientOption;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/** Builds the clients that {@link Dynamo} uses. */
public final class Clients {

    private static final Logger log = LoggerFactory.getLogger(Clients.class);

    private Clients() {}

    /** A client of the SDK without retries. The caller closes it. */
    public static DynamoDbAsyncClient open(ClientSettings settings) {
        SdkAsyncHttpClient http = HttpClients.open(settings);
        // Given as a builder it is closed with the client.
        return build(
                http,
                () -> builder(settings, CredentialSources.provider(settings))
                        .httpClientBuilder(defaults -> http)
                        .build());
    }

    /** A client for {@link Dynamo}. The caller closes it. */
    public static AwsClient connect(ClientSettings settings) {
        return connect(settings, Clients.class.getClassLoader());
    }

    static AwsClient connect(ClientSettings settings, ClassLoader loader) {
        @Nullable DirectModule module = settings.tuning().direct() ? directModule(loader) : null;
        AwsCredentialsProvider credentials = CredentialSources.provider(settings);
        SdkAsyncHttpClient http = HttpClients.open(settings);
        ClientThreads threads = new ClientThreads();
        DirectModule.@Nullable Direct direct = module == null ? null : module.open(http, credentials, threads);
        DynamoDbAsyncClient sdk = build(http, () -> {
            DynamoDbAsyncClientBuilder builder = builder(settings, credentials)
                    .httpClient(http)
                    // The SDK's last steps run where the answer arrives; SdkRequestSender goes on from there.
                    .asyncConfiguration(async -> async.advancedOption(
                            SdkAdvancedAsyncClientOption.FUTURE_COMPLETION_EXECUTOR, Runnable::run));
            builder.overrideConfiguration(builder.overrideConfiguration().copy(override -> {
                override.scheduledExecutorService(threads.timer());
                if (direct != null) {
                    override.addExecutionInterceptor(direct.endpointCapture());
                }
            }));
            return builder.build();
        });
        SdkRequestSender sender = new SdkRequestSender(sdk, threads);
        return new AwsClient(
                sdk,
                sender,
                direct == null ? sender : directSender(direct, sdk, sender),
                threads,
                FlowControl.of(settings, threads),
                settings.endpointName(),
                http.clientName(),
                List.of(sdk, http, threads));
    }

    private static DynamoDbAsyncClient build(SdkAsyncHttpClient http, Supplier<DynamoDbAsyncClient> client) {
        try {
            return client.get();
        } catch (SdkClientException e) {
            http.close();
            throw String.valueOf(e.getMessage()).startsWith("Unable to load region")
                    ? new StoreException.Unavailable(
                            "The AWS region is not known. Set region in the client's settings, such as region ="
                                    + " \"eu-central-1\", or where the AWS SDK finds it (AWS_REGION, profile, instance).",
                            e)
                    : e;
        } catch (RuntimeException e) {
            http.close();
            throw e;
        }
    }

    private static DirectModule directModule(ClassLoader loader) {
        return ServiceLoader.load(DirectModule.class, loader)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "direct = on needs io.dynajournal:dynajournal-direct on the class path"));
    }

    /** Interceptors must see every request, as tracing does; then none bypasses the SDK. */
    private static RequestSender directSender(
            DirectModule.Direct direct, DynamoDbAsyncClient sdk, SdkRequestSender sender) {
        List<String> interceptors = SdkInterceptors.names(sdk, direct.endpointCapture());
        if (interceptors.isEmpty()) {
            return direct.sender(sender);
        }
        log.info("direct = on has no effect, because these interceptors must see every request: {}", interceptors);
        return sender;
    }

    private static DynamoDbAsyncClientBuilder builder(ClientSettings settings, AwsCredentialsProvider credentials) {
        DynamoDbAsyncClientBuilder builder = DynamoDbAsyncClient.builder()
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .endpointProvider(new CachedEndpoint())
                .credentialsProvider(credentials);
        if (settings.endpoint() != null) {
            builder.endpointOverride(settings.endpoint());
        }
        String region = settings.effectiveRegion();
        if (region != null) {
            builder.region(Region.of(region));
        } else if (settings.isLoopback()) {
            builder.region(Region.US_EAST_1);
        }
        return builder;
    }
}
