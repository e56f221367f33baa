package io.dynajournal.internal.dynamo;

import java.util.concurrent.Executor;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;

/**
 * Sends the most frequent requests without the SDK's pipeline. Found with {@link java.util.ServiceLoader}; the module {@code
 * dynajournal-direct} has the implementation. It is used only where the client's settings say {@code direct = on}.
 */
public interface DirectModule {

    /**
     * Prepares direct requests for a client that is about to be built.
     *
     * @param http the HTTP client of the SDK's client
     * @param executor completes the futures, and resolves credentials
     */
    Direct open(
            SdkAsyncHttpClient http, IdentityProvider<? extends AwsCredentialsIdentity> credentials, Executor executor);

    /** Direct requests of one client. */
    interface Direct {

        /** To be added to the SDK's client: it learns where the SDK sends its requests. */
        ExecutionInterceptor endpointCapture();

        /** A sender that bypasses the SDK once the endpoint is known, and goes through {@code sdk} until then. */
        RequestSender sender(RequestSender sdk);
    }
}
