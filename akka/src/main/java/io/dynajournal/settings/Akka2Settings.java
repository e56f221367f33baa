package io.dynajournal.settings;

import io.dynajournal.catalog.Layout;
import io.dynajournal.dynamo.ClientSettings;
import io.dynajournal.dynamo.CredentialSource;
import io.dynajournal.dynamo.RetrySettings;
import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.settings.AdoptedClient.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * The block {@code persistence.dynamodb} of akka-persistence-dynamodb 2.x: a root, with the plugins and what they share as
 * blocks beside one another. Users copy the root, not a plugin.
 */
final class Akka2Settings {

    private static final String HTTP = "client.http.";
    private static final String LOCAL = "client.local.";
    private static final String RETRY = "client.retry-strategy.";
    private static final String OLD_RETRY = "client.retry-policy.";
    private static final Duration CALL = Duration.ofSeconds(9);

    private Akka2Settings() {}

    static JournalConfig journal(PluginBlock plugin) {
        return journal(plugin, block(plugin, "journal"));
    }

    static JournalConfig journal(PluginBlock plugin, AdoptedBlock block) {
        block.text("journal.layout");
        Duration breaker = AdoptedPlugin.circuitBreaker(plugin);
        ClientConfig client = client(block, breaker);
        JournalLayout layout = block.layout(Layout.AKKA2::journal);
        return new JournalConfig(
                client,
                List.of(layout),
                JournalConfig.caches(plugin.root()),
                AdoptedPlugin.tables(block, "journal."),
                breaker,
                plugin.config().getString("plugin-dispatcher"),
                block.remarks(WithoutEffect.AKKA2, passOver(plugin, "journal", "snapshot")));
    }

    static SnapshotConfig snapshots(PluginBlock plugin) {
        return snapshots(plugin, block(plugin, "snapshot"));
    }

    static SnapshotConfig snapshots(PluginBlock plugin, AdoptedBlock block) {
        block.text("snapshot.layout");
        Duration breaker = AdoptedPlugin.circuitBreaker(plugin);
        ClientConfig client = client(block, breaker);
        SnapshotLayout layout =
                block.layout(settings -> Layout.AKKA2.snapshots(settings).orElseThrow());
        return new SnapshotConfig(
                client,
                layout,
                AdoptedPlugin.tables(block, "snapshot."),
                breaker,
                block.remarks(WithoutEffect.AKKA2, passOver(plugin, "snapshot", "journal")));
    }

    static QueryConfig queries(PluginBlock plugin) {
        return queries(plugin, block(plugin, "query"));
    }

    static QueryConfig queries(PluginBlock plugin, AdoptedBlock block) {
        block.text("query.layout");
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
                block.remarks(
                        WithoutEffect.AKKA2,
                        key -> !key.startsWith("query.")
                                || key.equals("query.class")
                                || key.equals("query.start-from-snapshot.enabled")));
    }

    static AdoptedBlock block(PluginBlock plugin, String name) {
        String path = plugin.path();
        if (!path.endsWith("." + name)) {
            throw SettingsException.of(
                    path,
                    "a plugin with the settings of 2.x under another name than " + name,
                    "a copy of the whole block that holds journal, snapshot and client, and its " + name
                            + " as the plugin");
        }
        String root = path.substring(0, path.length() - name.length() - 1);
        return new AdoptedBlock(plugin.root().getConfig(root), root);
    }

    /** Queries and the clean-up have blocks in the root too, and each plugin remarks on its own. */
    private static Predicate<String> passOver(PluginBlock plugin, String own, String other) {
        ToolkitKeys toolkit = new ToolkitKeys(plugin.fallback());
        return key -> key.startsWith(other + ".")
                || key.startsWith("query.")
                || key.startsWith("cleanup.")
                || (key.startsWith(own + ".") && toolkit.has(key.substring(own.length() + 1)));
    }

    private static ClientConfig client(AdoptedBlock block, Duration breaker) {
        boolean local = block.flag(LOCAL + "enabled", false);
        String host = block.text(LOCAL + "host", "localhost");
        int port = block.count(LOCAL + "port", 8000);
        String region = block.text("client.region");
        // 2.x has no other endpoint than the local one; a key for it is ours.
        String other = block.text("client.endpoint");
        Endpoint endpoint = AdoptedClient.endpoint(
                block,
                local ? LOCAL + "host" : "client.endpoint",
                local ? "http://" + host + ":" + port : other,
                "https");
        return new ClientConfig(
                block.path() + ".client",
                endpoint.embedded(),
                null,
                block.refusing(() -> new ClientSettings(
                        region == null && local ? "us-west-2" : region,
                        endpoint.uri(),
                        local ? new CredentialSource.Keys("local", "local", null) : new CredentialSource.DefaultChain(),
                        true,
                        block.count(HTTP + "max-concurrency", AdoptedClient.maxConnections()),
                        block.duration(HTTP + "connection-timeout", AdoptedClient.connectTimeout()),
                        block.duration(HTTP + "connection-acquisition-timeout", Duration.ofSeconds(10)),
                        block.duration(HTTP + "connection-max-idle-time", AdoptedClient.idleTimeout()),
                        tuning(block))),
                retry(block, breaker));
    }

    private static ClientSettings.Tuning tuning(AdoptedBlock block) {
        return new ClientSettings.Tuning(
                ClientSettings.Carrier.AUTO,
                block.count(HTTP + "max-pending-connection-acquires", 10_000),
                block.optionalDuration(HTTP + "connection-time-to-live"),
                block.optionalDuration(HTTP + "tls-negotiation-timeout"),
                block.optionalDuration(HTTP + "read-timeout"),
                block.optionalDuration(HTTP + "write-timeout"),
                block.flag(HTTP + "tcp-keep-alive", false),
                block.flag(HTTP + "use-idle-connection-reaper", true),
                null,
                true);
    }

    /** The older block wins where it is there, as it does in 2.x. */
    private static RetrySettings retry(AdoptedBlock block, Duration breaker) {
        Integer attempts = block.optionalCount(RETRY + "max-attempts");
        boolean enabled = block.flag(RETRY + "enabled", true);
        boolean oldEnabled = block.flag(OLD_RETRY + "enabled", true);
        Integer repeats = block.optionalCount(OLD_RETRY + "num-retries");
        int most = !enabled || !oldEnabled
                ? 1
                : repeats != null ? repeats + 1 : attempts == null ? Integer.MAX_VALUE : attempts;
        return AdoptedClient.retry(
                block,
                "client.call-timeout",
                block.duration("client.call-timeout", CALL),
                block.optionalDuration("client.call-attempt-timeout"),
                most,
                breaker);
    }
}
