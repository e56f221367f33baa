package io.dynajournal.internal.settings;

import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.CredentialSource;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.settings.AdoptedClient.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The block {@code persistence.dynamodb} of akka-persistence-dynamodb 2.x. It contains the plugins' blocks and those they
 * share; users copy the whole block, not a plugin's.
 */
final class Akka2Settings implements SettingsDialect {

    private static final String HTTP = "client.http.";
    private static final String LOCAL = "client.local.";
    private static final String RETRY = "client.retry-strategy.";
    private static final String OLD_RETRY = "client.retry-policy.";
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(9);
    private static final Duration ACQUISITION_TIMEOUT = Duration.ofSeconds(10);

    @Override
    public Set<String> layouts() {
        return Set.of("akka2");
    }

    @Override
    public String template() {
        return "a copy of the whole block dynamodb of 2.x";
    }

    @Override
    public JournalConfig journal(PluginBlock plugin) {
        return journal(plugin, block(plugin, "journal"));
    }

    static JournalConfig journal(PluginBlock plugin, Block block) {
        block.optionalText("journal.layout");
        ClientConfig client = client(plugin, block);
        JournalLayout layout = block.layout(Layout.AKKA2::journal);
        return new JournalConfig(
                client,
                List.of(layout),
                NativeSettings.defaultCaches(plugin.root()),
                TablePolicy.ofPredecessor(plugin, block, "journal."),
                plugin.config().getString("plugin-dispatcher"),
                UnknownKeys.warnings(block, IgnoredSettings.AKKA2, readElsewhere(plugin, "journal", "snapshot")));
    }

    @Override
    public SnapshotConfig snapshots(PluginBlock plugin) {
        return snapshots(plugin, block(plugin, "snapshot"));
    }

    static SnapshotConfig snapshots(PluginBlock plugin, Block block) {
        block.optionalText("snapshot.layout");
        ClientConfig client = client(plugin, block);
        SnapshotLayout layout =
                block.layout(settings -> Layout.AKKA2.snapshots(settings).orElseThrow());
        return new SnapshotConfig(
                client,
                layout,
                TablePolicy.ofPredecessor(plugin, block, "snapshot."),
                UnknownKeys.warnings(block, IgnoredSettings.AKKA2, readElsewhere(plugin, "snapshot", "journal")));
    }

    @Override
    public QueryConfig queries(PluginBlock plugin) {
        return queries(plugin, block(plugin, "query"));
    }

    static QueryConfig queries(PluginBlock plugin, Block block) {
        block.optionalText("query.layout");
        return new QueryConfig(
                block.path() + ".journal",
                false,
                block.path() + ".snapshot",
                AdoptedQuery.push(plugin.root(), block, "query."),
                AdoptedQuery.reader(
                        plugin.root(),
                        block,
                        "query.",
                        block.duration("query.backtracking.window", Duration.ofMinutes(2)),
                        block.count("query.buffer-size", 100)),
                block.texts("query.entity-types"),
                UnknownKeys.warnings(
                        block,
                        IgnoredSettings.AKKA2,
                        key -> !key.startsWith("query.")
                                || key.equals("query.class")
                                || key.equals("query.start-from-snapshot.enabled")));
    }

    @Override
    public CleanupConfig cleanup(PluginBlock plugin) {
        return cleanup(plugin, block(plugin, "cleanup"));
    }

    /** 2.x cleans up one persistence id after another; the parallelism is ours. It has no durable states. */
    static CleanupConfig cleanup(PluginBlock plugin, Block block) {
        block.optionalText("cleanup.layout");
        int parallelism = block.count("cleanup.parallelism", NativeSettings.defaultCleanupParallelism(plugin.root()));
        return new CleanupConfig(
                block.path() + ".journal",
                block.path() + ".snapshot",
                "",
                Math.max(1, block.count("cleanup.log-progress-every", 100)),
                Math.max(1, parallelism),
                UnknownKeys.warnings(block, IgnoredSettings.AKKA2, key -> !key.startsWith("cleanup.")));
    }

    @Override
    public Optional<StateConfig> states(PluginBlock plugin) {
        return Optional.empty();
    }

    /** @param name of the plugin, which is the last part of its path */
    static Block block(PluginBlock plugin, String name) {
        String path = plugin.path();
        if (!path.endsWith("." + name)) {
            throw SettingsException.of(
                    path,
                    "a plugin with the settings of 2.x that is not called " + name,
                    "a copy of the whole block that contains journal, snapshot and client, and its " + name
                            + " as the plugin");
        }
        String root = path.substring(0, path.length() - name.length() - 1);
        return Block.ofPredecessor(plugin.root().getConfig(root), root, Map.of());
    }

    /** The root also contains the blocks of queries and the clean-up; each plugin warns of its own settings only. */
    private static Predicate<String> readElsewhere(PluginBlock plugin, String own, String other) {
        ToolkitKeys toolkit = new ToolkitKeys(plugin.fallback());
        return key -> key.startsWith(other + ".")
                || key.startsWith("query.")
                || key.startsWith("cleanup.")
                || (key.startsWith(own + ".") && toolkit.has(key.substring(own.length() + 1)));
    }

    private static ClientConfig client(PluginBlock plugin, Block block) {
        boolean local = block.flag(LOCAL + "enabled", false);
        String host = block.text(LOCAL + "host", "localhost");
        int port = block.count(LOCAL + "port", 8000);
        String region = block.optionalText("client.region");
        // 2.x has no other endpoint than the local one; client.endpoint is ours.
        String other = block.optionalText("client.endpoint");
        Endpoint endpoint = AdoptedClient.endpoint(
                block,
                local ? LOCAL + "host" : "client.endpoint",
                local ? "http://" + host + ":" + port : other,
                "https");
        RetrySettings retry = retry(block, AdoptedClient.circuitBreaker(plugin));
        return ClientConfig.ofPredecessor(
                block.path() + ".client",
                endpoint.embedded(),
                block.checked(() -> new ClientSettings(
                        region == null && local ? "us-west-2" : region,
                        endpoint.uri(),
                        local ? CredentialSource.keys("local", "local", null) : CredentialSource.defaultChain(),
                        true,
                        block.count(HTTP + "max-concurrency", AdoptedClient.maxConcurrency()),
                        block.duration(HTTP + "connection-timeout", AdoptedClient.connectTimeout()),
                        AdoptedClient.acquisitionTimeout(
                                retry, block.duration(HTTP + "connection-acquisition-timeout", ACQUISITION_TIMEOUT)),
                        block.duration(HTTP + "connection-max-idle-time", AdoptedClient.idleTimeout()),
                        true,
                        tuning(block))),
                retry);
    }

    private static ClientSettings.Tuning tuning(Block block) {
        return new ClientSettings.Tuning(
                ClientSettings.HttpClientChoice.AUTO,
                block.count(HTTP + "max-pending-connection-acquires", 10_000),
                block.optionalDuration(HTTP + "connection-time-to-live"),
                block.optionalDuration(HTTP + "tls-negotiation-timeout"),
                block.optionalDuration(HTTP + "read-timeout"),
                block.optionalDuration(HTTP + "write-timeout"),
                block.flag(HTTP + "tcp-keep-alive", false),
                block.flag(HTTP + "use-idle-connection-reaper", true),
                null,
                false);
    }

    /** The older block retry-policy wins if it is set, as it does in 2.x. */
    private static RetrySettings retry(Block block, Duration circuitBreaker) {
        Integer attempts = block.optionalCount(RETRY + "max-attempts");
        boolean enabled = block.flag(RETRY + "enabled", true);
        boolean oldEnabled = block.flag(OLD_RETRY + "enabled", true);
        Integer retries = block.optionalCount(OLD_RETRY + "num-retries");
        int maxAttempts = !enabled || !oldEnabled
                ? 1
                : retries != null ? retries + 1 : attempts == null ? Integer.MAX_VALUE : attempts;
        return AdoptedClient.retry(
                block,
                "client.call-timeout",
                block.duration("client.call-timeout", CALL_TIMEOUT),
                block.optionalDuration("client.call-attempt-timeout"),
                maxAttempts,
                circuitBreaker);
    }
}
