package io.dynajournal.settings;

import io.dynajournal.catalog.Layout;
import io.dynajournal.dynamo.ClientSettings;
import io.dynajournal.dynamo.CredentialSource;
import io.dynajournal.layout.JournalLayout;
import io.dynajournal.layout.SnapshotLayout;
import io.dynajournal.layout.StateLayout;
import io.dynajournal.settings.AdoptedClient.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The blocks {@code dynamo-db-journal}, {@code -read-journal}, {@code -snapshot} and {@code -state} of j5ik2o's plugin. */
final class J5Settings {

    private static final String CLIENT = "dynamo-db-client.";
    private static final String PROVIDER = CLIENT + "v2.aws-credentials-provider-class-name";

    /** The toolkits put no circuit breaker before a durable state store: a call may take what it may of a journal. */
    private static final Duration STATE_CALL = Duration.ofSeconds(10);

    private J5Settings() {}

    static JournalConfig journal(PluginBlock plugin) {
        return journal(plugin, new AdoptedBlock(plugin.config(), plugin.path()));
    }

    static JournalConfig journal(PluginBlock plugin, AdoptedBlock block) {
        block.text("layout");
        Duration breaker = AdoptedPlugin.circuitBreaker(plugin);
        ClientConfig client = client(block, breaker);
        JournalLayout layout = block.layout(Layout.J5IK2O::journal);
        return new JournalConfig(
                client,
                List.of(layout),
                JournalConfig.caches(plugin.root()),
                AdoptedPlugin.tables(block, ""),
                breaker,
                plugin.config().getString("plugin-dispatcher"),
                block.remarks(WithoutEffect.J5IK2O, passOver(plugin, block)));
    }

    static SnapshotConfig snapshots(PluginBlock plugin) {
        return snapshots(plugin, new AdoptedBlock(plugin.config(), plugin.path()));
    }

    static SnapshotConfig snapshots(PluginBlock plugin, AdoptedBlock block) {
        block.text("layout");
        Duration breaker = AdoptedPlugin.circuitBreaker(plugin);
        ClientConfig client = client(block, breaker);
        SnapshotLayout layout =
                block.layout(settings -> Layout.J5IK2O.snapshots(settings).orElseThrow());
        return new SnapshotConfig(
                client,
                layout,
                AdoptedPlugin.tables(block, ""),
                breaker,
                block.remarks(WithoutEffect.J5IK2O, passOver(plugin, block)));
    }

    static QueryConfig queries(PluginBlock plugin) {
        return queries(plugin, new AdoptedBlock(plugin.config(), plugin.path()));
    }

    /** The block is a journal's too, and remarked on as such when it is opened. */
    static QueryConfig queries(PluginBlock plugin, AdoptedBlock block) {
        return new QueryConfig(
                block.text("write-plugin", "j5ik2o.dynamo-db-journal"),
                true,
                "j5ik2o.dynamo-db-snapshot",
                AdoptedQuery.push(plugin.root(), block, ""),
                AdoptedQuery.reader(plugin.root(), block, ""),
                Set.of(),
                List.of());
    }

    static StateConfig states(PluginBlock plugin) {
        return states(plugin, new AdoptedBlock(plugin.config(), plugin.path()));
    }

    static StateConfig states(PluginBlock plugin, AdoptedBlock block) {
        block.text("layout");
        ClientConfig client = client(block, STATE_CALL);
        StateLayout layout =
                block.layout(settings -> Layout.J5IK2O.states(settings).orElseThrow());
        String sequenceNr = "columns-def.sequence-nr-column-name";
        if (block.has(sequenceNr)) {
            block.remark(sequenceNr, "no version reads it for states; the column is revision-nr-column-name");
        }
        if (block.has("tag-separator")) {
            block.remark("tag-separator", "a state has one tag, which is stored as it is");
        }
        return new StateConfig(
                client,
                layout,
                AdoptedPlugin.tables(block, ""),
                StateConfig.reads(plugin.root()),
                block.text("columns-class"),
                block.text("plugin-dispatcher"),
                block.remarks(WithoutEffect.J5IK2O, passOver(plugin, block)));
    }

    /** What is set for a form of the client that was not chosen had no effect before, either. */
    private static Predicate<String> passOver(PluginBlock plugin, AdoptedBlock block) {
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

    /** The forms of its client. Ours is one and the same, but the sizes and times of the chosen form hold. */
    private enum Http {
        ASYNC(CLIENT + "v2.async."),
        SYNC(CLIENT + "v2.sync."),
        V1(CLIENT + "v1.client-configuration."),
        /** Before its client had forms: the asynchronous one's settings stood in the block itself. */
        OLDEST(CLIENT);

        private final String prefix;

        Http(String prefix) {
            this.prefix = prefix;
        }
    }

    /** What a form of the client sets. */
    private record Sizes(
            int connections, Duration connect, Duration acquire, Duration idle, ClientSettings.Tuning tuning) {}

    private static ClientConfig client(AdoptedBlock block, Duration breaker) {
        Endpoint endpoint =
                AdoptedClient.endpoint(block, CLIENT + "endpoint", block.text(CLIENT + "endpoint"), "https");
        Sizes sizes = block.refusing(() -> http(block, form(block)));
        return new ClientConfig(
                block.path(),
                endpoint.embedded(),
                null,
                block.refusing(() -> new ClientSettings(
                        block.text(CLIENT + "region"),
                        endpoint.uri(),
                        credentials(block),
                        true,
                        sizes.connections(),
                        sizes.connect(),
                        sizes.acquire(),
                        sizes.idle(),
                        sizes.tuning())),
                AdoptedClient.retry(
                        block,
                        CLIENT + "v2.api-call-timeout",
                        block.optionalDuration(CLIENT + "v2.api-call-timeout"),
                        block.optionalDuration(CLIENT + "v2.api-call-attempt-timeout"),
                        Integer.MAX_VALUE,
                        breaker));
    }

    private static Http form(AdoptedBlock block) {
        boolean oldest = block.flag("legacy-config-format", false);
        String version = block.text(CLIENT + "client-version", "v2");
        boolean sync = block.text(CLIENT + "client-type", "async").equals("sync");
        if (version.endsWith("-dax")) {
            block.remark(CLIENT + "client-version", "DAX is not used: events are read consistently, past any cache");
        } else if (version.equals("v1")) {
            block.remark(CLIENT + "client-version", "requests go through the AWS SDK v2; sizes and times of v1 hold");
        }
        return oldest ? Http.OLDEST : version.startsWith("v1") ? Http.V1 : sync ? Http.SYNC : Http.ASYNC;
    }

    private static Sizes http(AdoptedBlock block, Http http) {
        String prefix = http.prefix;
        boolean async = http == Http.ASYNC || http == Http.OLDEST;
        String connections = prefix + (async ? "max-concurrency" : "max-connections");
        String idle = prefix + (http == Http.V1 ? "connection-max-idle" : "max-idle-connection-timeout");
        String live = prefix + (http == Http.V1 ? "connection-ttl" : "connection-time-to-live");
        String reaper = prefix + (http == Http.V1 ? "use-reaper" : "use-connection-reaper");
        return new Sizes(
                block.count(connections, AdoptedClient.maxConnections()),
                block.duration(prefix + "connection-timeout", AdoptedClient.connectTimeout()),
                http == Http.V1
                        ? AdoptedClient.acquireTimeout()
                        : block.duration(prefix + "connection-acquisition-timeout", Duration.ofSeconds(10)),
                block.duration(idle, AdoptedClient.idleTimeout()),
                new ClientSettings.Tuning(
                        ClientSettings.Carrier.AUTO,
                        async ? block.count(prefix + "max-pending-connection-acquires", 10_000) : Integer.MAX_VALUE,
                        block.optionalDuration(live),
                        null,
                        block.optionalDuration(prefix + (async ? "read-timeout" : "socket-timeout")),
                        async ? block.optionalDuration(prefix + "write-timeout") : null,
                        !async && block.flag(prefix + "use-tcp-keep-alive", false),
                        block.flag(reaper, true),
                        null,
                        true));
    }

    private static CredentialSource credentials(AdoptedBlock block) {
        String provider = block.text(PROVIDER);
        CredentialSource keys =
                AdoptedClient.credentials(block, CLIENT + "access-key-id", CLIENT + "secret-access-key");
        return keys instanceof CredentialSource.DefaultChain && provider != null
                ? new CredentialSource.ProviderClass(provider)
                : keys;
    }
}
