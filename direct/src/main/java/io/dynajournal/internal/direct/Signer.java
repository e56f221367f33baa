package io.dynajournal.internal.direct;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/**
 * Builds requests with AWS's signature version 4. The SDK's signer handles every kind of request; this one knows the headers in
 * advance and derives the signing key once a day. Thread-safe.
 */
final class Signer {

    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final String CONTENT_TYPE = "application/x-amz-json-1.0";
    private static final String OPERATION = "DynamoDB_20120810.";
    private static final String HMAC = "HmacSHA256";
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int DAY_LENGTH = 8;

    /** The signing key of a day, with what it is derived from. */
    private record DayKey(String day, String region, String secret, SecretKeySpec key) {

        boolean isOf(String otherDay, String otherRegion, String otherSecret) {
            return day.equals(otherDay) && region.equals(otherRegion) && secret.equals(otherSecret);
        }

        /** Without the secret. */
        @Override
        public String toString() {
            return "key of " + day + " in " + region;
        }
    }

    private volatile @Nullable DayKey last;

    /** A signed request. */
    SdkHttpRequest request(
            Endpoint endpoint, String operation, byte[] body, AwsCredentialsIdentity identity, Instant now) {
        String stamp = STAMP.format(now);
        String host = host(endpoint);
        String sum = sha256(body);
        @Nullable
        String token = identity instanceof AwsSessionCredentialsIdentity session
                ? session.sessionToken().trim()
                : null;
        // Sorted by name, as the signature requires.
        String headers = "content-length:" + body.length + "\ncontent-type:" + CONTENT_TYPE + "\nhost:" + host
                + "\nx-amz-content-sha256:" + sum
                + "\nx-amz-date:" + stamp + (token == null ? "" : "\nx-amz-security-token:" + token)
                + "\nx-amz-target:" + OPERATION + operation;
        String names = token == null
                ? "content-length;content-type;host;x-amz-content-sha256;x-amz-date;x-amz-target"
                : "content-length;content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token;x-amz-target";
        String canonical = "POST\n" + endpoint.path() + "\n\n" + headers + "\n\n" + names + "\n" + sum;
        String day = stamp.substring(0, DAY_LENGTH);
        String scope = day + "/" + endpoint.region() + "/dynamodb/aws4_request";
        String signature = HexFormat.of()
                .formatHex(hmac(
                        key(day, endpoint.region(), identity.secretAccessKey().trim()),
                        ALGORITHM + "\n" + stamp + "\n" + scope + "\n" + sha256(canonical.getBytes(UTF_8))));
        SdkHttpRequest.Builder request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.POST)
                .protocol(endpoint.protocol())
                .host(endpoint.host())
                .port(endpoint.port())
                .encodedPath(endpoint.path())
                .putHeader("Host", host)
                .putHeader("Content-Type", CONTENT_TYPE)
                .putHeader("Content-Length", Integer.toString(body.length))
                .putHeader("User-Agent", "dynajournal")
                .putHeader("X-Amz-Target", OPERATION + operation)
                .putHeader("X-Amz-Date", stamp)
                .putHeader("x-amz-content-sha256", sum)
                .putHeader(
                        "Authorization",
                        ALGORITHM + " Credential=" + identity.accessKeyId().trim() + "/" + scope + ", SignedHeaders="
                                + names + ", Signature=" + signature);
        if (token != null) {
            request.putHeader("X-Amz-Security-Token", token);
        }
        return request.build();
    }

    /** With its port, unless that is the protocol's default. */
    private static String host(Endpoint endpoint) {
        int usual = endpoint.protocol().equals("https") ? 443 : 80;
        return endpoint.port() == usual ? endpoint.host() : endpoint.host() + ":" + endpoint.port();
    }

    private SecretKeySpec key(String day, String region, String secret) {
        @Nullable DayKey known = last;
        if (known != null && known.isOf(day, region, secret)) {
            return known.key();
        }
        SecretKeySpec key = hmacKey(("AWS4" + secret).getBytes(UTF_8));
        for (String part : new String[] {day, region, "dynamodb", "aws4_request"}) {
            key = hmacKey(hmac(key, part));
        }
        last = new DayKey(day, region, secret, key);
        return key;
    }

    private static SecretKeySpec hmacKey(byte[] bytes) {
        return new SecretKeySpec(bytes, HMAC);
    }

    private static byte[] hmac(SecretKeySpec key, String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            return mac.doFinal(text.getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JVM lacks " + HMAC, e);
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JVM lacks SHA-256", e);
        }
    }
}
