package io.dynajournal.internal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

final class SdkInterceptorsTest {

    /** As a tracing agent adds to every client. */
    private static final class Tracing implements ExecutionInterceptor {}

    private static List<String> names(ExecutionInterceptor ours, ExecutionInterceptor... others) {
        try (DynamoDbAsyncClient client = DynamoDbAsyncClient.builder()
                .endpointOverride(URI.create("http://localhost:8000"))
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .overrideConfiguration(override -> {
                    override.addExecutionInterceptor(ours);
                    List.of(others).forEach(override::addExecutionInterceptor);
                })
                .build()) {
            return SdkInterceptors.names(client, ours);
        }
    }

    @Test
    void theSdksOwnAndOursDoNotCount() {
        assertThat(names(new ExecutionInterceptor() {})).isEmpty();
    }

    @Test
    void anyOtherIsFoundInTheBuiltClient() {
        assertThat(names(new ExecutionInterceptor() {}, new Tracing())).containsExactly(Tracing.class.getName());
    }
}
