package io.dynajournal.internal.direct;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * Learns the endpoint from the SDK's own requests, so that the SDK alone decides about it: region, partition, FIPS, dual stack, an
 * endpoint in the environment or in a profile. If the SDK uses more than one endpoint, no request can be sent directly.
 * Thread-safe.
 */
final class EndpointCapture implements ExecutionInterceptor {

    private static final Logger log = LoggerFactory.getLogger(EndpointCapture.class);

    private static final Pattern SCOPE =
            Pattern.compile("AWS4-HMAC-SHA256 Credential=[^,]*/([^/,]+)/dynamodb/aws4_request,.*");

    /** Paths that need no encoding in a signature. */
    private static final Pattern PLAIN_PATH = Pattern.compile("/|(/[A-Za-z0-9_~-]+)+/?");

    private volatile @Nullable Endpoint endpoint;
    private volatile boolean severalEndpoints;

    /** Null until the SDK has sent a request, and after it has used a second endpoint. */
    @Nullable
    Endpoint endpoint() {
        return severalEndpoints ? null : endpoint;
    }

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        SdkHttpRequest request = context.httpRequest();
        Matcher scope =
                SCOPE.matcher(request.firstMatchingHeader("Authorization").orElse(""));
        String path = request.encodedPath().isEmpty() ? "/" : request.encodedPath();
        // Requests that the SDK signs in another way stay with the SDK.
        if (scope.matches() && PLAIN_PATH.matcher(path).matches()) {
            captured(new Endpoint(request.protocol(), request.host(), request.port(), path, scope.group(1)));
        }
    }

    private synchronized void captured(Endpoint found) {
        Endpoint known = endpoint;
        if (known == null) {
            endpoint = found;
        } else if (!known.equals(found) && !severalEndpoints) {
            severalEndpoints = true;
            log.warn(
                    "All requests go through the AWS SDK from now on, because it uses several endpoints: {} and {}",
                    known,
                    found);
        }
    }
}
