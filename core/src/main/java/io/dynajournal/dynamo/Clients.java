package io.dynajournal.dynamo;

import io.dynajournal.dynamo.direct.DirectClient;
import io.dynajournal.store.HandOver;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/** Makes the AWS client that {@link Dynamo} calls. */
public final class Clients {

    private static final String STS = "software.amazon.awssdk.services.sts.StsClient";

    private Clients() {}

    /** A new client of the SDK; whoever asked for it closes it. It does not retry by itself: {@link Dynamo} does. */
    public static DynamoDbAsyncClient open(ClientSettings settings) {
        return builder(settings, credentials(settings), List.of())
                .httpClientBuilder(HttpClients.builder(settings))
                .build();
    }

    /** A new client for {@link Dynamo}; whoever asked for it closes it. */
    public static AwsClient connect(ClientSettings settings) {
        if (!settings.tuning().direct() || Interceptors.areThere()) {
            DynamoDbAsyncClient sdk = open(settings);
            return new AwsClient(sdk, new SdkRequests(sdk), ForkJoinPool.commonPool(), List.of(sdk));
        }
        AwsCredentialsProvider credentials = credentials(settings);
        SdkAsyncHttpClient http = HttpClients.builder(settings).build();
        ExecutorService completions = completions();
        try {
            DirectClient direct =
                    new DirectClient(http, credentials, completions, new HandOver(completions), Clock.systemUTC());
            DynamoDbAsyncClient sdk = builder(settings, credentials, List.of(direct.watch()))
                    .httpClient(http)
                    .build();
            return new AwsClient(
                    sdk,
                    new DirectRequests(direct, new SdkRequests(sdk)),
                    completions,
                    List.of(sdk, http, completions::shutdown));
        } catch (RuntimeException e) {
            http.close();
            completions.shutdown();
            throw e;
        }
    }

    /** As many as can run: nothing here blocks, and more would only take turns, where writes that wait could go together. */
    private static ExecutorService completions() {
        AtomicInteger number = new AtomicInteger();
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(threads, threads, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "dynajournal-answers-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static DynamoDbAsyncClientBuilder builder(
            ClientSettings settings, AwsCredentialsProvider credentials, List<ExecutionInterceptor> interceptors) {
        DynamoDbAsyncClientBuilder builder = DynamoDbAsyncClient.builder()
                .overrideConfiguration(override -> {
                    override.retryStrategy(AwsRetryStrategy.doNotRetry());
                    interceptors.forEach(override::addExecutionInterceptor);
                })
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

    private static AwsCredentialsProvider credentials(ClientSettings settings) {
        CredentialSource source = settings.credentials();
        if (source instanceof CredentialSource.Keys keys) {
            return StaticCredentialsProvider.create(
                    keys.sessionToken() == null
                            ? AwsBasicCredentials.create(keys.accessKeyId(), keys.secretAccessKey())
                            : AwsSessionCredentials.create(
                                    keys.accessKeyId(), keys.secretAccessKey(), keys.sessionToken()));
        }
        if (source instanceof CredentialSource.Profile profile) {
            return ProfileCredentialsProvider.create(profile.name());
        }
        if (source instanceof CredentialSource.WebIdentity identity) {
            return webIdentity(identity);
        }
        if (source instanceof CredentialSource.ProviderClass own) {
            return provider(own.name());
        }
        return settings.isLoopback()
                ? StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"))
                : DefaultCredentialsProvider.builder().build();
    }

    /** By {@code create()}, as the SDK's own providers are made, or by a constructor without arguments. */
    private static AwsCredentialsProvider provider(String name) {
        try {
            ClassLoader context = Thread.currentThread().getContextClassLoader();
            Class<?> found = Class.forName(name, true, context == null ? Clients.class.getClassLoader() : context);
            if (!AwsCredentialsProvider.class.isAssignableFrom(found)) {
                throw new IllegalArgumentException("The class " + name + " does not implement "
                        + AwsCredentialsProvider.class.getName() + " of the AWS SDK v2");
            }
            Optional<Method> create = Arrays.stream(found.getMethods())
                    .filter(method -> method.getName().equals("create")
                            && method.getParameterCount() == 0
                            && Modifier.isStatic(method.getModifiers()))
                    .findFirst();
            return (AwsCredentialsProvider)
                    (create.isPresent()
                            ? create.get().invoke(null)
                            : found.getConstructor().newInstance());
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("The class " + name + " for credentials is not on the class path", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    "The class " + name + " for credentials could be made neither by create() nor by a constructor"
                            + " without arguments",
                    e);
        }
    }

    private static AwsCredentialsProvider webIdentity(CredentialSource.WebIdentity identity) {
        try {
            Class.forName(STS, false, Clients.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    "credentials.provider = \"web-identity\" needs software.amazon.awssdk:sts on the class path", e);
        }
        WebIdentityTokenFileCredentialsProvider.Builder builder = WebIdentityTokenFileCredentialsProvider.builder();
        if (identity.roleArn() != null) {
            builder.roleArn(identity.roleArn());
        }
        if (identity.tokenFile() != null) {
            builder.webIdentityTokenFile(Path.of(identity.tokenFile()));
        }
        if (identity.sessionName() != null) {
            builder.roleSessionName(identity.sessionName());
        }
        return builder.build();
    }
}
