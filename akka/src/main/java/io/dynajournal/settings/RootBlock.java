package io.dynajournal.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.util.Map;
import java.util.Set;

/** The block {@code dynajournal} itself. */
public final class RootBlock {

    private static final String ROOT = "dynajournal";
    private static final String PUSH = "push-to-cluster";
    private static final Set<String> OURS = Set.of("client", "journal", "snapshot", "state", "query", PUSH);

    private RootBlock() {}

    /**
     * Refuses what is neither ours nor a copy of one of our blocks: a misspelled block would have no effect.
     *
     * @param root all settings
     */
    public static void check(Config root) {
        for (Map.Entry<String, ConfigValue> entry : root.getObject(ROOT).entrySet()) {
            if (!OURS.contains(entry.getKey()) && !isCopy(entry.getValue())) {
                String nearest = Spelling.nearest(entry.getKey(), OURS);
                throw new SettingsException("Setting " + ROOT + "." + ConfigUtil.joinPath(entry.getKey())
                        + " is not known. "
                        + (nearest == null ? "" : "Did you mean " + ROOT + "." + nearest + "? ")
                        + "(Found in " + entry.getValue().origin().description() + ".)");
            }
        }
    }

    /** Whether writes wake the queries of a cluster's other nodes. */
    public static boolean pushesToCluster(Config root) {
        return new Block(root.getConfig(ROOT), ROOT, ROOT).flag(PUSH);
    }

    private static boolean isCopy(ConfigValue value) {
        return value instanceof ConfigObject block && (block.containsKey("class") || block.containsKey("credentials"));
    }
}
