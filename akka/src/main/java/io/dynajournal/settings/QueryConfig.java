package io.dynajournal.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.slices.Pace;
import io.dynajournal.slices.ReaderSettings;
import java.time.Duration;
import java.util.List;

/**
 * A block like {@code dynajournal.query}.
 *
 * @param journal the plugin id of the journal that is read
 * @param snapshots the plugin id of the snapshot store that queries start from
 * @param push whose writes wake queries
 */
public record QueryConfig(String journal, String snapshots, Push push, ReaderSettings reader) {

    /** All nodes of the cluster, this one, none. */
    public enum Push {
        ON,
        LOCAL,
        OFF
    }

    /** How much of the window the partitions of a query may be apart. */
    private static final int SLACK = 4;

    /**
     * Reads the block.
     *
     * @throws SettingsException if something is wrong with it
     */
    public static QueryConfig of(Config config, String path) {
        Block block = new Block(config, path, "dynajournal.query");
        try {
            Pace pace = new Pace(block.duration("refresh-interval"), block.duration("idle-refresh-interval"));
            Duration window = block.duration("trailing-window");
            Duration slack = longer(window.dividedBy(SLACK), pace.idleRefresh().multipliedBy(2));
            QueryConfig query = new QueryConfig(
                    block.text("journal-plugin-id"),
                    block.text("snapshot-plugin-id"),
                    block.choice("push", List.of(Push.values())),
                    new ReaderSettings(
                            window,
                            slack,
                            block.count("page-rows"),
                            block.count("known-ids"),
                            block.count("parallelism"),
                            pace));
            block.refuseUnknown(ConfigFactory.empty());
            return query;
        } catch (SettingsException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw block.refused(e);
        }
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
