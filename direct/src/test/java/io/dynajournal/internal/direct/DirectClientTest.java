package io.dynajournal.internal.direct;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynajournal.internal.dynamo.ScriptedServer;
import io.dynajournal.internal.dynamo.ScriptedServer.Received;
import io.dynajournal.internal.dynamo.ScriptedServer.Reply;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/** On both HTTP clients. */
final class DirectClientTest {

    private static final PutItemRequest PUT = PutItemRequest.builder()
            .tableName("t")
            .item(Map.of("pid", AttributeValue.fromS("ä")))
            .build();

    private final ScriptedServer server = new ScriptedServer();

    @AfterEach
    void close() {
        server.close();
    }

    /** With one connection, so that a lost one is noticed. */
    static Stream<SdkAsyncHttpClient> clients() {
        return Stream.of(
                NettyNioAsyncHttpClient.builder().maxConcurrency(1).build(),
                AwsCrtAsyncHttpClient.builder().maxConcurrency(1).build());
    }

    @ParameterizedTest
    @MethodSource("clients")
    void theEndpointIsLearnedFromTheSdk(SdkAsyncHttpClient http) {
        try (Connected connected = new Connected(server, http)) {
            assertThat(connected.direct.isReady()).isFalse();
            assertThatThrownBy(() -> connected.direct.put(PUT).join()).hasMessageContaining("endpoint is not known");
            connected.ready();
            assertThat(connected.direct.isReady()).isTrue();
            connected.direct.put(PUT).join();
            assertThat(server.last().header("X-Amz-Target")).isEqualTo("DynamoDB_20120810.PutItem");
        }
    }

    @ParameterizedTest
    @MethodSource("clients")
    void requestsAreSigned(SdkAsyncHttpClient http) throws GeneralSecurityException {
        try (Connected connected = new Connected(server, http).ready()) {
            connected.direct.put(PUT).join();
            Received received = server.last();
            String authorization = received.header("Authorization");
            assertThat(authorization)
                    .startsWith("AWS4-HMAC-SHA256 Credential=key/")
                    .contains("/eu-central-1/dynamodb/aws4_request")
                    .endsWith("Signature=" + signature(received, authorization));
            assertThat(received.header("X-Amz-Security-Token")).isEqualTo("token");
            assertThat(received.header("Content-Type")).isEqualTo("application/x-amz-json-1.0");
        }
    }

    /** As AWS computes it from the received request. */
    private static String signature(Received received, String authorization) throws GeneralSecurityException {
        String signed = authorization.replaceFirst(".*SignedHeaders=([^,]*),.*", "$1");
        assertThat(signed.split(";", -1)).contains("host", "x-amz-date", "x-amz-target", "x-amz-security-token");
        StringBuilder canonical = new StringBuilder("POST\n/\n\n");
        for (String name : signed.split(";", -1)) {
            canonical.append(name).append(':').append(received.header(name)).append('\n');
        }
        canonical.append('\n').append(signed).append('\n').append(sha256(received.body()));
        String date = received.header("X-Amz-Date");
        String day = date.substring(0, 8);
        byte[] key = ("AWS4" + Connected.CREDENTIALS.secretAccessKey()).getBytes(UTF_8);
        for (String part : List.of(day, "eu-central-1", "dynamodb", "aws4_request")) {
            key = hmac(key, part);
        }
        return HexFormat.of()
                .formatHex(hmac(
                        key,
                        "AWS4-HMAC-SHA256\n" + date + "\n" + day + "/eu-central-1/dynamodb/aws4_request\n"
                                + sha256(canonical.toString())));
    }

    private static String sha256(String text) throws GeneralSecurityException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    }

    private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(text.getBytes(UTF_8));
    }

    private static Throwable failure(CompletableFuture<?> call) {
        return Objects.requireNonNull(catchThrowable(call::join).getCause());
    }

    /** DynamoDB reports a wrong clock as a wrong signature; other services have a code of their own for it. */
    @ParameterizedTest
    @MethodSource("clients")
    void aWrongClockIsCorrected(SdkAsyncHttpClient http) {
        Clock wrong = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(-10));
        server.then(Reply.of(200, "{}"));
        server.then(Reply.error(400, "InvalidSignatureException", "Signature expired"));
        try (Connected connected = new Connected(server, http, wrong).ready()) {
            Throwable failure = failure(connected.direct.put(PUT));
            assertThat(((AwsServiceException) failure).isClockSkewException()).isTrue();
            assertThat(lateBy()).isGreaterThan(Duration.ofMinutes(9));
            connected.direct.put(PUT).join();
            assertThat(lateBy()).isLessThan(Duration.ofMinutes(2));
        }
    }

    @ParameterizedTest
    @MethodSource("clients")
    void aWrongSignatureByARightClockIsNoClockSkew(SdkAsyncHttpClient http) {
        server.then(Reply.of(200, "{}"));
        server.then(Reply.error(400, "InvalidSignatureException", "does not match"));
        try (Connected connected = new Connected(server, http).ready()) {
            assertThat(((AwsServiceException) failure(connected.direct.put(PUT))).isClockSkewException())
                    .isFalse();
        }
    }

    /** How late the last request was signed, by this machine's clock. */
    private Duration lateBy() {
        Instant signed = Instant.from(DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'")
                .withZone(ZoneOffset.UTC)
                .parse(server.last().header("X-Amz-Date")));
        return Duration.between(signed, Instant.now()).abs();
    }

    @ParameterizedTest
    @MethodSource("clients")
    void anUnreadableAnswerIsNoAnswer(SdkAsyncHttpClient http) {
        server.then(Reply.of(200, "{}"));
        List<Reply> unreadable = List.of(
                Reply.of(200, "{}").with("x-amz-crc32", "1"),
                Reply.of(200, ""),
                Reply.of(200, "<html>"),
                Reply.of(200, "{\"Attributes\":{\"a\":{}}}"),
                Reply.of(200, "{\"Attributes\":{\"a\":{\"S\":\"x\",\"N\":\"1\"}}}"),
                Reply.of(200, "{\"Attributes\":{\"a\":{\"B\":\"***\"}}}"),
                Reply.of(200, "{\"Attributes\":{\"a\":{\"S\":\"cut"),
                Reply.of(200, "{\"x\":" + "[".repeat(100_000)),
                Reply.of(200, "{\"Attributes\":{\"a\":" + "{\"L\":[".repeat(100_000)));
        unreadable.forEach(server::then);
        try (Connected connected = new Connected(server, http).ready()) {
            for (Reply reply : unreadable) {
                Throwable failure = failure(connected.direct.put(PUT));
                assertThat(failure)
                        .as("%.60s", reply)
                        .isInstanceOf(SdkClientException.class)
                        .hasCauseInstanceOf(IOException.class);
            }
            connected.direct.put(PUT).join();
        }
    }

    @ParameterizedTest
    @MethodSource("clients")
    void aRightChecksumIsAccepted(SdkAsyncHttpClient http) {
        server.then(Reply.of(200, "{}"));
        server.then(Reply.of(200, "{}").with("x-amz-crc32", "2745614147"));
        try (Connected connected = new Connected(server, http).ready()) {
            assertThat(connected.direct.put(PUT).join().value()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("clients")
    void anAnswerOfAProxyKeepsItsStatus(SdkAsyncHttpClient http) {
        server.then(Reply.of(200, "{}"));
        server.then(Reply.of(502, "<html>Bad Gateway</html>"));
        try (Connected connected = new Connected(server, http).ready()) {
            Throwable failure = failure(connected.direct.put(PUT));
            assertThat(failure).isInstanceOf(AwsServiceException.class);
            assertThat(((AwsServiceException) failure).statusCode()).isEqualTo(502);
        }
    }

    /** There is only one connection: the next request would wait for it. */
    @ParameterizedTest
    @MethodSource("clients")
    void anAbandonedRequestFreesItsConnection(SdkAsyncHttpClient http) {
        server.then(Reply.of(200, "{}"));
        server.then(Reply.of(0, ""));
        try (Connected connected = new Connected(server, http).ready()) {
            CompletableFuture<?> unanswered = connected.direct.put(PUT);
            assertThatThrownBy(() ->
                            unanswered.orTimeout(300, TimeUnit.MILLISECONDS).join())
                    .hasCauseInstanceOf(TimeoutException.class);
            connected.direct.put(PUT).orTimeout(20, TimeUnit.SECONDS).join();
            assertThat(server.received()).hasSize(3);
        }
    }

    @ParameterizedTest
    @MethodSource("clients")
    void aServerThatIsGoneIsANetworkFailure(SdkAsyncHttpClient http) {
        try (Connected connected = new Connected(server, http).ready()) {
            server.close();
            Throwable failure = failure(connected.direct.put(PUT));
            assertThat(failure).isInstanceOf(SdkClientException.class).hasCauseInstanceOf(IOException.class);
        }
    }
}
