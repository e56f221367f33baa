package io.dynajournal.dynamo.direct;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynajournal.dynamo.direct.ScriptedServer.Asked;
import io.dynajournal.dynamo.direct.ScriptedServer.Reply;
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

    /** With one connection, so that one which is not given back is missed. */
    static Stream<SdkAsyncHttpClient> clients() {
        return Stream.of(
                NettyNioAsyncHttpClient.builder().maxConcurrency(1).build(),
                AwsCrtAsyncHttpClient.builder().maxConcurrency(1).build());
    }

    @ParameterizedTest
    @MethodSource("clients")
    void theWayIsLearnedFromTheSdk(SdkAsyncHttpClient http) {
        try (Connected connected = new Connected(server, http)) {
            assertThat(connected.direct.isReady()).isFalse();
            assertThatThrownBy(() -> connected.direct.putItem(PUT).join()).hasMessageContaining("not ready");
            connected.shown();
            assertThat(connected.direct.isReady()).isTrue();
            connected.direct.putItem(PUT).join();
            assertThat(server.last().headers().getFirst("X-Amz-Target")).isEqualTo("DynamoDB_20120810.PutItem");
        }
    }

    @ParameterizedTest
    @MethodSource("clients")
    void whatArrivesIsSigned(SdkAsyncHttpClient http) throws GeneralSecurityException {
        try (Connected connected = new Connected(server, http).shown()) {
            connected.direct.putItem(PUT).join();
            Asked asked = server.last();
            String authorization = asked.headers().getFirst("Authorization");
            assertThat(authorization)
                    .startsWith("AWS4-HMAC-SHA256 Credential=key/")
                    .contains("/eu-central-1/dynamodb/aws4_request")
                    .endsWith("Signature=" + signature(asked, authorization));
            assertThat(asked.headers().getFirst("X-Amz-Security-Token")).isEqualTo("token");
            assertThat(asked.headers().getFirst("Content-Type")).isEqualTo("application/x-amz-json-1.0");
        }
    }

    /** As AWS computes it, from what has arrived. */
    private static String signature(Asked asked, String authorization) throws GeneralSecurityException {
        String signed = authorization.replaceFirst(".*SignedHeaders=([^,]*),.*", "$1");
        assertThat(signed.split(";", -1)).contains("host", "x-amz-date", "x-amz-target", "x-amz-security-token");
        StringBuilder canonical = new StringBuilder("POST\n/\n\n");
        for (String name : signed.split(";", -1)) {
            canonical
                    .append(name)
                    .append(':')
                    .append(asked.headers().getFirst(name))
                    .append('\n');
        }
        canonical.append('\n').append(signed).append('\n').append(sha256(asked.body()));
        String date = asked.headers().getFirst("X-Amz-Date");
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

    @ParameterizedTest
    @MethodSource("clients")
    void aClockThatIsTooFarOffIsPutRight(SdkAsyncHttpClient http) {
        Clock wrong = Clock.offset(Clock.systemUTC(), Duration.ofHours(-3));
        server.then(Reply.of(200, "{}"));
        server.then(Reply.of(400, "{\"__type\":\"x#RequestTimeTooSkewed\",\"message\":\"too skewed\"}"));
        try (Connected connected = new Connected(server, http, wrong).shown()) {
            Throwable failure = failure(connected.direct.putItem(PUT));
            assertThat(((AwsServiceException) failure).isClockSkewException()).isTrue();
            assertThat(lateBy()).isGreaterThan(Duration.ofHours(2));
            connected.direct.putItem(PUT).join();
            assertThat(lateBy()).isLessThan(Duration.ofMinutes(2));
        }
    }

    /** The last signature, by a clock that is right. */
    private Duration lateBy() {
        Instant signed = Instant.from(DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'")
                .withZone(ZoneOffset.UTC)
                .parse(server.last().headers().getFirst("X-Amz-Date")));
        return Duration.between(signed, Instant.now()).abs();
    }

    @ParameterizedTest
    @MethodSource("clients")
    void whatCannotBeReadIsNoAnswer(SdkAsyncHttpClient http) {
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
        try (Connected connected = new Connected(server, http).shown()) {
            for (Reply reply : unreadable) {
                Throwable failure = failure(connected.direct.putItem(PUT));
                assertThat(failure)
                        .as("%.60s", reply)
                        .isInstanceOf(SdkClientException.class)
                        .hasCauseInstanceOf(IOException.class);
            }
            connected.direct.putItem(PUT).join();
        }
    }

    @ParameterizedTest
    @MethodSource("clients")
    void aSumThatIsRightIsFine(SdkAsyncHttpClient http) {
        server.then(Reply.of(200, "{}"));
        server.then(Reply.of(200, "{}").with("x-amz-crc32", "2745614147"));
        try (Connected connected = new Connected(server, http).shown()) {
            assertThat(connected.direct.putItem(PUT).join().value()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("clients")
    void anAnswerOfSomebodyElseHasItsStatus(SdkAsyncHttpClient http) {
        server.then(Reply.of(200, "{}"));
        server.then(Reply.of(502, "<html>Bad Gateway</html>"));
        try (Connected connected = new Connected(server, http).shown()) {
            Throwable failure = failure(connected.direct.putItem(PUT));
            assertThat(failure).isInstanceOf(AwsServiceException.class);
            assertThat(((AwsServiceException) failure).statusCode()).isEqualTo(502);
        }
    }

    /** There is but one connection: without it the next request would wait. */
    @ParameterizedTest
    @MethodSource("clients")
    void whoGivesUpWaitingFreesTheConnection(SdkAsyncHttpClient http) {
        server.then(Reply.of(200, "{}"));
        server.then(Reply.of(0, ""));
        try (Connected connected = new Connected(server, http).shown()) {
            CompletableFuture<?> unanswered = connected.direct.putItem(PUT);
            assertThatThrownBy(() ->
                            unanswered.orTimeout(300, TimeUnit.MILLISECONDS).join())
                    .hasCauseInstanceOf(TimeoutException.class);
            connected.direct.putItem(PUT).orTimeout(20, TimeUnit.SECONDS).join();
            assertThat(server.asked()).hasSize(3);
        }
    }

    @ParameterizedTest
    @MethodSource("clients")
    void aServerThatIsGoneIsAboutTheNetwork(SdkAsyncHttpClient http) {
        try (Connected connected = new Connected(server, http).shown()) {
            server.close();
            Throwable failure = failure(connected.direct.putItem(PUT));
            assertThat(failure).isInstanceOf(SdkClientException.class).hasCauseInstanceOf(IOException.class);
        }
    }
}
