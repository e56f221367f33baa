package io.dynajournal.internal.direct;

import io.dynajournal.internal.dynamo.DirectModule;
import io.dynajournal.internal.dynamo.RequestSender;
import java.time.Clock;
import java.util.concurrent.Executor;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;

/** The service that core finds when this module is on the class path. */
public final class DirectRequests implements DirectModule {

    @Override
    public Direct open(
            SdkAsyncHttpClient http,
            IdentityProvider<? extends AwsCredentialsIdentity> credentials,
            Executor executor) {
        EndpointCapture capture = new EndpointCapture();
        DirectClient client = new DirectClient(http, credentials, executor, capture, Clock.systemUTC());
        return new Direct() {
            @Override
            public ExecutionInterceptor endpointCapture() {
                return capture;
            }

            @Override
            public RequestSender sender(RequestSender sdk) {
                return new DirectSender(client, sdk);
            }
        };
    }
}
