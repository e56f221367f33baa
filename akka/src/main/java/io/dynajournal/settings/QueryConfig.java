package io.dynajournal.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.slices.ReaderSettings;
import java.util.List;
import java.util.Set;

/**
 * The settings of a read journal: a block like {@code dynajournal.query}, or one of a predecessor.
 *
 * @param journal the plugin id of the journal whose events are read, or that at least writes them
 * @param standsAlone whether the block itself has the settings of a journal, and tells where the events are
 * @param snapshots the plugin id of the snapshot store that queries start from
 * @param push whose writes wake queries
 * @param entityTypes where a query by tag looks; empty if the table can tell
 * @param remarks what the user should know about a predecessor's settings
 */
public record QueryConfig(
        String journal,
        boolean standsAlone,
        String snapshots,
        ReadConfig.Push push,
        ReaderSettings reader,
        Set<String> entityTypes,
        List<Remark> remarks) {

    private static final String TEMPLATE = "dynajournal.query";

    public QueryConfig {
        entityTypes = Set.copyOf(entityTypes);
        remarks = List.copyOf(remarks);
    }

    /**
     * Reads the block.
     *
     * @throws SettingsException if something is wrong with it
     */
    public static QueryConfig of(PluginBlock plugin) {
        return switch (plugin.dialect()) {
            case NATIVE -> ofNative(plugin.config(), plugin.path());
            case AKKA1 -> Akka1Settings.queries(plugin);
            case AKKA2 -> Akka2Settings.queries(plugin);
            case J5IK2O -> J5Settings.queries(plugin);
        };
    }

    private static QueryConfig ofNative(Config config, String path) {
        Block block = new Block(config, path, TEMPLATE);
        ReadConfig reads = ReadConfig.of(block, "");
        QueryConfig query = new QueryConfig(
                block.text("journal-plugin-id"),
                false,
                block.text("snapshot-plugin-id"),
                reads.push(),
                reads.reader(),
                Set.of(),
                List.of());
        block.refuseUnknown(ConfigFactory.empty());
        return query;
    }

    /** The native block, whose values hold for what a predecessor has no setting for. */
    static QueryConfig defaults(Config root) {
        return ofNative(root.getConfig(TEMPLATE), TEMPLATE);
    }
}
