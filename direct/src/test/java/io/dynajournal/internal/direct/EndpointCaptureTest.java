package io.dynajournal.internal.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.ScriptedServer;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

final class EndpointCaptureTest {

    private final ScriptedServer first = new ScriptedServer();
    private final ScriptedServer second = new ScriptedServer();
    private final EndpointCapture capture = new EndpointCapture();

    @AfterEach
    void close() {
        first.close();
        second.close();
    }

    private void request(URI endpoint) {
        try (DynamoDbAsyncClient client = DynamoDbAsyncClient.builder()
                .endpointOverride(endpoint)
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
                .overrideConfiguration(override -> override.addExecutionInterceptor(capture))
                .build()) {
            client.listTables().join();
        }
    }

    @Test
    void theEndpointIsThatOfTheSdksRequests() {
        assertThat(capture.endpoint()).isNull();
        request(first.endpoint());
        request(first.endpoint());
        assertThat(capture.endpoint())
                .isEqualTo(new Endpoint("http", "localhost", first.endpoint().getPort(), "/", "eu-central-1"));
    }

    @Test
    void withSeveralEndpointsNoneIsUsed() {
        for (ScriptedServer server : List.of(first, second, first)) {
            request(server.endpoint());
        }
        assertThat(capture.endpoint()).isNull();
    }
}
