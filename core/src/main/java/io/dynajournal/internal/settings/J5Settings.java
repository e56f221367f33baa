package io.dynajournal.internal.settings;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.CredentialSource;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.SnapshotLayout;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.settings.AdoptedClient.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The blocks {@code dynamo-db-journal}, {@code dynamo-db-read-journal}, {@code dynamo-db-snapshot} and {@code
 * dynamo-db-state} of j5ik2o's plugin.
 */
final class J5Settings implements SettingsDialect {

    private static final String CLIENT = "dynamo-db-client.";
    private static final String PROVIDER = CLIENT + "v2.aws-credentials-provider-class-name";

    /** The toolkits have no circuit breaker for durable state stores, so this is the journal's default. */
    private static final Duration STATE_CIRCUIT_BREAKER = Duration.ofSeconds(10);

    private static final Duration ACQUISITION_TIMEOUT = Duration.ofSeconds(10);

    @Override
    public Set<String> layouts() {
        return Set.of("j5ik2o");
    }

    @Override
    public String template() {
        return "${j5ik2o.dynamo-db-journal}";
    }

    static Block block(PluginBlock plugin) {
        return Block.ofPredecessor(plugin.config(), plugin.path(), Map.of());
    }

    @Override
    public JournalConfig journal(PluginBlock plugin) {
        return journal(plugin, block(plugin));
    }

    static JournalConfig journal(PluginBlock plugin, Block block) {
        block.optionalText("layout");
        ClientConfig client = client(block, AdoptedClient.circuitBreaker(plugin));
        JournalLayout layout = block.layout(Layout.J5IK2O::journal);
        return new JournalConfig(
                client,
                List.of(layout),
                NativeSettings.defaultCaches(plugin.root()),
                TablePolicy.ofPredecessor(plugin, block, ""),
                plugin.config().getString("plugin-dispatcher"),
                UnknownKeys.warnings(block, IgnoredSettings.J5IK2O, readElsewhere(plugin, block)));
    }

    @Override
    public SnapshotConfig snapshots(PluginBlock plugin) {
        return snapshots(plugin, block(plugin));
    }

    static SnapshotConfig snapshots(PluginBlock plugin, Block block) {
        block.optionalText("layout");
        ClientConfig client = client(block, AdoptedClient.circuitBreaker(plugin));
        SnapshotLayout layout =
                block.layout(settings -> Layout.J5IK2O.snapshots(settings).orElseThrow());
        return new SnapshotConfig(
                client,
                layout,
                TablePolicy.ofPredecessor(plugin, block, ""),
                UnknownKeys.warnings(block, IgnoredSettings.J5IK2O, readElsewhere(plugin, block)));
    }

    @Override
    public QueryConfig queries(PluginBlock plugin) {
        return queries(plugin, block(plugin));
    }

    static QueryConfig queries(PluginBlock plugin, Block block) {
        return AdoptedQuery.ofJournalsBlock(
                plugin.root(),
                block,
                block.text("write-plugin", "j5ik2o.dynamo-db-journal"),
                "j5ik2o.dynamo-db-snapshot");
    }

    @Override
    public CleanupConfig cleanup(PluginBlock block) {
        return NativeSettings.cleanups(block);
    }

    @Override
    public Optional<StateConfig> states(PluginBlock plugin) {
        return Optional.of(states(plugin, block(plugin)));
    }

    static StateConfig states(PluginBlock plugin, Block block) {
        block.optionalText("layout");
        ClientConfig client = client(block, STATE_CIRCUIT_BREAKER);
        StateLayout layout =
                block.layout(settings -> Layout.J5IK2O.states(settings).orElseThrow());
        String sequenceNr = "columns-def.sequence-nr-column-name";
        if (block.has(sequenceNr)) {
            block.warn(sequenceNr, "no version reads it for states; the column is revision-nr-column-name");
        }
        if (block.has("tag-separator")) {
            block.warn("tag-separator", "a state has one tag, which is stored as it is");
        }
        return new StateConfig(
                client,
                layout,
                TablePolicy.ofPredecessor(plugin, block, ""),
                NativeSettings.defaultStateReads(plugin.root()),
                block.namedTexts("columns"),
                block.optionalText("plugin-dispatcher"),
                UnknownKeys.warnings(block, IgnoredSettings.J5IK2O, readElsewhere(plugin, block)));
    }

    /** The settings of the client forms that are not chosen had no effect in the predecessor either. */
    private static Predicate<String> readElsewhere(PluginBlock plugin, Block block) {
        ToolkitKeys toolkit = new ToolkitKeys(plugin.fallback());
        String version = block.text(CLIENT + "client-version", "v2");
        String type = block.text(CLIENT + "client-type", "async");
        Predicate<String> queries = AdoptedQuery.keysOf(plugin);
        return key -> toolkit.has(key)
                || queries.test(key)
                || Stream.of("v1", "v1-dax", "v2", "v2-dax")
                        .anyMatch(other -> !other.equals(version) && key.startsWith(CLIENT + other + "."))
                || Stream.of("async", "sync")
                        .anyMatch(other -> !other.equals(type) && key.startsWith(CLIENT + "v2." + other + "."));
    }

    /** The forms of its client. We have one client, with the limits and timeouts of the chosen form. */
    private enum Http {
        ASYNC(CLIENT + "v2.async."),
        SYNC(CLIENT + "v2.sync."),
        V1(CLIENT + "v1.client-configuration."),
        /** Before the client had forms, the settings of the asynchronous one were in the block itself. */
        OLDEST(CLIENT);

        private final String prefix;

        Http(String prefix) {
            this.prefix = prefix;
        }
    }

    /** The settings of one form of the client. */
    private record Connections(
            int maxConcurrency, Duration connect, Duration acquisition, Duration idle, ClientSettings.Tuning tuning) {}

    private static ClientConfig client(Block block, Duration circuitBreaker) {
        Endpoint endpoint =
                AdoptedClient.endpoint(block, CLIENT + "endpoint", block.optionalText(CLIENT + "endpoint"), "https");
        RetrySettings retry = AdoptedClient.retry(
                block,
                CLIENT + "v2.api-call-timeout",
                block.optionalDuration(CLIENT + "v2.api-call-timeout"),
                block.optionalDuration(CLIENT + "v2.api-call-attempt-timeout"),
                Integer.MAX_VALUE,
                circuitBreaker);
        Connections http = block.checked(() -> http(block, form(block)));
        return ClientConfig.ofPredecessor(
                block.path(),
                endpoint.embedded(),
                block.checked(() -> new ClientSettings(
                        block.optionalText(CLIENT + "region"),
                        endpoint.uri(),
                        credentials(block),
                        true,
                        http.maxConcurrency(),
                        http.connect(),
                        AdoptedClient.acquisitionTimeout(retry, http.acquisition()),
                        http.idle(),
                        true,
                        http.tuning())),
                retry);
    }

    private static Http form(Block block) {
        boolean oldest = block.flag("legacy-config-format", false);
        String version = block.text(CLIENT + "client-version", "v2");
        boolean sync = block.text(CLIENT + "client-type", "async").equals("sync");
        if (version.endsWith("-dax")) {
            block.warn(CLIENT + "client-version", "DAX is not used: events are read consistently, past any cache");
        } else if (version.equals("v1")) {
            block.warn(
                    CLIENT + "client-version",
                    "requests go through the AWS SDK v2, with the limits and timeouts of v1");
        }
        return oldest ? Http.OLDEST : version.startsWith("v1") ? Http.V1 : sync ? Http.SYNC : Http.ASYNC;
    }

    private static Connections http(Block block, Http http) {
        String prefix = http.prefix;
        boolean async = http == Http.ASYNC || http == Http.OLDEST;
        String connections = prefix + (async ? "max-concurrency" : "max-connections");
        String idle = prefix + (http == Http.V1 ? "connection-max-idle" : "max-idle-connection-timeout");
        String live = prefix + (http == Http.V1 ? "connection-ttl" : "connection-time-to-live");
        String reaper = prefix + (http == Http.V1 ? "use-reaper" : "use-connection-reaper");
        return new Connections(
                block.count(connections, AdoptedClient.maxConcurrency()),
                block.duration(prefix + "connection-timeout", AdoptedClient.connectTimeout()),
                http == Http.V1
                        ? AdoptedClient.acquisitionTimeout()
                        : block.duration(prefix + "connection-acquisition-timeout", ACQUISITION_TIMEOUT),
                block.duration(idle, AdoptedClient.idleTimeout()),
                new ClientSettings.Tuning(
                        ClientSettings.HttpClientChoice.AUTO,
                        async ? block.count(prefix + "max-pending-connection-acquires", 10_000) : Integer.MAX_VALUE,
                        block.optionalDuration(live),
                        null,
                        block.optionalDuration(prefix + (async ? "read-timeout" : "socket-timeout")),
                        async ? block.optionalDuration(prefix + "write-timeout") : null,
                        !async && block.flag(prefix + "use-tcp-keep-alive", false),
                        block.flag(reaper, true),
                        null,
                        false));
    }

    private static CredentialSource credentials(Block block) {
        String provider = block.optionalText(PROVIDER);
        CredentialSource keys =
                AdoptedClient.credentials(block, CLIENT + "access-key-id", CLIENT + "secret-access-key");
        return keys.equals(CredentialSource.defaultChain()) && provider != null
                ? CredentialSource.providerClass(provider)
                : keys;
    }
}
