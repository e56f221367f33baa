package io.dynajournal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;

final class HttpClientsTest {

    private static final String CRT = "AwsCommonRuntime";
    private static final String NETTY = "NettyNio";

    private static String carrier(ClientSettings.Tuning tuning) {
        ClientSettings defaults = ClientSettings.forEndpoint(URI.create("http://localhost:8000"));
        ClientSettings settings = new ClientSettings(
                defaults.region(),
                defaults.endpoint(),
                defaults.credentials(),
                defaults.allowPlainHttp(),
                defaults.maxConnections(),
                defaults.connectTimeout(),
                defaults.acquireTimeout(),
                defaults.idleTimeout(),
                tuning);
        try (SdkAsyncHttpClient http = HttpClients.builder(settings).build()) {
            return http.clientName();
        }
    }

    @Test
    void theCrtCarriesWhereItIsThere() {
        assertThat(carrier(ClientSettings.Tuning.DEFAULTS)).isEqualTo(CRT);
        assertThat(carrier(ClientSettings.Tuning.of(ClientSettings.Carrier.CRT, true)))
                .isEqualTo(CRT);
    }

    @Test
    void nettyCarriesWhenChosen() {
        assertThat(carrier(ClientSettings.Tuning.of(ClientSettings.Carrier.NETTY, true)))
                .isEqualTo(NETTY);
    }

    @Test
    void nettyCarriesWhenASettingIsItsOwn() {
        assertThat(carrier(new ClientSettings.Tuning(
                        ClientSettings.Carrier.AUTO,
                        100,
                        null,
                        null,
                        Duration.ofSeconds(3),
                        null,
                        false,
                        true,
                        null,
                        true)))
                .isEqualTo(NETTY);
    }
}
