package io.dynajournal.dynamo;

import java.nio.file.Path;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
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
                .httpClientBuilder(NettyNioAsyncHttpClient.builder()
                        .maxConcurrency(settings.maxConnections())
                        // Requests beyond the pool wait for a connection up to the acquire time-out; their number is
                        // bounded by the entities that wait for them.
                        .maxPendingConnectionAcquires(Integer.MAX_VALUE)
                        .connectionTimeout(settings.connectTimeout())
                        .connectionAcquisitionTimeout(settings.acquireTimeout())
                        .connectionMaxIdleTime(settings.idleTimeout()))
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .credentialsProvider(credentials(settings));
        if (settings.endpoint() != null) {
            builder.endpointOverride(settings.endpoint());
        }
        if (settings.region() != null) {
            builder.region(Region.of(settings.region()));
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
        return settings.isLoopback()
                ? StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"))
                : DefaultCredentialsProvider.builder().build();
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
