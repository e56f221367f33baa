package io.dynajournal.settings;

import com.typesafe.config.Config;

/**
 * The block of a plugin as it comes from the toolkit.
 *
 * @param root all settings
 * @param config the block, with the toolkit's fallback behind it
 * @param fallback the toolkit's fallback alone
 * @param toolkit the toolkit's name, as its settings begin
 */
public record PluginBlock(Config root, Config config, String path, Config fallback, String toolkit) {

    /** How the block is written: by our own settings, or by those of a predecessor. */
    enum Dialect {
        NATIVE,
        AKKA1,
        AKKA2,
        J5IK2O
    }

    /** Told by {@code layout}, which our reference.conf sets in every block that users copy. */
    Dialect dialect() {
        String layout = config.hasPath("layout") ? config.getString("layout") : "";
        Dialect dialect = switch (layout) {
            case "auto", "akka1", "sclasen" -> Dialect.AKKA1;
            case "akka2" -> Dialect.AKKA2;
            case "j5ik2o" -> Dialect.J5IK2O;
            default -> Dialect.NATIVE;
        };
        if (dialect != Dialect.NATIVE && config.hasPath("use-client")) {
            throw SettingsException.of(
                    path + ".layout",
                    "\"" + layout + "\" in a block with native settings",
                    "commits. The predecessors' layouts are set by their own settings: begin the block with "
                            + template(dialect));
        }
        return dialect;
    }

    private static String template(Dialect dialect) {
        return switch (dialect) {
            case AKKA1 -> "${dynamodb-journal}";
            case AKKA2 -> "a copy of the whole block dynamodb of 2.x";
            default -> "${j5ik2o.dynamo-db-journal}";
        };
    }
}
