package io.dynajournal.dynamo.direct;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * Learns from a request of the SDK's own where it goes. So whatever decides about that (region, partition, FIPS, dual
 * stack, an endpoint in the environment or in a profile) is decided by the SDK alone. Thread-safe.
 */
final class TargetWatch implements ExecutionInterceptor {

    private static final Pattern SCOPE =
            Pattern.compile("AWS4-HMAC-SHA256 Credential=[^,]*/([^/,]+)/dynamodb/aws4_request,.*");

    /** One that signers cannot understand in two ways. */
    private static final Pattern PLAIN_PATH = Pattern.compile("/|(/[A-Za-z0-9_~-]+)+/?");

    private volatile @Nullable Target target;

    /** Null until the SDK has sent a request. */
    @Nullable
    Target target() {
        return target;
    }

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        SdkHttpRequest request = context.httpRequest();
        Matcher scope =
                SCOPE.matcher(request.firstMatchingHeader("Authorization").orElse(""));
        // Signed in another way, we would not know how: the requests stay with the SDK.
        String path = request.encodedPath().isEmpty() ? "/" : request.encodedPath();
        if (scope.matches() && PLAIN_PATH.matcher(path).matches()) {
            target = new Target(request.protocol(), request.host(), request.port(), path, scope.group(1));
        }
    }
}
