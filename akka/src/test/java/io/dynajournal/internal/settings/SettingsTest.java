package io.dynajournal.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.persistence.Persistence;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.CredentialSource;
import io.dynajournal.internal.dynamo.RetrySettings;
import io.dynajournal.internal.layout.TimeToLive;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.layout.commits.CommitsSnapshots;
import io.dynajournal.internal.store.JournalCaches;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SettingsTest {

    private static Config root(String overrides) {
        return ConfigFactory.load(ConfigFactory.parseString(overrides));
    }

    private static ClientConfig client(String overrides) {
        return ClientConfig.of(root("dynajournal.client { " + overrides + " }"), "dynajournal.client");
    }

    private static JournalConfig journal(String overrides) {
        return journal(root("dynajournal.journal { " + overrides + " }"), "dynajournal.journal");
    }

    private static JournalConfig journal(Config root, String path) {
        Config toolkit = root.getConfig(Persistence.JournalFallbackConfigPath());
        return JournalConfig.of(
                new PluginBlock(root, root.getConfig(path).withFallback(toolkit), path, toolkit, "toolkit"));
    }

    private static SnapshotConfig snapshots(String overrides) {
        return snapshots(root("dynajournal.snapshot { " + overrides + " }"));
    }

    private static StateConfig states(Config root) {
        String path = "dynajournal.state";
        return StateConfig.of(new PluginBlock(root, root.getConfig(path), path, ConfigFactory.empty(), "toolkit"));
    }

    private static QueryConfig queries(Config root) {
        String path = "dynajournal.query";
        return QueryConfig.of(new PluginBlock(root, root.getConfig(path), path, ConfigFactory.empty(), "toolkit"));
    }

    private static SnapshotConfig snapshots(Config root) {
        Config toolkit = root.getConfig(Persistence.SnapshotStoreFallbackConfigPath());
        return SnapshotConfig.of(new PluginBlock(
                root,
                root.getConfig("dynajournal.snapshot").withFallback(toolkit),
                "dynajournal.snapshot",
                toolkit,
                "toolkit"));
    }

    private static void refused(ThrowingCallable reading, String... parts) {
        assertThatThrownBy(reading).isInstanceOf(SettingsException.class).hasMessageContainingAll(parts);
    }

    @Test
    void defaultsAreTheCoresOwn() {
        ClientConfig client = client("");
        assertThat(client.settings()).isEqualTo(ClientSettings.forEndpoint(null));
        assertThat(client.retry()).isEqualTo(RetrySettings.DEFAULTS);
        assertThat(client.embedded()).isFalse();
        assertThat(client.groupCommit()).isTrue();
        JournalConfig journal = journal("");
        assertThat(journal.layouts()).containsExactly(CommitsJournal.of("dynajournal_events"));
        assertThat(journal.caches()).isEqualTo(JournalCaches.DEFAULTS);
        assertThat(journal.tables()).isEqualTo(new TablePolicy(true, TablePolicy.Create.AUTO));
        assertThat(journal.client().path()).isEqualTo("dynajournal.client");
        assertThat(snapshots("").layout()).isEqualTo(CommitsSnapshots.of("dynajournal_snapshots"));
        assertThatCode(() -> RootBlock.check(root(""))).doesNotThrowAnyException();
    }

    @Test
    void everyKeyReachesItsSetting() {
        ClientConfig client = client("""
                region = eu-west-1, endpoint = "http://far.example:8000", allow-plain-http = on,
                http {
                  client = netty, max-concurrency = 7, connection-timeout = 1 s, connection-acquisition-timeout = 2 s
                  connection-max-idle-time = 3 s
                }
                call-timeout = 5 s, call-attempt-timeout = 4 s, retry { base-delay = 6 ms, max-delay = 7 ms },
                credentials { provider = profile, profile = mine }, group-commit = off, flow-control = off, direct = on
                """);
        assertThat(client.settings())
                .isEqualTo(new ClientSettings(
                        "eu-west-1",
                        URI.create("http://far.example:8000"),
                        CredentialSource.profile("mine"),
                        true,
                        7,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        false,
                        ClientSettings.Tuning.of(ClientSettings.HttpClientChoice.NETTY, true)));
        assertThat(client.groupCommit()).isFalse();
        assertThat(client.retry())
                .isEqualTo(new RetrySettings(
                        Duration.ofSeconds(5), Duration.ofSeconds(4), Duration.ofMillis(6), Duration.ofMillis(7)));
        Config root = root("my-client = ${dynajournal.client}, dynajournal.journal { " + """
                table = other, use-client = my-client, check-tables = off, create-tables = true,
                index { slices = off, ids = off, partitions = 64 }, compression = off, item-size = 8 KiB, page-size = 5,
                replay-parallelism = 4, tombstone-retention = 2 days, replay-dispatcher = mine,
                caches { writers = 3, first-pages = 1 MiB, first-pages-ttl = 1 s }
                }""");
        JournalConfig journal = journal(root, "dynajournal.journal");
        assertThat(journal.layouts())
                .containsExactly(new CommitsJournal("other", false, false, 64, false, 8192, 5, 4, Duration.ofDays(2)));
        assertThat(journal.caches()).isEqualTo(new JournalCaches(3, 1 << 20, Duration.ofSeconds(1)));
        assertThat(journal.tables()).isEqualTo(new TablePolicy(false, TablePolicy.Create.ON));
        assertThat(journal.client().path()).isEqualTo("my-client");
        assertThat(journal.replayDispatcher()).isEqualTo("mine");
    }

    @Test
    void embeddedServerHasItsEndpointLater() {
        ClientConfig client = client("endpoint = embedded, embedded.dir = some/where");

        assertThat(client.embedded()).isTrue();
        assertThat(client.embeddedDir()).isEqualTo(Path.of("some", "where"));
        assertThat(client.settings().endpoint()).isNull();
        URI endpoint = URI.create("http://127.0.0.1:4711");
        assertThat(client.settingsAt(endpoint)).isEqualTo(ClientSettings.forEndpoint(endpoint));
    }

    @Test
    void tablesAreCreatedByItselfOnlyOnTheEmbeddedServer() {
        assertThat(new TablePolicy(true, TablePolicy.Create.AUTO).creates(true)).isTrue();
        assertThat(new TablePolicy(true, TablePolicy.Create.AUTO).creates(false))
                .isFalse();
        assertThat(new TablePolicy(true, TablePolicy.Create.ON).creates(false)).isTrue();
        assertThat(new TablePolicy(true, TablePolicy.Create.OFF).creates(true)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "tabel = x, dynajournal.journal.tabel, Did you mean table?",
        "slices = on, dynajournal.journal.slices, Did you mean index.slices?",
        "index.slice = on, dynajournal.journal.index.slice, Did you mean index.slices?",
        "circuit-breaker.call-timout = 9 s, dynajournal.journal.circuit-breaker.call-timout, "
                + "Did you mean circuit-breaker.call-timeout?",
        "something-else = 1, dynajournal.journal.something-else, The keys of this block are",
        "layout = commit, dynajournal.journal.layout, found \"commit\"",
        "layout = commit, dynajournal.journal.layout, expected one of commits",
        "table = a, dynajournal.journal.table, expected a table name",
        "page-size = many, dynajournal.journal.page-size, expected a whole number of 1 or more",
        "page-size = 0, dynajournal.journal.page-size, found 0",
        "index = on, dynajournal.journal.index, 'found \"on\" (String: 1), expected a block of settings'",
        "compression = perhaps, dynajournal.journal.compression, expected on or off",
        "create-tables = maybe, dynajournal.journal.create-tables, 'expected one of on, off, auto'",
        "item-size = 500 KiB, dynajournal.journal.item-size, not 512000",
        "index.partitions = 17, dynajournal.journal.index.partitions, power of two",
        "tombstone-retention = 1 h, dynajournal.journal.tombstone-retention, a day or more",
    })
    void wrongJournalSettingIsNamed(String setting, String key, String explanation) {
        refused(() -> journal(setting), "Setting " + key, explanation);
    }

    @ParameterizedTest
    @CsvSource({
        "regoin = x, dynajournal.client.regoin, Did you mean region?",
        "endpoint = localhost, dynajournal.client.endpoint, https://host",
        "endpoint = embeded, dynajournal.client.endpoint, 'Did you mean \"embedded\"?'",
        "endpoint = \"http://far.example\", dynajournal.client.endpoint, allow-plain-http",
        "embedded.dir = d, dynajournal.client.embedded.dir, endpoint is not \"embedded\"",
        "call-attempt-timeout = 9 s, dynajournal.client.call-attempt-timeout, longer than call-timeout",
        "http.connection-acquisition-timeout = 2500 ms, dynajournal.client.http.connection-acquisition-timeout, "
                + "'found 2500 ms, expected less than dynajournal.client.call-attempt-timeout, which is 2500 ms'",
        "http.client = magic, dynajournal.client.http.client, 'expected one of auto, crt, netty'",
        "http.connection-timeout = soon, dynajournal.client.http.connection-timeout, expected a time",
        "http.connection-timeout = 0 s, dynajournal.client.http.connection-timeout, expected a time of more than 0",
        "credentials.provider = magic, dynajournal.client.credentials.provider, "
                + "'expected one of default, static, profile, web-identity'",
        "credentials.profile = p, dynajournal.client.credentials.profile, provider is default and not profile",
        "credentials.role-arn = r, dynajournal.client.credentials.role-arn, provider is default and not web-identity",
        "credentials.provider = static, dynajournal.client.credentials.access-key-id, found nothing",
        "credentials.provider = profile, dynajournal.client.credentials.profile, provider is profile",
    })
    void wrongClientSettingIsNamed(String setting, String key, String explanation) {
        refused(() -> client(setting), "Setting " + key, explanation);
    }

    @ParameterizedTest
    @CsvSource({
        "access-key-id = hush",
        "secret-access-key = hush",
        "session-token = hush",
        "'provider = static, access-key-id = hush'",
        "'provider = static, access-key-id = hush, secret-access-key = [hush]'",
        "'provider = statics, access-key-id = hush, secret-access-key = hush'",
        "secret-acces-key = hush",
        "'provider = static, access-key-id = hush, secret-access-key = hush, session-tokn = hush'",
    })
    void secretIsNeverInAMessage(String credentials) {
        assertThatThrownBy(() -> client("credentials { " + credentials + " }"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("dynajournal.client.credentials.")
                .hasMessageNotContaining("hush")
                .hasNoCause();
    }

    @Test
    void secretIsNeverInAText() {
        ClientConfig client = client("""
                credentials { provider = static, access-key-id = hush1, secret-access-key = hush2, session-token = hush3 }
                """);

        assertThat(client.settings().credentials()).isEqualTo(CredentialSource.keys("hush1", "hush2", "hush3"));
        assertThat(client.toString()).doesNotContain("hush");
    }

    @Test
    void callTimeoutMustBeBelowTheCircuitBreakers() {
        ClientConfig client = client("call-timeout = 10 s");

        refused(
                () -> client.checkBelow(Duration.ofSeconds(10), "my-journal"),
                "dynajournal.client.call-timeout",
                "found 10000 ms",
                "my-journal.circuit-breaker.call-timeout");
        assertThatCode(() -> client.checkBelow(Duration.ofSeconds(11), "my-journal"))
                .doesNotThrowAnyException();
    }

    @Test
    void clientThatIsNotThereIsNamed() {
        refused(() -> ClientConfig.of(root(""), "my.client"), "my.client = ${dynajournal.client}");
    }

    @Test
    void errorOfACopyWithoutTheDefaultsSaysHowToGetThem() {
        refused(
                () -> journal(root("my-journal { layout = commits, use-client = dynajournal.client }"), "my-journal"),
                "Setting my-journal.",
                "is missing",
                "my-journal = ${dynajournal.journal}");
    }

    @Test
    void copyMayHaveKeysOfTheToolkitAndItsOwnDispatcher() {
        Config root = root("""
                my-journal = ${dynajournal.journal}
                my-journal {
                  circuit-breaker.max-failures = 3
                  replay-filter.mode = off
                  recovery-event-timeout = 5 s
                  event-adapters.a = some.Adapter
                  event-adapter-bindings { "some.Event" = a }
                  plugin-dispatcher = my-journal.pool
                  pool.type = Dispatcher
                }
                """);

        assertThat(journal(root, "my-journal").replayDispatcher()).isEqualTo("my-journal.pool");
    }

    @ParameterizedTest
    @CsvSource({
        "client.attempt-timeout = 1 s, client.attempt-timeout, call-attempt-timeout",
        "client.acquire-timeout = 1 s, client.acquire-timeout, http.connection-acquisition-timeout",
        "client.max-connections = 1, client.max-connections, http.max-concurrency",
        "client.connect-timeout = 1 s, client.connect-timeout, http.connection-timeout",
        "client.idle-timeout = 1 s, client.idle-timeout, http.connection-max-idle-time",
        "client.http-client = crt, client.http-client, http.client",
        "client.direct-requests = on, client.direct-requests, direct",
        "journal.page-items = 1, journal.page-items, page-size",
        "journal.deleted-commits-live = 2 days, journal.deleted-commits-live, tombstone-retention",
        "state.deleted-states-live = 2 days, state.deleted-states-live, tombstone-retention",
        "state.query.page-rows = 1, state.query.page-rows, query.page-size",
        "query.trailing-window = 1 s, query.trailing-window, backtracking.window",
        "query.known-ids = 1, query.known-ids, tracked-entities",
        "push-to-cluster = off, push-to-cluster, dynajournal.push.cluster",
    })
    void oldNameIsAnsweredWithTheNewOne(String setting, String key, String newName) {
        Config root = root("dynajournal." + setting);

        refused(
                () -> {
                    RootBlock.check(root);
                    journal(root, "dynajournal.journal");
                    states(root);
                    queries(root);
                },
                "Setting dynajournal." + key + " is not known",
                "It is now called " + newName + ".");
    }

    @Test
    void valueInPlaceOfThePushBlockIsExplained() {
        refused(
                () -> queries(root("dynajournal.query.push = off")),
                "dynajournal.query.push",
                "expected a block of settings, such as push { enabled");
    }

    @Test
    void tablesAreCreatedByAllPluginsIfTheRootAsksForIt() {
        Config root = root("dynajournal { create-tables = on, snapshot.create-tables = off }");

        assertThat(journal(root, "dynajournal.journal").tables().create()).isEqualTo(TablePolicy.Create.ON);
        assertThat(states(root).tables().create()).isEqualTo(TablePolicy.Create.ON);
        assertThat(snapshots(root).tables().create()).isEqualTo(TablePolicy.Create.OFF);
        assertThat(journal(root, "dynamodb-journal").tables().create()).isEqualTo(TablePolicy.Create.ON);
        assertThat(journal(root(""), "dynamodb-journal").tables().create()).isEqualTo(TablePolicy.Create.OFF);
        refused(
                () -> RootBlock.check(root("dynajournal.create-tables = perhaps")),
                "dynajournal.create-tables",
                "one of on, off, auto");
    }

    @Test
    void pushIsSetOnceForAllQueriesAndMayBeOverridden() {
        Config root = root("dynajournal { push.cluster = off, query.push.enabled = off }");

        assertThat(queries(root).push()).isEqualTo(ReadConfig.Push.OFF);
        assertThat(states(root).reads().push()).isEqualTo(ReadConfig.Push.LOCAL);
        assertThat(RootBlock.pushesToCluster(root)).isFalse();
        assertThat(queries(root("")).push()).isEqualTo(ReadConfig.Push.CLUSTER);
        assertThat(RootBlock.pushesToCluster(root(""))).isTrue();
    }

    @Test
    void timeToLiveByEntityType() {
        Config root = root("dynajournal.journal.time-to-live { event-time-to-live = 1 d, entities { "
                + "\"A*\" { event-time-to-live = off, use-time-to-live-for-deletes = 2 h }, B.check-expiry = off } }");
        TimeToLive rules =
                ((CommitsJournal) journal(root, "dynajournal.journal").layouts().get(0)).timeToLive();
        assertThat(rules.of("C|1")).isEqualTo(new TimeToLive.Rules(true, null, Duration.ofDays(1), null));
        assertThat(rules.of("Ab|1")).isEqualTo(new TimeToLive.Rules(true, Duration.ofHours(2), null, null));
        assertThat(rules.of("B|1")).isEqualTo(new TimeToLive.Rules(false, null, Duration.ofDays(1), null));
        for (String unknown : List.of("evnt-time-to-live", "snapshot-time-to-live", "entities.A.check-expry")) {
            refused(
                    () -> journal(
                            root("dynajournal.journal.time-to-live." + unknown + " = off"), "dynajournal.journal"),
                    "dynajournal.journal.time-to-live." + unknown);
        }
        refused(
                () -> journal(
                        root("dynajournal.journal.time-to-live.event-time-to-live = soon"), "dynajournal.journal"),
                "time-to-live.event-time-to-live",
                "soon");
    }

    /** The documentation includes these parts of reference.conf. */
    @Test
    void regionsOfTheReferenceAreClosed() throws IOException {
        List<String> markers = new ArrayList<>();
        try (InputStream in = ClassLoader.getSystemResourceAsStream("reference.conf")) {
            new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::trim)
                    .filter(line -> line.startsWith("# region:") || line.equals("# endregion"))
                    .forEach(markers::add);
        }
        assertThat(markers)
                .containsExactly(Stream.of(
                                "shared", "client", "journal", "snapshot", "state", "query", "cleanup", "predecessors")
                        .flatMap(name -> Stream.of("# region:" + name, "# endregion"))
                        .toArray(String[]::new));
    }

    @Test
    void misspelledBlockIsNamed() {
        refused(
                () -> RootBlock.check(root("dynajournal.cleint.region = x")),
                "dynajournal.cleint",
                "Did you mean dynajournal.client?");
        assertThatCode(() -> RootBlock.check(root("dynajournal.second = ${dynajournal.client}")))
                .doesNotThrowAnyException();
    }
}
