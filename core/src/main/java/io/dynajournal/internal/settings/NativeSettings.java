package io.dynajournal.internal.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.layout.commits.CommitsSnapshots;
import io.dynajournal.internal.layout.commits.CommitsStates;
import io.dynajournal.internal.store.JournalCaches;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The blocks of {@code dynajournal} and the users' copies of them. All defaults are in reference.conf. */
final class NativeSettings implements SettingsDialect {

    private static final String JOURNAL = "dynajournal.journal";
    private static final String SNAPSHOT = "dynajournal.snapshot";
    private static final String STATE = "dynajournal.state";
    private static final String QUERY = "dynajournal.query";
    private static final String CLEANUP = "dynajournal.cleanup";

    private enum Layout {
        COMMITS
    }

    @Override
    public Set<String> layouts() {
        return Set.of("commits");
    }

    @Override
    public String template() {
        return "${" + JOURNAL + "}";
    }

    @Override
    public JournalConfig journal(PluginBlock plugin) {
        Block block = Block.ofNative(plugin.config(), plugin.path(), JOURNAL);
        String replayDispatcher = block.optionalText("replay-dispatcher");
        ClientConfig client = ClientConfig.of(plugin.root(), block.blockPath("use-client"));
        Duration circuitBreaker = block.duration("circuit-breaker.call-timeout");
        block.choice("layout", List.of(Layout.values()));
        JournalConfig journal = new JournalConfig(
                client,
                List.of(block.checked(() -> new CommitsJournal(
                        block.tableName("table"),
                        block.flag("index.slices"),
                        block.flag("index.ids"),
                        block.count("index.partitions"),
                        block.flag("compression"),
                        block.intBytes("item-size"),
                        block.count("page-size"),
                        block.count("replay-parallelism"),
                        block.duration("tombstone-retention"),
                        block.timeToLive("snapshot-time-to-live")))),
                caches(block),
                TablePolicy.of(block),
                replayDispatcher == null ? block.text("plugin-dispatcher") : replayDispatcher,
                List.of());
        UnknownKeys.reject(block, plugin.fallback());
        client.checkBelow(circuitBreaker, plugin.path());
        return journal;
    }

    @Override
    public SnapshotConfig snapshots(PluginBlock plugin) {
        Block block = Block.ofNative(plugin.config(), plugin.path(), SNAPSHOT);
        ClientConfig client = ClientConfig.of(plugin.root(), block.blockPath("use-client"));
        Duration circuitBreaker = block.duration("circuit-breaker.call-timeout");
        block.choice("layout", List.of(Layout.values()));
        SnapshotConfig snapshots = new SnapshotConfig(
                client,
                block.checked(() -> new CommitsSnapshots(
                        block.tableName("table"),
                        block.flag("index.slices"),
                        block.flag("compression"),
                        block.intBytes("item-size"),
                        block.timeToLive("event-time-to-live"))),
                TablePolicy.of(block),
                List.of());
        UnknownKeys.reject(block, plugin.fallback());
        client.checkBelow(circuitBreaker, plugin.path());
        return snapshots;
    }

    @Override
    public QueryConfig queries(PluginBlock plugin) {
        return queries(plugin.config(), plugin.path());
    }

    @Override
    public CleanupConfig cleanup(PluginBlock block) {
        return cleanups(block);
    }

    @Override
    public Optional<StateConfig> states(PluginBlock plugin) {
        Block block = Block.ofNative(plugin.config(), plugin.path(), STATE);
        block.choice("layout", List.of(Layout.values()));
        StateConfig states = new StateConfig(
                ClientConfig.of(plugin.root(), block.blockPath("use-client")),
                block.checked(() -> new CommitsStates(
                        block.tableName("table"),
                        block.flag("index.slices"),
                        block.count("index.partitions"),
                        block.flag("compression"),
                        block.intBytes("item-size"),
                        block.optionalDuration("tombstone-retention"))),
                TablePolicy.of(block),
                ReadConfig.of(block, "query."),
                block.namedTexts("columns"),
                block.optionalText("plugin-dispatcher"),
                List.of());
        UnknownKeys.reject(block, plugin.fallback());
        return Optional.of(states);
    }

    private static QueryConfig queries(Config config, String path) {
        Block block = Block.ofNative(config, path, QUERY);
        ReadConfig reads = ReadConfig.of(block, "");
        QueryConfig queries = new QueryConfig(
                block.text("journal-plugin-id"),
                false,
                block.text("snapshot-plugin-id"),
                reads.push(),
                reads.reader(),
                Set.of(),
                List.of());
        UnknownKeys.reject(block, ConfigFactory.empty());
        return queries;
    }

    static CleanupConfig cleanups(PluginBlock plugin) {
        Block block = Block.ofNative(plugin.config(), plugin.path(), CLEANUP);
        CleanupConfig cleanup = new CleanupConfig(
                block.text("journal-plugin-id"),
                block.text("snapshot-plugin-id"),
                block.text("state-plugin-id"),
                block.count("log-progress-every"),
                block.count("parallelism"),
                List.of());
        UnknownKeys.reject(block, ConfigFactory.empty());
        return cleanup;
    }

    /** The native clean-up's parallelism, for 2.x, which has no setting for it. */
    static int defaultCleanupParallelism(Config root) {
        return Block.ofNative(root.getConfig(CLEANUP), CLEANUP, CLEANUP).count("parallelism");
    }

    private static JournalCaches caches(Block block) {
        return new JournalCaches(
                block.count("caches.writers"),
                block.bytes("caches.first-pages"),
                block.duration("caches.first-pages-ttl"));
    }

    /** The native journal's caches, for predecessors' journals, which have no settings for them. */
    static JournalCaches defaultCaches(Config root) {
        return caches(Block.ofNative(root.getConfig(JOURNAL), JOURNAL, JOURNAL));
    }

    /** The native read journal's settings, for what a predecessor has no setting for. */
    static QueryConfig defaultQueries(Config root) {
        return queries(root.getConfig(QUERY), QUERY);
    }

    /** The native state store's query settings, for predecessors' state stores, which have none. */
    static ReadConfig defaultStateReads(Config root) {
        return ReadConfig.of(Block.ofNative(root.getConfig(STATE), STATE, STATE), "query.");
    }
}
