package io.dynajournal.dynamo.direct;

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
 * Requests to DynamoDB with their signatures (version 4). The SDK's signer does the same for requests of every kind; ours
 * are all of one kind, so that the headers to sign are known, and the key of a day is derived once. Thread-safe.
 */
final class Signer {

    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final String CONTENT_TYPE = "application/x-amz-json-1.0";
    private static final String OPERATION = "DynamoDB_20120810.";
    private static final String HMAC = "HmacSHA256";
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int DAY = 8;

    /** What the key of a day is made of, and the key. */
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

    /** A request that is ready to be sent. */
    SdkHttpRequest request(Target target, String operation, byte[] body, AwsCredentialsIdentity identity, Instant now) {
        String stamp = STAMP.format(now);
        String host = host(target);
        String sum = sha256(body);
        @Nullable
        String token = identity instanceof AwsSessionCredentialsIdentity session
                ? session.sessionToken().trim()
                : null;
        // By name, as they are signed.
        String headers = "content-length:" + body.length + "\ncontent-type:" + CONTENT_TYPE + "\nhost:" + host
                + "\nx-amz-content-sha256:" + sum
                + "\nx-amz-date:" + stamp + (token == null ? "" : "\nx-amz-security-token:" + token)
                + "\nx-amz-target:" + OPERATION + operation;
        String names = token == null
                ? "content-length;content-type;host;x-amz-content-sha256;x-amz-date;x-amz-target"
                : "content-length;content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token;x-amz-target";
        String canonical = "POST\n" + target.path() + "\n\n" + headers + "\n\n" + names + "\n" + sum;
        String day = stamp.substring(0, DAY);
        String scope = day + "/" + target.region() + "/dynamodb/aws4_request";
        String signature = HexFormat.of()
                .formatHex(hmac(
                        key(day, target.region(), identity.secretAccessKey().trim()),
                        ALGORITHM + "\n" + stamp + "\n" + scope + "\n" + sha256(canonical.getBytes(UTF_8))));
        SdkHttpRequest.Builder request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.POST)
                .protocol(target.protocol())
                .host(target.host())
                .port(target.port())
                .encodedPath(target.path())
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

    /** With its port, unless that is the usual one. */
    private static String host(Target target) {
        int usual = target.protocol().equals("https") ? 443 : 80;
        return target.port() == usual ? target.host() : target.host() + ":" + target.port();
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
