package io.dynajournal.internal.settings;

import com.typesafe.config.Config;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.akka1.Akka1Journal;
import io.dynajournal.internal.layout.akka1.Akka1Snapshots;
import io.dynajournal.internal.settings.AdoptedClient.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The blocks {@code dynamodb-journal}, {@code dynamodb-read-journal} and {@code dynamodb-snapshot-store} of
 * akka-persistence-dynamodb 1.x, of its fork for Pekko, and of sclasen's 0.3, which used the first path earlier with other
 * defaults. The table's key shows which of them wrote it, so reference.conf sets no default in which they differ.
 */
final class Akka1Settings implements SettingsDialect {

    private static final String JOURNAL = "dynamodb-journal";
    private static final String NAME = "journal-name";
    private static final String HTTP = "aws-client-config.";
    private static final String SPRAY_CONNECTIONS = "spray.can.host-connector.max-connections";

    private static final int CONNECTIONS_OF_03 = 600;

    /** 1.x retries at least ten times, in addition to the SDK's own retries. */
    private static final int MIN_ATTEMPTS = 11;

    @Override
    public Set<String> layouts() {
        return Set.of("auto", "akka1", "sclasen");
    }

    @Override
    public String template() {
        return "${dynamodb-journal}";
    }

    @Override
    public JournalConfig journal(PluginBlock plugin) {
        return journal(plugin, block(plugin));
    }

    static JournalConfig journal(PluginBlock plugin, Block block) {
        block.optionalText("layout");
        List<Layout> layouts = switch (plugin.layout()) {
            case "akka1" -> List.of(Layout.AKKA1);
            case "sclasen" -> List.of(Layout.SCLASEN);
            default -> List.of(Layout.AKKA1, Layout.SCLASEN);
        };
        ClientConfig client = client(plugin, block, layouts.contains(Layout.SCLASEN));
        List<JournalLayout> candidates =
                layouts.stream().map(layout -> block.layout(layout::journal)).toList();
        return new JournalConfig(
                client,
                candidates,
                NativeSettings.defaultCaches(plugin.root()),
                TablePolicy.ofPredecessor(plugin, block, ""),
                block.text("replay-dispatcher", plugin.config().getString("plugin-dispatcher")),
                UnknownKeys.warnings(block, IgnoredSettings.AKKA1, readElsewhere(plugin)));
    }

    @Override
    public SnapshotConfig snapshots(PluginBlock plugin) {
        return snapshots(plugin, block(plugin));
    }

    static SnapshotConfig snapshots(PluginBlock plugin, Block block) {
        block.optionalText("layout");
        ClientConfig client = client(plugin, block, false);
        SnapshotLayout layout = withDefaultName(plugin, block.layout(Akka1Snapshots::of));
        return new SnapshotConfig(
                client,
                layout,
                TablePolicy.ofPredecessor(plugin, block, ""),
                UnknownKeys.warnings(block, IgnoredSettings.AKKA1, readElsewhere(plugin)));
    }

    /**
     * 1.x on Akka 2.5 does not pass the journal's name on to its snapshot store, because the configuration library of that time
     * resolved reference.conf by itself. So its snapshots are under the default name, unless the store's own block has a name.
     */
    private static Akka1Snapshots withDefaultName(PluginBlock plugin, Akka1Snapshots layout) {
        if (!isNameOfJournal(plugin) || layout.journalName().equals(Akka1Journal.DEFAULT_NAME)) {
            return layout;
        }
        Block journal = Block.ofPredecessor(plugin.root().getConfig(JOURNAL), JOURNAL, tables(plugin));
        return layout.alsoUnderDefaultName(journal.layout(Akka1Journal::of));
    }

    /** A value that was taken over has the place in the configuration of the one that it was taken from. */
    private static boolean isNameOfJournal(PluginBlock plugin) {
        return plugin.config().hasPath(NAME)
                && plugin.root().hasPath(JOURNAL + "." + NAME)
                && plugin.config()
                        .getValue(NAME)
                        .origin()
                        .equals(plugin.root().getValue(JOURNAL + "." + NAME).origin());
    }

    @Override
    public QueryConfig queries(PluginBlock plugin) {
        return queries(plugin, block(plugin));
    }

    static QueryConfig queries(PluginBlock plugin, Block block) {
        return AdoptedQuery.ofJournalsBlock(
                plugin.root(), block, block.text("journal-plugin-id", JOURNAL), "dynamodb-snapshot-store");
    }

    @Override
    public CleanupConfig cleanup(PluginBlock block) {
        return NativeSettings.cleanups(block);
    }

    @Override
    public Optional<StateConfig> states(PluginBlock plugin) {
        return Optional.empty();
    }

    /** The table of 0.3 has no default name, so the defaults of 1.x apply unless the layout is explicitly sclasen. */
    static Block block(PluginBlock plugin) {
        return Block.ofPredecessor(
                plugin.config(), plugin.path(), plugin.layout().equals("sclasen") ? Map.of() : tables(plugin));
    }

    private static Map<String, String> tables(PluginBlock plugin) {
        String table = plugin.toolkit() + "-persistence";
        return Map.of("journal-table", table, "snapshot-table", table + "-snapshot");
    }

    /** 1.x configures a dispatcher inside the block. */
    private static Predicate<String> readElsewhere(PluginBlock plugin) {
        ToolkitKeys toolkit = new ToolkitKeys(plugin.fallback());
        Predicate<String> queries = AdoptedQuery.keysOf(plugin);
        return key -> toolkit.has(key) || key.startsWith("dispatcher.") || queries.test(key);
    }

    /** @param maybeSclasen whether the block may be of 0.3, whose endpoint has a default */
    private static ClientConfig client(PluginBlock plugin, Block block, boolean maybeSclasen) {
        String protocol = block.text(HTTP + "protocol", "https").toLowerCase(Locale.ROOT);
        boolean hasEndpoint = block.has("endpoint");
        Endpoint endpoint = AdoptedClient.endpoint(block, "endpoint", block.optionalText("endpoint"), protocol);
        String region = block.optionalText("region");
        // 1.x does not start without an endpoint, so a block without one is of 0.3, whose default is this region's.
        String effective = region == null && !hasEndpoint && maybeSclasen ? "us-east-1" : region;
        Duration execution = block.optionalDuration(HTTP + "client-execution-timeout");
        Duration operation = block.optionalDuration("operation-timeout");
        Duration request = block.optionalDuration(HTTP + "request-timeout");
        Duration socket = block.optionalDuration(HTTP + "socket-timeout");
        Integer retries = block.optionalCount(HTTP + "max-error-retry");
        RetrySettings retry = AdoptedClient.retry(
                block,
                execution == null ? "operation-timeout" : HTTP + "client-execution-timeout",
                execution == null ? operation : execution,
                request == null ? socket : request,
                retries == null ? Integer.MAX_VALUE : Math.max(retries + 1, MIN_ATTEMPTS),
                AdoptedClient.circuitBreaker(plugin));
        return ClientConfig.ofPredecessor(
                block.path(),
                endpoint.embedded(),
                block.checked(() -> new ClientSettings(
                        effective,
                        endpoint.uri(),
                        AdoptedClient.credentials(block, "aws-access-key-id", "aws-secret-access-key"),
                        true,
                        block.count(
                                HTTP + "max-connections",
                                connections(plugin.root(), is03(plugin, block, maybeSclasen))),
                        block.duration(HTTP + "connection-timeout", AdoptedClient.connectTimeout()),
                        AdoptedClient.acquisitionTimeout(retry, AdoptedClient.acquisitionTimeout()),
                        block.duration(HTTP + "connection-max-idle-millis", AdoptedClient.idleTimeout()),
                        true,
                        tuning(block))),
                retry);
    }

    private static ClientSettings.Tuning tuning(Block block) {
        return new ClientSettings.Tuning(
                ClientSettings.HttpClientChoice.AUTO,
                Integer.MAX_VALUE,
                block.optionalDuration(HTTP + "connection-ttl"),
                null,
                null,
                null,
                block.flag(HTTP + "use-tcp-keepalive", false),
                block.flag(HTTP + "use-reaper", true),
                proxy(block),
                false);
    }

    private static ClientSettings.@Nullable Proxy proxy(Block block) {
        String host = block.optionalText(HTTP + "proxy-host");
        int port = block.count(HTTP + "proxy-port", 0);
        String user = block.optionalText(HTTP + "proxy-username");
        String password = block.secret(HTTP + "proxy-password");
        return host == null ? null : new ClientSettings.Proxy(host, port, user, password);
    }

    /** Before the table is looked at: 0.3 requires a setting that 1.x does not have. */
    private static boolean is03(PluginBlock plugin, Block block, boolean maybeSclasen) {
        return maybeSclasen && (plugin.layout().equals("sclasen") || block.has("operation-timeout"));
    }

    /** 0.3 used spray, whose own setting was the size of its connection pool. 0.3 raises it for all applications. */
    private static int connections(Config root, boolean is03) {
        int otherwise = is03 ? CONNECTIONS_OF_03 : AdoptedClient.maxConcurrency();
        return root.hasPath(SPRAY_CONNECTIONS) ? root.getInt(SPRAY_CONNECTIONS) : otherwise;
    }
}
