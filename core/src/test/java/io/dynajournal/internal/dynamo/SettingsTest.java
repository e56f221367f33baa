package io.dynajournal.internal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

final class SettingsTest {

    @Test
    void secretsAreNotPrinted() {
        assertThat(CredentialSource.keys("AKIA123", "very-secret", "token-1").toString())
                .doesNotContain("very-secret")
                .doesNotContain("AKIA123")
                .doesNotContain("token-1");
    }

    @Test
    void plainHttpOffThisMachineIsRefused() {
        assertThatThrownBy(() -> ClientSettings.forEndpoint(URI.create("http://db.example.com:8000")))
                .hasMessageContaining("without TLS");
        assertThat(ClientSettings.forEndpoint(URI.create("http://127.0.0.1:8000"))
                        .isLoopback())
                .isTrue();
        assertThat(ClientSettings.forEndpoint(URI.create("http://[::1]:8000")).isLoopback())
                .isTrue();
        assertThat(ClientSettings.forEndpoint(URI.create("https://db.example.com"))
                        .isLoopback())
                .isFalse();
    }

    @Test
    void endpointsThatAreNoAddressesAreRefused() {
        assertThatThrownBy(() -> ClientSettings.forEndpoint(URI.create("localhost:8000")))
                .hasMessageContaining("https://host");
    }

    @Test
    void endpointsWithAPasswordAreRefusedWithoutShowingIt() {
        assertThatThrownBy(() -> ClientSettings.forEndpoint(URI.create("http://me:very-secret@db.example.com")))
                .hasMessageContaining("must not contain")
                .hasMessageNotContaining("very-secret");
    }

    @Test
    void contradictoryTimesAreRefusedByName() {
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> new RetrySettings(second, Duration.ofSeconds(2), second, second))
                .hasMessageContaining("call-attempt-timeout")
                .hasMessageContaining("call-timeout");
        assertThatThrownBy(() -> new RetrySettings(second, second, second, Duration.ZERO))
                .hasMessageContaining("retry.max-delay");
    }

    @Test
    void directRequestsNeedTheirModule() {
        ClientSettings settings = ClientSettings.forEndpoint(URI.create("http://localhost:8000"))
                .withTuning(ClientSettings.Tuning.of(ClientSettings.HttpClientChoice.AUTO, true));
        assertThatThrownBy(() -> Clients.connect(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("direct = on needs io.dynajournal:dynajournal-direct");
    }

    @Test
    void regionIsTakenFromTheHostNamesOfDynamoDb() {
        assertThat(ClientSettings.forEndpoint(URI.create("https://dynamodb.eu-central-1.amazonaws.com"))
                        .effectiveRegion())
                .isEqualTo("eu-central-1");
        assertThat(ClientSettings.forEndpoint(URI.create("https://123456789012.ddb.us-east-2.amazonaws.com"))
                        .effectiveRegion())
                .isEqualTo("us-east-2");
        assertThat(ClientSettings.forEndpoint(URI.create("https://vpce-1.dynamodb.us-west-2.vpce.amazonaws.com"))
                        .effectiveRegion())
                .isEqualTo("us-west-2");
        assertThat(ClientSettings.forEndpoint(URI.create("https://dynamodb.cn-north-1.amazonaws.com.cn"))
                        .effectiveRegion())
                .isEqualTo("cn-north-1");
        assertThat(ClientSettings.forEndpoint(URI.create("https://db.example.com"))
                        .effectiveRegion())
                .isNull();
    }

    @Test
    void credentialsProviderIsCreatedByItsFactoryMethodOrItsConstructor() {
        ClientSettings defaults = ClientSettings.forEndpoint(URI.create("http://localhost:8000"));
        for (String name : new String[] {
            "software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider", OwnProvider.class.getName()
        }) {
            Clients.open(with(defaults, name)).close();
        }
        assertThatThrownBy(() -> Clients.open(with(defaults, "java.lang.String")))
                .hasMessageContaining("java.lang.String does not implement");
        assertThatThrownBy(() -> Clients.open(with(defaults, "no.such.Class")))
                .hasMessageContaining("no.such.Class for credentials is not on the class path");
    }

    /** Has only a constructor. */
    public static final class OwnProvider implements AwsCredentialsProvider {
        @Override
        public AwsCredentials resolveCredentials() {
            return AwsBasicCredentials.create("a", "b");
        }
    }

    private static ClientSettings with(ClientSettings defaults, String provider) {
        return new ClientSettings(
                null,
                defaults.endpoint(),
                CredentialSource.providerClass(provider),
                false,
                1,
                defaults.connectTimeout(),
                defaults.connectionAcquisitionTimeout(),
                defaults.idleTimeout());
    }
}
