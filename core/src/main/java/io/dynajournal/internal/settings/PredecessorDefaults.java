package io.dynajournal.internal.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The predecessors' own defaults. reference.conf includes them so that a user's substitutions of their keys resolve; they do
 * not count as set, because each dialect has the defaults that apply here.
 */
final class PredecessorDefaults {

    private static final String DIRECTORY = "io/dynajournal/predecessors/";
    private static final Map<String, Config> FILES = new ConcurrentHashMap<>();

    private PredecessorDefaults() {}

    /** The block with what was set in it. A default that stands there for another key was set by a substitution. */
    static Config removeFrom(Config block) {
        Config set = block;
        for (Map.Entry<String, ConfigValue> entry : block.entrySet()) {
            if (isDefault(entry.getKey(), entry.getValue())) {
                set = set.withoutPath(entry.getKey());
            }
        }
        return set;
    }

    private static boolean isDefault(String key, ConfigValue value) {
        @Nullable String file = value.origin().resource();
        if (file == null || !file.startsWith(DIRECTORY)) {
            return false;
        }
        Config defaults = FILES.computeIfAbsent(file, PredecessorDefaults::load);
        return defaults.hasPath(key) && defaults.getValue(key).equals(value);
    }

    private static Config load(String file) {
        return ConfigFactory.parseResources(PredecessorDefaults.class.getClassLoader(), file);
    }
}
