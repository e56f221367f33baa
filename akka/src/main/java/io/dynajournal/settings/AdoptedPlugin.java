package io.dynajournal.settings;

import com.typesafe.config.ConfigException;
import java.time.Duration;

/** What we read in a predecessor's block beside its own settings. */
final class AdoptedPlugin {

    private AdoptedPlugin() {}

    static Duration circuitBreaker(PluginBlock plugin) {
        String key = "circuit-breaker.call-timeout";
        try {
            return plugin.config().getDuration(key);
        } catch (ConfigException e) {
            throw SettingsException.of(plugin.path() + "." + key, "no usable value", "a time, such as 10 s");
        }
    }

    /** Our own two switches: the predecessors neither check nor make tables. */
    static TablePolicy tables(AdoptedBlock block, String prefix) {
        return new TablePolicy(
                block.flag(prefix + "check-tables", true),
                block.flag(prefix + "create-tables", false) ? TablePolicy.Create.ON : TablePolicy.Create.OFF);
    }
}
