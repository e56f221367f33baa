package io.dynajournal.internal.plugin;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.settings.ClientConfig;
import org.junit.jupiter.api.Test;

final class OpenClientTest {

    @Test
    void absentEmbeddedServerIsExplained() {
        ClientConfig embedded = ClientConfig.of(
                ConfigFactory.load(ConfigFactory.parseString("dynajournal.client.endpoint = embedded")),
                "dynajournal.client");

        assertThatThrownBy(() -> OpenClient.embedded(embedded, ClassLoader.getPlatformClassLoader()))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("dynajournal.client.endpoint")
                .hasMessageContaining("io.dynajournal:dynajournal-local");
    }
}
