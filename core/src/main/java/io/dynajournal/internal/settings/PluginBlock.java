package io.dynajournal.internal.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import io.dynajournal.exception.SettingsException;

/**
 * The block of a plugin as the toolkit passes it.
 *
 * @param root all settings of the actor system
 * @param config the block, merged with the toolkit's fallback
 * @param fallback the toolkit's fallback alone
 * @param toolkit the first element of the toolkit's own paths
 */
public record PluginBlock(Config root, Config config, String path, Config fallback, String toolkit) {

    /** Chosen by {@code layout}, which reference.conf sets in every block that users copy. */
    SettingsDialect dialect() {
        String layout = layout();
        SettingsDialect dialect = SettingsDialect.ALL.stream()
                .filter(each -> each.layouts().contains(layout))
                .findFirst()
                .orElse(SettingsDialect.ALL.get(0));
        if (config.hasPath("use-client") && !(dialect instanceof NativeSettings)) {
            throw SettingsException.of(
                    path + ".layout",
                    "\"" + layout + "\" in a block with native settings",
                    "commits. The predecessors' layouts have settings of their own: begin the block with "
                            + dialect.template());
        }
        return dialect;
    }

    String layout() {
        if (!config.hasPath("layout")) {
            return layoutOfClass();
        }
        try {
            return config.getString("layout");
        } catch (ConfigException.WrongType e) {
            throw SettingsException.of(path + ".layout", "a block or a list", "the name of a layout");
        }
    }

    /** A block that begins with no copy of ours may still name a predecessor's class. */
    private String layoutOfClass() {
        String name = config.hasPath("class") ? config.getString("class") : "";
        if (name.startsWith("com.github.j5ik2o.")) {
            return "j5ik2o";
        }
        if (name.endsWith(".persistence.journal.dynamodb.DynamoDBJournal")) {
            return "sclasen";
        }
        if (!name.contains(".persistence.dynamodb.")) {
            return "";
        }
        return config.hasPath("journal-table") || config.hasPath("snapshot-table") ? "akka1" : "akka2";
    }
}
