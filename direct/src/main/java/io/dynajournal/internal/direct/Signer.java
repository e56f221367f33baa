package io.dynajournal.internal.direct;

import java.time.Clock;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** Builds requests and signs them with the SDK's public signer. Thread-safe. */
final class Signer {

    private static final String SERVICE = "dynamodb";

    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();

    /** A signed request. */
    SdkHttpRequest request(
            Endpoint endpoint, String operation, byte[] body, AwsCredentialsIdentity identity, Clock clock) {
        SdkHttpRequest request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.POST)
                .protocol(endpoint.protocol())
                .host(endpoint.host())
                .port(endpoint.port())
                .encodedPath(endpoint.path())
                .putHeader("Content-Type", "application/x-amz-json-1.0")
                .putHeader("Content-Length", Integer.toString(body.length))
                .putHeader("User-Agent", "dynajournal")
                .putHeader("X-Amz-Target", "DynamoDB_20120810." + operation)
                .build();
        return signer.sign(sign -> sign.identity(identity)
                        .request(request)
                        .payload(ContentStreamProvider.fromByteArrayUnsafe(body))
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, SERVICE)
                        .putProperty(AwsV4HttpSigner.REGION_NAME, endpoint.region())
                        .putProperty(AwsV4HttpSigner.SIGNING_CLOCK, clock))
                .request();
    }
}
