package io.dynajournal.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.persistence.Persistence;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.CredentialSource;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.akka1.Akka1EventFormat;
import io.dynajournal.internal.layout.akka1.Akka1Journal;
import io.dynajournal.internal.layout.akka1.Akka1Snapshots;
import io.dynajournal.internal.layout.j5ik2o.J5Journal;
import io.dynajournal.internal.layout.sclasen.SclasenJournal;
import io.dynajournal.j5ik2o.KeyResolver;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of the predecessors' settings. */
final class AdoptedSettingsTest {

    /** A user's resolver that wants the plugin's settings. */
    public static final class Tenants implements KeyResolver {
        private final String prefix;

        public Tenants(Config config) {
            this.prefix = config.getString("tenant-prefix");
        }

        @Override
        public String key(String persistenceId, long seqNr) {
            return prefix + persistenceId;
        }
    }

    private static PluginBlock plugin(String settings, String path, String fallbackPath) {
        Config root = ConfigFactory.load(ConfigFactory.parseString(settings));
        Config fallback = root.getConfig(fallbackPath);
        return new PluginBlock(root, root.getConfig(path).withFallback(fallback), path, fallback, "toolkit");
    }

    private static JournalConfig journal(String path, String settings) {
        return JournalConfig.of(plugin(path + " { " + settings + " }", path, Persistence.JournalFallbackConfigPath()));
    }

    private static JournalConfig akka1(String settings) {
        return journal("dynamodb-journal", settings);
    }

    private static JournalConfig akka2(String settings) {
        String root = "mine = ${\"akka\".persistence.dynamodb}\nmine { " + settings + " }";
        return JournalConfig.of(plugin(root, "mine.journal", Persistence.JournalFallbackConfigPath()));
    }

    private static JournalConfig j5ik2o(String settings) {
        return journal("j5ik2o.dynamo-db-journal", settings);
    }

    private static StateConfig states(String path, String settings) {
        Config root = ConfigFactory.load(ConfigFactory.parseString(settings));
        return StateConfig.of(new PluginBlock(root, root.getConfig(path), path, ConfigFactory.empty(), "toolkit"));
    }

    @Test
    void statesOfJ5ik2oHaveItsDefaultsAndASecondStoreIsPossible() {
        StateConfig states = states("j5ik2o.dynamo-db-state", "");
        assertThat(states.layout().table().name()).isEqualTo("State");
        assertThat(states.layout().variants()).hasSize(2);
        assertThat(states.dispatcher()).endsWith(".actor.default-dispatcher");
        assertThat(states.warnings()).isEmpty();
        assertThat(states("mine", "mine = ${j5ik2o.dynamo-db-state}, mine.table-name = Mine")
                        .layout()
                        .table()
                        .name())
                .isEqualTo("Mine");
        assertThat(states("j5ik2o.dynamo-db-state", "j5ik2o.dynamo-db-defaults.dynamo-db-client.region = eu-west-1")
                        .client()
                        .settings()
                        .region())
                .isEqualTo("eu-west-1");
    }

    @Test
    void settingsOfStatesThatNoVersionReadsAreNamed() {
        assertThat(states("j5ik2o.dynamo-db-state", """
                        j5ik2o.dynamo-db-state {
                          columns-def.sequence-nr-column-name = n
                          tag-separator = ";"
                          consistent-read = true
                        }
                        """).warnings())
                .anySatisfy(warning -> assertThat(warning)
                        .contains("j5ik2o.dynamo-db-state.columns-def.sequence-nr-column-name")
                        .contains("revision-nr-column-name"))
                .anySatisfy(warning -> assertThat(warning).contains("tag-separator"))
                .anySatisfy(warning -> assertThat(warning).contains("consistent-read"))
                .hasSize(3);
    }

    @Test
    void layoutWithoutStatesIsRefusedByName() {
        refused(
                () -> states("mine", "mine { layout = akka2 }"),
                "mine.layout",
                "akka2",
                "no durable states",
                "commits or j5ik2o");
    }

    private static void refused(ThrowingCallable reading, String... parts) {
        assertThatThrownBy(reading).isInstanceOf(SettingsException.class).hasMessageContainingAll(parts);
    }

    @Test
    void layoutsOfOnePathHaveEachItsDefaults() {
        List<JournalLayout> open = akka1("").layouts();
        assertThat(open).hasSize(2);
        assertThat(((Akka1Journal) open.get(0)).shards()).isEqualTo(10);
        assertThat(((SclasenJournal) open.get(1)).sequenceShards()).isEqualTo(1000);
        assertThat(open).extracting(layout -> layout.table().name()).containsOnly("toolkit-persistence");

        assertThat(akka1("layout = akka1, sequence-shards = 7").layouts())
                .singleElement()
                .extracting(layout -> ((Akka1Journal) layout).shards())
                .isEqualTo(7);
        assertThat(akka1("layout = sclasen, journal-table = old, journal-name = \"\"")
                        .layouts())
                .singleElement()
                .isEqualTo(new SclasenJournal("old", "", 1000, false, false));
        refused(() -> akka1("layout = sclasen"), "dynamodb-journal", "journal-table is missing");
    }

    @Test
    void clientOf1() {
        JournalConfig journal = akka1("""
                endpoint = dynamodb.eu-central-1.amazonaws.com, aws-access-key-id = hush1, aws-secret-access-key = hush2
                aws-client-config {
                  max-connections = 200, connection-timeout = 1500, connection-max-idle-millis = 30000, connection-ttl = 60000
                  client-execution-timeout = 7000, request-timeout = 3000, max-error-retry = 20, use-tcp-keepalive = true
                  use-reaper = false, proxy-host = proxy, proxy-port = 3128, proxy-username = me, proxy-password = hush3
                  protocol = default
                }
                """);

        assertThat(journal.client().settings())
                .isEqualTo(new ClientSettings(
                        null,
                        URI.create("https://dynamodb.eu-central-1.amazonaws.com"),
                        CredentialSource.keys("hush1", "hush2", null),
                        true,
                        200,
                        Duration.ofMillis(1500),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(30),
                        true,
                        new ClientSettings.Tuning(
                                ClientSettings.HttpClientChoice.AUTO,
                                Integer.MAX_VALUE,
                                Duration.ofSeconds(60),
                                null,
                                null,
                                null,
                                true,
                                false,
                                new ClientSettings.Proxy("proxy", 3128, "me", "hush3"),
                                false)));
        assertThat(journal.client().retry().callTimeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(journal.client().retry().callAttemptTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(journal.client().retry().maxAttempts()).isEqualTo(21);
        assertThat(journal.client().toString()).doesNotContain("hush");
        assertThat(journal.warnings()).isEmpty();
    }

    @Test
    void clientOf03HasItsEndpointAndItsPool() {
        JournalConfig journal = JournalConfig.of(plugin(
                "spray.can.host-connector.max-connections = 700, dynamodb-journal { layout = sclasen, journal-table ="
                        + " old, operation-timeout = 10 seconds }",
                "dynamodb-journal",
                Persistence.JournalFallbackConfigPath()));

        assertThat(journal.client().settings().region()).isEqualTo("us-east-1");
        assertThat(journal.client().settings().maxConcurrency()).isEqualTo(700);
        assertThat(journal.client().retry().callTimeout()).isEqualTo(Duration.ofSeconds(9));
        assertThat(journal.warnings())
                .singleElement()
                .asString()
                .contains("dynamodb-journal.operation-timeout (9000 ms instead of 10000 ms", "circuit-breaker");
    }

    /** Its reference.conf has 600; a block of 0.3 has an operation-timeout, which 1.x does not know. */
    @ParameterizedTest
    @CsvSource({
        "'layout = sclasen, journal-table = old', 600",
        "'journal-table = old, operation-timeout = 5 s', 600",
        "'journal-table = old, operation-timeout = 5 s, aws-client-config.max-connections = 40', 40",
        "'layout = akka1, operation-timeout = 5 s', 50",
        "'', 50"
    })
    void connectionsOf03(String settings, int connections) {
        assertThat(akka1(settings).client().settings().maxConcurrency()).isEqualTo(connections);
    }

    /** The value that the toolkit reads when the first entity starts, before a request has shown whose table it is. */
    private static int batchSize(String settings) {
        Config root = ConfigFactory.load(ConfigFactory.parseString(settings));
        return root.getConfig("dynamodb-journal")
                .withFallback(root.getConfig(Persistence.JournalFallbackConfigPath()))
                .getInt("max-message-batch-size");
    }

    /** 0.3 set it for all journals; the toolkits read it in the block of each. */
    @Test
    void batchSizeOf03IsHonouredWhereItIsSet() {
        String ofAllJournals = Persistence.JournalFallbackConfigPath().replace("-plugin-fallback", "");
        String of03 = ofAllJournals + ".max-message-batch-size = 4000";
        assertThat(batchSize("")).isEqualTo(200);
        assertThat(batchSize(of03)).isEqualTo(4000);
        assertThat(batchSize(of03 + "\ndynamodb-journal.max-message-batch-size = 900"))
                .isEqualTo(900);
    }

    private static SnapshotConfig snapshotsOf1(String settings) {
        return SnapshotConfig.of(
                plugin(settings, "dynamodb-snapshot-store", Persistence.SnapshotStoreFallbackConfigPath()));
    }

    /** Each value differs from every default, so that one which is ignored or swapped shows. */
    @Test
    void snapshotsOf1HaveTheSettingsOfTheJournalUnlessTheyHaveTheirOwn() {
        String journal = """
                dynamodb-journal {
                  endpoint = "https://journals.example:4711", region = eu-north-1, journal-name = ledger
                  aws-access-key-id = journals-id, aws-secret-access-key = journals-secret, event-format = pay
                  aws-api-limits.max-item-size = 123456, aws-client-config.max-connections = 77
                  journal-table = not-for-snapshots, sequence-shards = 3
                }
                """;
        SnapshotConfig inherited = snapshotsOf1(journal);
        assertThat(inherited.layout())
                .isEqualTo(new Akka1Snapshots(
                        "toolkit-persistence-snapshot",
                        "ledger",
                        123_456,
                        Akka1EventFormat.PAY,
                        Akka1Journal.of(new LayoutSettings(Map.of(
                                "journal-table", "not-for-snapshots",
                                "sequence-shards", "3",
                                "aws-api-limits.max-item-size", "123456",
                                "event-format", "pay")))));
        assertThat(inherited.client().settings().endpoint()).isEqualTo(URI.create("https://journals.example:4711"));
        assertThat(inherited.client().settings().region()).isEqualTo("eu-north-1");
        assertThat(inherited.client().settings().credentials())
                .isEqualTo(CredentialSource.keys("journals-id", "journals-secret", null));
        assertThat(inherited.client().settings().maxConcurrency()).isEqualTo(77);

        SnapshotConfig own = snapshotsOf1(journal + """
                dynamodb-snapshot-store {
                  endpoint = "https://snapshots.example:4712", region = eu-south-1, journal-name = other
                  aws-access-key-id = snapshots-id, aws-secret-access-key = snapshots-secret, event-format = event
                  aws-api-limits.max-item-size = 234567, aws-client-config.max-connections = 78, snapshot-table = mine
                }
                """);
        assertThat(own.layout()).isEqualTo(new Akka1Snapshots("mine", "other", 234_567, Akka1EventFormat.EVENT, null));
        assertThat(own.client().settings().endpoint()).isEqualTo(URI.create("https://snapshots.example:4712"));
        assertThat(own.client().settings().region()).isEqualTo("eu-south-1");
        assertThat(own.client().settings().credentials())
                .isEqualTo(CredentialSource.keys("snapshots-id", "snapshots-secret", null));
        assertThat(own.client().settings().maxConcurrency()).isEqualTo(78);
    }

    /** 1.x on Akka 2.5 keeps snapshots under the default name unless the store's own block has one. */
    @Test
    void snapshotsOf1AreAlsoUnderTheDefaultNameWhereTheJournalsNameWasTakenOver() {
        assertThat(defaultJournal("")).isNull();
        assertThat(defaultJournal("dynamodb-journal.journal-name = journal")).isNull();
        assertThat(defaultJournal("dynamodb-snapshot-store.journal-name = mine"))
                .isNull();
        assertThat(defaultJournal("""
                        dynamodb-journal.journal-name = ledger
                        dynamodb-snapshot-store.journal-name = ledger
                        """)).isNull();
        assertThat(defaultJournal("dynamodb-journal.journal-name = ledger"))
                .isEqualTo(Akka1Journal.of("toolkit-persistence"));
    }

    private static @Nullable Akka1Journal defaultJournal(String settings) {
        return ((Akka1Snapshots) snapshotsOf1(settings).layout()).defaultJournal();
    }

    @Test
    void endpointThatIsEmptyLeavesTheRegionToTheSdk() {
        assertThat(akka1("endpoint = \"\"").client().settings().region()).isNull();
        assertThat(akka1("").client().settings().region()).isEqualTo("us-east-1");
        assertThat(akka1("layout = akka1").client().settings().region()).isNull();
    }

    @Test
    void plainHttpKeepsWorkingWithAWarning() {
        assertThat(akka1("endpoint = \"http://dynamodb:8000\"").warnings())
                .containsExactly("dynamodb-journal.endpoint (requests are sent without TLS: anybody on the network path"
                        + " can read and change them)");
        assertThat(akka1("endpoint = \"http://localhost:8000\"").warnings()).isEmpty();
    }

    @Test
    void halfAKeyIsRefusedWithoutShowingIt() {
        assertThatThrownBy(() -> akka1("aws-access-key-id = hush"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("dynamodb-journal.aws-secret-access-key")
                .hasMessageNotContaining("hush");
    }

    @ParameterizedTest
    @CsvSource({
        "'',2147483647",
        "client.retry-strategy.enabled = off,1",
        "client.retry-strategy.max-attempts = 4,4",
        "client.retry-strategy.max-attempts = default,2147483647",
        "'client.retry-policy { enabled = on, num-retries = 2 }',3",
        "client.retry-policy.enabled = off,1"
    })
    void attemptsOf2(String settings, int attempts) {
        assertThat(akka2(settings).client().retry().maxAttempts()).isEqualTo(attempts);
    }

    @Test
    void clientOf2IsSharedByItsPluginsAndMayBeLocal() {
        JournalConfig journal = akka2("""
                client {
                  call-timeout = 5 s, call-attempt-timeout = 2 s, region = eu-west-1
                  local { enabled = true, host = dynamo, port = 4711 }
                  http {
                    max-concurrency = 7, max-pending-connection-acquires = 8, read-timeout = 1 s, write-timeout = 2 s
                    connection-timeout = 3 s, connection-acquisition-timeout = 4 s, connection-time-to-live = 5 s
                    use-idle-connection-reaper = off, connection-max-idle-time = 6 s, tls-negotiation-timeout = 7 s
                    tcp-keep-alive = on
                  }
                }
                """);

        assertThat(journal.client().path()).isEqualTo("mine.client");
        assertThat(journal.client().settings())
                .isEqualTo(new ClientSettings(
                        "eu-west-1",
                        URI.create("http://dynamo:4711"),
                        CredentialSource.keys("local", "local", null),
                        true,
                        7,
                        Duration.ofSeconds(3),
                        // Not 4 s, because an attempt ends after 2 s.
                        Duration.ofMillis(1600),
                        Duration.ofSeconds(6),
                        true,
                        new ClientSettings.Tuning(
                                ClientSettings.HttpClientChoice.AUTO,
                                8,
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(7),
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(2),
                                true,
                                false,
                                null,
                                false)));
        assertThat(journal.client().retry().callTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(journal.client().retry().callAttemptTimeout()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void pluginOf2IsFoundByItsRoot() {
        refused(
                () -> JournalConfig.of(plugin(
                        "events = ${\"akka\".persistence.dynamodb.journal}",
                        "events",
                        Persistence.JournalFallbackConfigPath())),
                "events",
                "a copy of the whole block");
    }

    @Test
    void formOfJ5ik2osClientDecidesWhoseSizesHold() {
        String sizes = """
                dynamo-db-client {
                  endpoint = "http://localhost:8000", max-concurrency = 1
                  v2 { async.max-concurrency = 2, sync.max-connections = 3, api-call-timeout = 4 s }
                  v1.client-configuration.max-connections = 5
                """;
        assertThat(j5ik2o(sizes + "}").client().settings().maxConcurrency()).isEqualTo(2);
        assertThat(j5ik2o(sizes + "}").client().retry().callTimeout()).isEqualTo(Duration.ofSeconds(4));
        assertThat(j5ik2o(sizes + ", client-type = sync }").client().settings().maxConcurrency())
                .isEqualTo(3);
        assertThat(j5ik2o(sizes + ", client-version = v1 }").client().settings().maxConcurrency())
                .isEqualTo(5);
        assertThat(j5ik2o(sizes + "}, legacy-config-format = true")
                        .client()
                        .settings()
                        .maxConcurrency())
                .isEqualTo(1);
        assertThat(j5ik2o("dynamo-db-client.client-version = v2-dax").warnings())
                .singleElement()
                .asString()
                .startsWith("j5ik2o.dynamo-db-journal.dynamo-db-client.client-version (");
    }

    @Test
    void credentialsOfJ5ik2oAreKeysOrAProvider() {
        String provider = "software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider";
        assertThat(j5ik2o("dynamo-db-client.v2.aws-credentials-provider-class-name = \"" + provider + "\"")
                        .client()
                        .settings()
                        .credentials())
                .isEqualTo(CredentialSource.providerClass(provider));
        assertThat(j5ik2o("dynamo-db-client { access-key-id = a, secret-access-key = b }")
                        .client()
                        .settings()
                        .credentials())
                .isEqualTo(CredentialSource.keys("a", "b", null));
    }

    @Test
    void resolverOfTheUsersGetsThePluginsSettings() {
        J5Journal layout = (J5Journal)
                j5ik2o("tenant-prefix = t-, partition-key-resolver-class-name = \"" + Tenants.class.getName() + "\"")
                        .layouts()
                        .get(0);

        assertThat(layout.keys())
                .extracting("partition")
                .asInstanceOf(InstanceOfAssertFactories.type(KeyResolver.class))
                .extracting(partition -> partition.key("a", 1))
                .isEqualTo("t-a");
    }

    @Test
    void nativeBlockKeepsItsOwnLayout() {
        refused(
                () -> journal("dynajournal.journal", "layout = akka1"),
                "dynajournal.journal.layout",
                "begin the block with ${dynamodb-journal}");
    }

    @Test
    void wrongValueIsNamedWithItsPath() {
        refused(() -> akka1("sequence-shards = many"), "dynamodb-journal", "sequence-shards", "many");
        refused(
                () -> akka1("aws-client-config.max-connections = lots"),
                "dynamodb-journal.aws-client-config.max-connections",
                "lots",
                "a whole number");
        refused(() -> j5ik2o("shard-count = 1"), "j5ik2o.dynamo-db-journal", "shard-count");
    }

    @Test
    void oldNameOfAKeyOfOursIsAnsweredWithTheNewOne() {
        refused(
                () -> journal("dynamodb-read-journal", "push = off"),
                "Setting dynamodb-read-journal.push is not known",
                "It is now called push.enabled.");
    }
}
