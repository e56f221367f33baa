package io.dynajournal.internal.direct;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** What is signed; {@link DirectClientTest} computes the signature again from what arrives. */
final class SignerTest {

    private static final AwsCredentials KEYS = AwsBasicCredentials.create("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPx");
    private static final Clock NOON = Clock.fixed(Instant.parse("2026-03-01T12:00:00.999Z"), ZoneOffset.UTC);
    private static final byte[] BODY = "{\"Item\":{\"pid\":{\"S\":\"größe\"}}}".getBytes(UTF_8);

    private final Signer signer = new Signer();

    private SdkHttpRequest signed(Endpoint endpoint, AwsCredentialsIdentity identity) {
        return signer.request(endpoint, "PutItem", BODY, identity, NOON);
    }

    private static Endpoint aws(String region) {
        return new Endpoint("https", "dynamodb." + region + ".amazonaws.com", 443, "/", region);
    }

    @ParameterizedTest
    @CsvSource({
        "https, dynamodb.eu-central-1.amazonaws.com, 443, /, eu-central-1",
        "http, 127.0.0.1, 8000, /, us-east-1",
        "https, proxy.example, 8443, /dynamodb/v1, us-gov-west-1"
    })
    void aRequestIsSignedForItsEndpoint(String protocol, String host, int port, String path, String region) {
        SdkHttpRequest request = signed(new Endpoint(protocol, host, port, path, region), KEYS);

        assertThat(request.protocol()).isEqualTo(protocol);
        assertThat(request.host()).isEqualTo(host);
        assertThat(request.port()).isEqualTo(port);
        assertThat(request.encodedPath()).isEqualTo(path);
        assertThat(request.firstMatchingHeader("X-Amz-Target")).contains("DynamoDB_20120810.PutItem");
        assertThat(request.firstMatchingHeader("X-Amz-Date")).contains("20260301T120000Z");
        assertThat(request.firstMatchingHeader("Content-Length")).contains(Integer.toString(BODY.length));
        assertThat(authorization(request))
                .contains("Credential=AKIDEXAMPLE/20260301/" + region + "/dynamodb/aws4_request");
    }

    private static String authorization(SdkHttpRequest request) {
        return request.firstMatchingHeader("Authorization").orElseThrow();
    }

    @Test
    void aSessionTokenIsSent() {
        SdkHttpRequest request =
                signed(aws("eu-central-1"), AwsSessionCredentials.create("AKID2", "another/secret", "a+token=="));

        assertThat(request.firstMatchingHeader("X-Amz-Security-Token")).contains("a+token==");
        assertThat(authorization(request)).contains("x-amz-security-token");
    }

    @Test
    void whiteSpaceAroundCredentialsIsIgnored() {
        assertThat(authorization(signed(aws("eu-central-1"), identity(" AKID3 ", "secret\n"))))
                .isEqualTo(authorization(signed(aws("eu-central-1"), identity("AKID3", "secret"))));
    }

    private static AwsCredentialsIdentity identity(String accessKeyId, String secretAccessKey) {
        return new AwsCredentialsIdentity() {
            @Override
            public String accessKeyId() {
                return accessKeyId;
            }

            @Override
            public String secretAccessKey() {
                return secretAccessKey;
            }
        };
    }

    @Test
    void theSecretIsNeverPrinted() {
        SdkHttpRequest request = signed(aws("eu-central-1"), KEYS);

        assertThat(request.toString() + request.headers()).doesNotContain(KEYS.secretAccessKey());
    }
}
