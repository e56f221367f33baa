package io.dynajournal.dynamo;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/** Makes the AWS client that {@link Dynamo} calls. */
public final class Clients {

    private static final String STS = "software.amazon.awssdk.services.sts.StsClient";

    private Clients() {}

    /** A new client; whoever asked for it closes it. It does not retry by itself: {@link Dynamo} does. */
    public static DynamoDbAsyncClient open(ClientSettings settings) {
        DynamoDbAsyncClientBuilder builder = DynamoDbAsyncClient.builder()
                .httpClientBuilder(HttpClients.builder(settings))
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .credentialsProvider(credentials(settings));
        if (settings.endpoint() != null) {
            builder.endpointOverride(settings.endpoint());
        }
        String region = settings.effectiveRegion();
        if (region != null) {
            builder.region(Region.of(region));
        } else if (settings.isLoopback()) {
            builder.region(Region.US_EAST_1);
        }
        return builder.build();
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
