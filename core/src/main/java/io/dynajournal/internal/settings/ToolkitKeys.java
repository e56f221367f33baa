package io.dynajournal.internal.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValueType;
import java.util.HashSet;
import java.util.Set;

/** The keys that the toolkit itself reads in a plugin's block. */
final class ToolkitKeys {

    /** In addition to the keys of its fallback. */
    private static final Set<String> ADDITIONAL =
            Set.of("class", "plugin-dispatcher", "event-adapters", "event-adapter-bindings");

    private final Config fallback;
    private final Set<String> first;

    ToolkitKeys(Config fallback) {
        this.fallback = fallback;
        this.first = new HashSet<>(ADDITIONAL);
        first.addAll(fallback.root().keySet());
    }

    boolean has(String key) {
        String head = ConfigUtil.splitPath(key).get(0);
        if (!first.contains(head)) {
            return false;
        }
        boolean block = fallback.hasPath(head)
                && fallback.getValue(head).valueType() == ConfigValueType.OBJECT
                && !fallback.getConfig(head).isEmpty();
        return !block || fallback.hasPath(key);
    }
}
