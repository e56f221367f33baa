package io.dynajournal.internal.settings;

import com.typesafe.config.Config;
import io.dynajournal.internal.slices.PollSchedule;
import io.dynajournal.internal.slices.ReaderSettings;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Query settings in a predecessor's block: its own, and some of ours with our defaults. */
final class AdoptedQuery {

    /** The idle refresh interval is this many refresh intervals, as in our own block. */
    private static final int IDLE_FACTOR = 4;

    private static final Set<String> KEYS = Set.of(
            "journal-plugin-id",
            "write-plugin",
            "refresh-interval",
            "idle-refresh-interval",
            "push.enabled",
            "parallelism");

    private AdoptedQuery() {}

    /** A query whose block is also opened as a journal, which reports its warnings. */
    static QueryConfig ofJournalsBlock(Config root, Block block, String journal, String snapshots) {
        return new QueryConfig(
                journal, true, snapshots, push(root, block, ""), reader(root, block, ""), Set.of(), List.of());
    }

    /** The keys of queries, if a journal's block is a read journal's too. */
    static Predicate<String> keysOf(PluginBlock plugin) {
        boolean isReadJournal =
                plugin.config().hasPath("journal-plugin-id") || plugin.config().hasPath("write-plugin");
        return key -> isReadJournal && KEYS.contains(key);
    }

    static ReadConfig.Push push(Config root, Block block, String prefix) {
        return block.flag(prefix + "push.enabled", true)
                ? NativeSettings.defaultQueries(root).push()
                : ReadConfig.Push.OFF;
    }

    static ReaderSettings reader(Config root, Block block, String prefix) {
        ReaderSettings defaults = NativeSettings.defaultQueries(root).reader();
        return reader(root, block, prefix, defaults.backtrackingWindow(), defaults.pageSize());
    }

    static ReaderSettings reader(Config root, Block block, String prefix, Duration window, int pageSize) {
        ReaderSettings defaults = NativeSettings.defaultQueries(root).reader();
        Duration refresh =
                block.duration(prefix + "refresh-interval", defaults.schedule().refresh());
        Duration idle = block.duration(prefix + "idle-refresh-interval", refresh.multipliedBy(IDLE_FACTOR));
        int parallelism = block.count(prefix + "parallelism", defaults.parallelism());
        return block.checked(() -> ReadConfig.reader(
                window, pageSize, defaults.trackedEntities(), parallelism, new PollSchedule(refresh, idle)));
    }
}
