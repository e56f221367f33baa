package io.dynajournal.internal.direct;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** The SDK's signer signs the same request in the same way. */
class SignerTest {

    private static final AwsCredentials KEYS = AwsBasicCredentials.create("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPx");
    private static final AwsCredentials SESSION = AwsSessionCredentials.create("AKID2", "another/secret", "a+token==");
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00.999Z");

    private final Signer signer = new Signer();
    private final AwsV4HttpSigner sdk = AwsV4HttpSigner.create();

    private static Endpoint aws(String region) {
        return new Endpoint("https", "dynamodb." + region + ".amazonaws.com", 443, "/", region);
    }

    private SdkHttpRequest bySdk(
            Endpoint endpoint, String operation, byte[] body, AwsCredentialsIdentity identity, Instant now) {
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
        return sdk.sign(sign -> sign.identity(identity)
                        .request(request)
                        .payload(ContentStreamProvider.fromByteArray(body))
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "dynamodb")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, endpoint.region())
                        .putProperty(AwsV4HttpSigner.SIGNING_CLOCK, Clock.fixed(now, ZoneOffset.UTC)))
                .request();
    }

    private void same(Endpoint endpoint, String operation, String body, AwsCredentialsIdentity identity, Instant now) {
        byte[] bytes = body.getBytes(UTF_8);
        SdkHttpRequest ours = signer.request(endpoint, operation, bytes, identity, now);
        SdkHttpRequest theirs = bySdk(endpoint, operation, bytes, identity, now);
        assertThat(ours.headers()).isEqualTo(theirs.headers());
        assertThat(ours.getUri()).isEqualTo(theirs.getUri());
        assertThat(ours.method()).isEqualTo(theirs.method());
    }

    @Test
    void everyPartOfASignatureIsTheSame() {
        List<Endpoint> endpoints = List.of(
                aws("eu-central-1"),
                aws("us-gov-west-1"),
                new Endpoint("http", "127.0.0.1", 8000, "/", "us-east-1"),
                new Endpoint("http", "localhost", 80, "/", "us-east-1"),
                new Endpoint("https", "proxy.example", 8443, "/dynamodb/v1", "us-east-1"));
        List<Instant> times = new ArrayList<>(List.of(NOON, Instant.parse("2026-12-31T23:59:59Z")));
        times.add(times.get(1).plusSeconds(1));
        for (Endpoint endpoint : endpoints) {
            for (AwsCredentials identity : List.of(KEYS, SESSION, KEYS)) {
                for (Instant now : times) {
                    same(endpoint, "PutItem", "{\"Item\":{\"pid\":{\"S\":\"größe\"}}}", identity, now);
                    same(endpoint, "Query", "", identity, now);
                }
            }
        }
    }

    @Test
    void whiteSpaceAroundCredentialsIsIgnored() {
        same(aws("eu-central-1"), "Query", "{}", untrimmed(), NOON);
    }

    private static AwsCredentialsIdentity untrimmed() {
        return new AwsCredentialsIdentity() {
            @Override
            public String accessKeyId() {
                return " AKID3 ";
            }

            @Override
            public String secretAccessKey() {
                return "secret\n";
            }
        };
    }

    /** Neither in the request nor in what the signer keeps. */
    @Test
    void theSecretIsNeverPrinted() throws IllegalAccessException {
        SdkHttpRequest request = signer.request(aws("eu-central-1"), "Query", new byte[0], KEYS, NOON);
        assertThat(request.toString() + request.headers()).doesNotContain(KEYS.secretAccessKey());
        for (Field field : Signer.class.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                assertThat(field.get(signer)).as(field.getName()).isNotNull();
                assertThat(String.valueOf(field.get(signer)))
                        .contains("20260301")
                        .doesNotContain(KEYS.secretAccessKey());
            }
        }
    }
}
