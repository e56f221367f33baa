package io.dynajournal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.persistence.Persistence;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.dynamo.ClientSettings;
import io.dynajournal.dynamo.CredentialSource;
import io.dynajournal.dynamo.RetrySettings;
import io.dynajournal.layout.commits.CommitsJournal;
import io.dynajournal.layout.commits.CommitsSnapshots;
import io.dynajournal.store.JournalCaches;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
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
        Config root = root("dynajournal.snapshot { " + overrides + " }");
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
        assertThat(client.insertsAtOnce()).isEqualTo(client.settings().maxConnections());
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
                region = eu-west-1, endpoint = "http://far.example:8000", allow-plain-http = on, max-connections = 7,
                connect-timeout = 1 s, acquire-timeout = 2 s, idle-timeout = 3 s, call-timeout = 5 s,
                attempt-timeout = 4 s, retry { base-delay = 6 ms, max-delay = 7 ms },
                credentials { provider = profile, profile = mine }, http-client = netty, group-commit = off,
                direct-requests = off
                """);
        assertThat(client.settings())
                .isEqualTo(new ClientSettings(
                        "eu-west-1",
                        URI.create("http://far.example:8000"),
                        new CredentialSource.Profile("mine"),
                        true,
                        7,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        ClientSettings.Tuning.of(ClientSettings.Carrier.NETTY, false)));
        assertThat(client.insertsAtOnce()).isZero();
        assertThat(client.retry())
                .isEqualTo(new RetrySettings(
                        Duration.ofSeconds(5), Duration.ofSeconds(4), Duration.ofMillis(6), Duration.ofMillis(7)));
        Config root = root("my-client = ${dynajournal.client}, dynajournal.journal { " + """
                table = other, use-client = my-client, check-tables = off, create-tables = true,
                index { slices = off, ids = off, partitions = 64 }, compression = off, item-size = 8 KiB, page-items = 5,
                replay-parallelism = 4, deleted-commits-live = 2 days, replay-dispatcher = mine,
                caches { writers = 3, first-pages = 1 MiB, first-page-life = 1 s }
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
        "page-items = many, dynajournal.journal.page-items, expected a whole number of 1 or more",
        "page-items = 0, dynajournal.journal.page-items, found 0",
        "index = on, dynajournal.journal.index, 'found \"on\" (String: 1), expected a block of settings'",
        "compression = perhaps, dynajournal.journal.compression, expected on or off",
        "create-tables = maybe, dynajournal.journal.create-tables, 'expected one of on, off, auto'",
        "item-size = 500 KiB, dynajournal.journal.item-size, not 512000",
        "index.partitions = 17, dynajournal.journal.index.partitions, power of two",
        "deleted-commits-live = 1 h, dynajournal.journal.deleted-commits-live, a day or more",
    })
    void wrongJournalSettingIsNamed(String setting, String key, String explanation) {
        refused(() -> journal(setting), "Setting " + key, explanation);
    }

    @ParameterizedTest
    @CsvSource({
        "regoin = x, dynajournal.client.regoin, Did you mean region?",
        "endpoint = localhost, dynajournal.client.endpoint, https://host",
        "endpoint = \"http://far.example\", dynajournal.client.endpoint, allow-plain-http",
        "embedded.dir = d, dynajournal.client.embedded.dir, endpoint is not \"embedded\"",
        "attempt-timeout = 9 s, dynajournal.client.attempt-timeout, longer than call-timeout",
        "http-client = magic, dynajournal.client.http-client, 'expected one of auto, crt, netty'",
        "connect-timeout = soon, dynajournal.client.connect-timeout, expected a time",
        "connect-timeout = 0 s, dynajournal.client.connect-timeout, expected a time of more than 0",
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

        assertThat(client.settings().credentials()).isEqualTo(new CredentialSource.Keys("hush1", "hush2", "hush3"));
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
    void copyWithoutTheDefaultsIsToldHowToGetThem() {
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
