package io.dynajournal.settings;

import com.typesafe.config.Config;
import io.dynajournal.catalog.Layout;
import io.dynajournal.dynamo.ClientSettings;
import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.settings.AdoptedClient.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The blocks {@code dynamodb-journal}, {@code dynamodb-read-journal} and {@code dynamodb-snapshot-store} of akka-persistence-dynamodb 1.x, of its fork for
 * Pekko, and of sclasen's 0.3, which used the first path before them with other defaults. Whose table it is decides, so
 * nothing in which they differ has a default in reference.conf.
 */
final class Akka1Settings {

    private static final String HTTP = "aws-client-config.";
    private static final String SPRAY_CONNECTIONS = "spray.can.host-connector.max-connections";

    /** What 1.x does at least, whatever the SDK does besides: its ten repetitions are fixed. */
    private static final int LEAST_ATTEMPTS = 11;

    private Akka1Settings() {}

    static JournalConfig journal(PluginBlock plugin) {
        return journal(plugin, block(plugin));
    }

    static JournalConfig journal(PluginBlock plugin, AdoptedBlock block) {
        List<Layout> layouts = switch (block.text("layout", "auto")) {
            case "akka1" -> List.of(Layout.AKKA1);
            case "sclasen" -> List.of(Layout.SCLASEN);
            default -> List.of(Layout.AKKA1, Layout.SCLASEN);
        };
        Duration breaker = AdoptedPlugin.circuitBreaker(plugin);
        ClientConfig client = client(plugin.root(), block, breaker, layouts.contains(Layout.SCLASEN));
        List<JournalLayout> candidates =
                layouts.stream().map(layout -> block.layout(layout::journal)).toList();
        return new JournalConfig(
                client,
                candidates,
                JournalConfig.caches(plugin.root()),
                AdoptedPlugin.tables(block, ""),
                breaker,
                block.text("replay-dispatcher", plugin.config().getString("plugin-dispatcher")),
                block.remarks(WithoutEffect.AKKA1, passOver(plugin)));
    }

    static SnapshotConfig snapshots(PluginBlock plugin) {
        return snapshots(plugin, block(plugin));
    }

    static SnapshotConfig snapshots(PluginBlock plugin, AdoptedBlock block) {
        Duration breaker = AdoptedPlugin.circuitBreaker(plugin);
        block.text("layout");
        ClientConfig client = client(plugin.root(), block, breaker, false);
        SnapshotLayout layout =
                block.layout(settings -> Layout.AKKA1.snapshots(settings).orElseThrow());
        return new SnapshotConfig(
                client,
                layout,
                AdoptedPlugin.tables(block, ""),
                breaker,
                block.remarks(WithoutEffect.AKKA1, passOver(plugin)));
    }

    static QueryConfig queries(PluginBlock plugin) {
        return queries(plugin, block(plugin));
    }

    /** The block is a journal's too, and remarked on as such when it is opened. */
    static QueryConfig queries(PluginBlock plugin, AdoptedBlock block) {
        return new QueryConfig(
                block.text("journal-plugin-id", "dynamodb-journal"),
                true,
                "dynamodb-snapshot-store",
                AdoptedQuery.push(plugin.root(), block, ""),
                AdoptedQuery.reader(plugin.root(), block, ""),
                Set.of(),
                List.of());
    }

    /** The table of 0.3 has no default, but a block that names none and leaves the layout open cannot be of 0.3. */
    static AdoptedBlock block(PluginBlock plugin) {
        String table = plugin.toolkit() + "-persistence";
        boolean open = !plugin.config().hasPath("layout")
                || !plugin.config().getString("layout").equals("sclasen");
        return new AdoptedBlock(
                plugin.config(),
                plugin.path(),
                open ? Map.of("journal-table", table, "snapshot-table", table + "-snapshot") : Map.of());
    }

    /** A dispatcher may be described inside the block, and 1.x does so under this name. */
    private static Predicate<String> passOver(PluginBlock plugin) {
        ToolkitKeys toolkit = new ToolkitKeys(plugin.fallback());
        Predicate<String> queries = AdoptedQuery.keysOf(plugin);
        return key -> toolkit.has(key) || key.startsWith("dispatcher.") || queries.test(key);
    }

    /** @param old whether the block may be of 0.3, whose endpoint has a default */
    private static ClientConfig client(Config root, AdoptedBlock block, Duration breaker, boolean old) {
        String protocol = block.text(HTTP + "protocol", "https").toLowerCase(Locale.ROOT);
        boolean named = block.has("endpoint");
        Endpoint endpoint = AdoptedClient.endpoint(block, "endpoint", block.text("endpoint"), protocol);
        String region = block.text("region");
        // 1.x does not start without an endpoint, so a block without one is of 0.3, whose default is this region's.
        String effective = region == null && !named && old ? "us-east-1" : region;
        Duration execution = block.optionalDuration(HTTP + "client-execution-timeout");
        Duration operation = block.optionalDuration("operation-timeout");
        Duration request = block.optionalDuration(HTTP + "request-timeout");
        Duration socket = block.optionalDuration(HTTP + "socket-timeout");
        Integer repeats = block.optionalCount(HTTP + "max-error-retry");
        return new ClientConfig(
                block.path(),
                endpoint.embedded(),
                null,
                block.refusing(() -> new ClientSettings(
                        effective,
                        endpoint.uri(),
                        AdoptedClient.credentials(block, "aws-access-key-id", "aws-secret-access-key"),
                        true,
                        block.count(HTTP + "max-connections", sprayConnections(root)),
                        block.duration(HTTP + "connection-timeout", AdoptedClient.connectTimeout()),
                        AdoptedClient.acquireTimeout(),
                        block.duration(HTTP + "connection-max-idle-millis", AdoptedClient.idleTimeout()),
                        tuning(block))),
                AdoptedClient.retry(
                        block,
                        execution == null ? "operation-timeout" : HTTP + "client-execution-timeout",
                        execution == null ? operation : execution,
                        request == null ? socket : request,
                        repeats == null ? Integer.MAX_VALUE : Math.max(repeats + 1, LEAST_ATTEMPTS),
                        breaker));
    }

    private static ClientSettings.Tuning tuning(AdoptedBlock block) {
        return new ClientSettings.Tuning(
                ClientSettings.Carrier.AUTO,
                Integer.MAX_VALUE,
                block.optionalDuration(HTTP + "connection-ttl"),
                null,
                null,
                null,
                block.flag(HTTP + "use-tcp-keepalive", false),
                block.flag(HTTP + "use-reaper", true),
                proxy(block),
                true);
    }

    private static ClientSettings.@Nullable Proxy proxy(AdoptedBlock block) {
        String host = block.text(HTTP + "proxy-host");
        int port = block.count(HTTP + "proxy-port", 0);
        String user = block.text(HTTP + "proxy-username");
        String password = block.secret(HTTP + "proxy-password");
        return host == null ? null : new ClientSettings.Proxy(host, port, user, password);
    }

    /** 0.3 went through spray, whose own setting was the size of its pool. */
    private static int sprayConnections(Config root) {
        return root.hasPath(SPRAY_CONNECTIONS) ? root.getInt(SPRAY_CONNECTIONS) : AdoptedClient.maxConnections();
    }
}
