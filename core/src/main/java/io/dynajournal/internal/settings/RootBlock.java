package io.dynajournal.internal.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import io.dynajournal.exception.SettingsException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The block {@code dynajournal} itself. */
public final class RootBlock {

    private static final String ROOT = "dynajournal";
    private static final Set<String> KEYS =
            Set.of("client", "journal", "snapshot", "state", "query", "cleanup", "projection", "push", "create-tables");

    private RootBlock() {}

    /**
     * Rejects what is neither ours nor a copy of one of our blocks: a misspelled block would have no effect.
     *
     * @param root all settings of the actor system
     * @throws SettingsException if there is such a key
     */
    public static void check(Config root) {
        for (Map.Entry<String, ConfigValue> entry : root.getObject(ROOT).entrySet()) {
            if (!KEYS.contains(entry.getKey()) && !isCopy(entry.getValue())) {
                throw new SettingsException("Setting " + ROOT + "." + ConfigUtil.joinPath(entry.getKey())
                        + " is not known. " + hint(entry.getKey())
                        + "(Found in " + entry.getValue().origin().description() + ".)");
            }
        }
        createTables(root);
        pushesToCluster(root);
    }

    /** Whether writes wake the queries of a cluster's other nodes. */
    public static boolean pushesToCluster(Config root) {
        Block block = block(root);
        return ReadConfig.push(block.flag("push.enabled"), block.flag("push.cluster")) == ReadConfig.Push.CLUSTER;
    }

    static TablePolicy.Create createTables(Config root) {
        return block(root).choice("create-tables", List.of(TablePolicy.Create.values()));
    }

    private static Block block(Config root) {
        return Block.ofNative(root.getConfig(ROOT), ROOT, ROOT);
    }

    private static String hint(String key) {
        String renamed = RenamedKeys.newName(key);
        if (renamed != null) {
            return "It is now called " + ROOT + "." + renamed + ". ";
        }
        String nearest = Spelling.nearest(key, KEYS);
        return nearest == null ? "" : "Did you mean " + ROOT + "." + nearest + "? ";
    }

    private static boolean isCopy(ConfigValue value) {
        return value instanceof ConfigObject block
                && (block.containsKey("class") || block.containsKey("credentials") || block.containsKey("layout"));
    }
}
