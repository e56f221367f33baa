package io.dynajournal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SettingsTest {

    @Test
    void secretsAreNotPrinted() {
        assertThat(new CredentialSource.Keys("AKIA123", "very-secret", "token-1").toString())
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
                .hasMessageContaining("must not hold")
                .hasMessageNotContaining("very-secret");
    }

    @Test
    void contradictoryTimesAreRefusedByName() {
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> new RetrySettings(second, Duration.ofSeconds(2), second, second))
                .hasMessageContaining("attempt-timeout")
                .hasMessageContaining("call-timeout");
        assertThatThrownBy(() -> new RetrySettings(second, second, second, Duration.ZERO))
                .hasMessageContaining("retry.max-delay");
    }
}
