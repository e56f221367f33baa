package io.dynajournal.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Checks what is sent. Whether DynamoDB accepts it is visible only with a real account. */
class AwsUpstreamTest {

    private final AwsUpstream upstream = new AwsUpstream(
            "eu-central-1", StaticCredentialsProvider.create(AwsBasicCredentials.create("REAL", "secret")));

    private HttpMessage signed(String body) {
        return upstream.addressed(new HttpMessage(
                "POST / HTTP/1.1",
                List.of(
                        "Host: 127.0.0.1:8000",
                        "X-Amz-Target: DynamoDB_20120810.PutItem",
                        "Content-Type: application/x-amz-json-1.0",
                        "Authorization: AWS4-HMAC-SHA256 Credential=MADE-UP/20261116/us-east-1/dynamodb/aws4_request"),
                body.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void requestsAreSignedForTheRegionWithTheProxysCredentials() {
        HttpMessage request = signed("{\"a\":1}");
        assertThat(request.header("Authorization"))
                .contains("Credential=REAL/", "/eu-central-1/dynamodb/aws4_request", "x-amz-target");
        assertThat(request.header("Host")).isEqualTo("dynamodb.eu-central-1.amazonaws.com");
        assertThat(request.operation()).isEqualTo("PutItem");
        assertThat(new String(request.bytes(), StandardCharsets.UTF_8))
                .startsWith("POST / HTTP/1.1\r\n")
                .endsWith("Content-Length: 7\r\n\r\n{\"a\":1}")
                .doesNotContain("MADE-UP", "127.0.0.1", "secret");
    }

    @Test
    void theSignatureCoversTheBody() {
        assertThat(signature(signed("{\"a\":1}"))).isNotEqualTo(signature(signed("{\"a\":2}")));
    }

    private static String signature(HttpMessage request) {
        String authorization = request.header("Authorization");
        return authorization.substring(authorization.indexOf("Signature="));
    }
}
