package io.dynajournal.internal.direct;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;

/** Signs the request of a put of 700 bytes: the signer of this module, and the SDK's public one. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class SignerBenchmark {

    private static final int BODY_BYTES = 700;

    private final AwsCredentials credentials = AwsBasicCredentials.create("AKIDEXAMPLE", "example-secret-key");
    private final Endpoint endpoint =
            new Endpoint("https", "dynamodb.eu-central-1.amazonaws.com", 443, "/", "eu-central-1");
    private final byte[] body = "x".repeat(BODY_BYTES).getBytes(StandardCharsets.UTF_8);
    private final Signer own = new Signer();
    private final AwsV4HttpSigner sdk = AwsV4HttpSigner.create();

    @Benchmark
    public SdkHttpRequest ownSigner() {
        return own.request(endpoint, "PutItem", body, credentials, Instant.now());
    }

    @Benchmark
    public SdkHttpRequest sdkSigner() {
        SdkHttpRequest request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.POST)
                .protocol(endpoint.protocol())
                .host(endpoint.host())
                .port(endpoint.port())
                .encodedPath(endpoint.path())
                .putHeader("Content-Type", "application/x-amz-json-1.0")
                .putHeader("Content-Length", Integer.toString(body.length))
                .putHeader("User-Agent", "dynajournal")
                .putHeader("X-Amz-Target", "DynamoDB_20120810.PutItem")
                .build();
        return (SdkHttpRequest) sdk.sign(sign -> sign.identity(credentials)
                        .request(request)
                        .payload(ContentStreamProvider.fromByteArray(body))
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "dynamodb")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, endpoint.region()))
                .request();
    }
}
