package io.dynajournal.settings;

import com.typesafe.config.Config;
import io.dynajournal.slices.Pace;
import io.dynajournal.slices.ReaderSettings;
import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;

/** What we read of queries in a predecessor's block: its own settings and some of ours, which have our defaults. */
final class AdoptedQuery {

    /** Of the refresh interval: the pace after minutes without an event, as in our own block. */
    private static final int IDLE = 4;

    private static final Set<String> KEYS = Set.of(
            "journal-plugin-id", "write-plugin", "refresh-interval", "idle-refresh-interval", "push", "parallelism");

    private AdoptedQuery() {}

    /** A block with the settings of a journal that is a read journal's: what concerns queries only. */
    static Predicate<String> keysOf(PluginBlock plugin) {
        boolean reads =
                plugin.config().hasPath("journal-plugin-id") || plugin.config().hasPath("write-plugin");
        return key -> reads && KEYS.contains(key);
    }

    static ReadConfig.Push push(Config root, AdoptedBlock block, String prefix) {
        return block.flag(prefix + "push", true) ? QueryConfig.defaults(root).push() : ReadConfig.Push.OFF;
    }

    static ReaderSettings reader(Config root, AdoptedBlock block, String prefix) {
        ReaderSettings defaults = QueryConfig.defaults(root).reader();
        return reader(root, block, prefix, defaults.window(), defaults.pageRows());
    }

    static ReaderSettings reader(Config root, AdoptedBlock block, String prefix, Duration window, int pageRows) {
        ReaderSettings defaults = QueryConfig.defaults(root).reader();
        Duration refresh =
                block.duration(prefix + "refresh-interval", defaults.pace().refresh());
        Duration idle = block.duration(prefix + "idle-refresh-interval", refresh.multipliedBy(IDLE));
        int parallelism = block.count(prefix + "parallelism", defaults.parallelism());
        return block.refusing(
                () -> ReadConfig.reader(window, pageRows, defaults.knownIds(), parallelism, new Pace(refresh, idle)));
    }
}
