package io.dynajournal.internal.dynamo;

import java.util.List;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The interceptors that something other than the SDK and us has added to a client, as tracing does. */
final class SdkInterceptors {

    private static final String SDK = "software.amazon.awssdk.";

    private SdkInterceptors() {}

    /**
     * Class names of the interceptors that the built client has, whether they came from a file on the class path or were added by
     * an agent.
     */
    static List<String> names(DynamoDbAsyncClient client, ExecutionInterceptor ours) {
        return client.serviceClientConfiguration().overrideConfiguration().executionInterceptors().stream()
                .filter(interceptor -> interceptor != ours)
                .map(interceptor -> interceptor.getClass().getName())
                .filter(name -> !name.startsWith(SDK))
                .toList();
    }
}
