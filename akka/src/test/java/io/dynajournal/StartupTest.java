package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.event.Logging;
import ch.qos.logback.classic.Level;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.plugin.OpenPlugins;
import io.dynajournal.local.EmbeddedDynamoLocal;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.net.URI;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Plugins that cannot start at first: what they report, and that they recover without a restart. */
final class StartupTest {

    private static final String JOURNAL = "dynajournal.journal";
    private static final String QUICK =
            "dynajournal.client { call-timeout = 1 s, call-attempt-timeout = 900 ms, http.connection-acquisition-timeout = 800"
                    + " ms }\n";
    /** A test that starts its entity many times must not open the toolkit's circuit breaker. */
    private static final String NO_BREAKER = """
            dynajournal.journal.circuit-breaker.max-failures = 1000000
            dynajournal.snapshot.circuit-breaker.max-failures = 1000000
            """;

    private static final RequestMatch CHECKS = RequestMatch.operation("DescribeTable");

    /** Its start may take longer than the toolkit's circuit breaker waits. */
    private static final URI SERVER = new EmbeddedDynamoLocal().start(null);

    @RegisterExtension
    final Systems systems = new Systems();

    private final String id = Systems.freshId();
    private final String table = "t_" + UUID.randomUUID();

    /** Starts the entity once. */
    private Object recover(ActorSystem system) {
        Probe probe = new Probe(system);
        system.actorOf(Ledger.props(id, probe.ref()));
        return probe.expectAny(Ledger.Recovered.class, Ledger.RecoveryFailed.class);
    }

    private Throwable recoveryFailure(ActorSystem system) {
        assertThat(recover(system)).isInstanceOf(Ledger.RecoveryFailed.class);
        Probe probe = new Probe(system);
        system.actorOf(Ledger.props(id, probe.ref()));
        return probe.expect(Ledger.RecoveryFailed.class).cause();
    }

    /** Starts the entity until it recovers, as its supervisor would. */
    private void recoversWithoutARestart(ActorSystem system) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!(recover(system) instanceof Ledger.Recovered)) {
            assertThat(System.nanoTime()).isLessThan(end);
        }
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);
        ledger.tell(new Ledger.Add("a"), ActorRef.noSender());
        probe.expect(Ledger.Added.class);
    }

    private String withoutTable() {
        return NO_BREAKER + "dynajournal.journal { create-tables = off, table = \"" + table + "\" }\n";
    }

    @Test
    void tableThatIsCreatedLaterIsFoundWithoutARestart() {
        ActorSystem system = systems.start(withoutTable());
        assertThat(recoveryFailure(system))
                .isInstanceOf(StoreException.Refused.class)
                .hasMessageContaining(table + " does not exist");

        // By somebody else: this actor system is not told.
        ActorSystem administrator = systems.start("dynajournal.journal.table = \"" + table + "\"");
        Reads.result(Tables.create(administrator, JOURNAL));

        recoversWithoutARestart(system);
    }

    @Test
    void credentialsThatAppearLaterAreUsedWithoutARestart() {
        AtomicInteger resolved = new AtomicInteger();
        AwsCredentialsProvider late = new AwsCredentialsProvider() {
            @Override
            public AwsCredentials resolveCredentials() {
                if (resolved.incrementAndGet() <= 4) {
                    throw SdkClientException.create(
                            "Unable to load credentials from any of the providers in the chain");
                }
                return AwsBasicCredentials.create("local", "local");
            }
        };
        try (DynamoDbAsyncClient client = DynamoDbAsyncClient.builder()
                .endpointOverride(SERVER)
                .region(Region.US_EAST_1)
                .credentialsProvider(late)
                .build()) {
            ActorSystem system =
                    systems.start(NO_BREAKER, DynajournalSetup.create().withClient("dynajournal.client", client));
            assertThat(recoveryFailure(system))
                    .isInstanceOf(StoreException.Refused.class)
                    .hasMessageContaining("No AWS credentials were found. Set dynajournal.client.credentials");

            recoversWithoutARestart(system);
        }
    }

    @Test
    void startIsRetriedWithinTheCallTimeout() {
        try (FaultProxy proxy = Systems.proxy()) {
            proxy.when(CHECKS).times(3).answer(ErrorAnswer.internalServerError());
            ActorSystem system = systems.start(Systems.through(proxy));

            assertThat(recover(system)).isInstanceOf(Ledger.Recovered.class);
            proxy.assertScriptUsed();
        }
    }

    @Test
    void serverThatIsDownAtTheStartIsUsedWhenItIsUp() {
        try (FaultProxy proxy = Systems.proxy()) {
            proxy.when(RequestMatch.all()).always().loseRequest();
            ActorSystem system = systems.start(QUICK + NO_BREAKER + Systems.through(proxy));
            assertThat(recoveryFailure(system)).isInstanceOf(StoreException.Unavailable.class);

            proxy.clear();
            recoversWithoutARestart(system);
        }
    }

    @Test
    void unreachableServerIsNamedByItsEndpoint() {
        assertThat(recoveryFailure(systems.start(QUICK + "dynajournal.client.endpoint = \"http://localhost:1\"")))
                .isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("http://localhost:1");
        assertThat(recoveryFailure(systems.start(QUICK
                        + "dynajournal.client { endpoint = \"http://no-such-host.invalid\", allow-plain-http = on, region ="
                        + " eu-west-1, credentials { provider = static, access-key-id = a, secret-access-key = b } }")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("http://no-such-host.invalid")
                .hasMessageContaining("eu-west-1");
    }

    @Test
    void missingTableIsReportedInOneShortLine() {
        ActorSystem system = systems.start(withoutTable());
        Probe logs = new Probe(system);
        system.eventStream().subscribe(logs.ref(), Logging.Error.class);

        for (int i = 0; i < 3; i++) {
            Throwable failure = recoveryFailure(system);
            assertThat(failure).hasNoCause();
            assertThat(failure.getStackTrace()).isEmpty();
            assertThat(failure.getMessage()).doesNotContain("\n").hasSizeLessThan(275);
        }
        assertThat(logs.heard(Logging.Error.class))
                .extracting(error -> String.valueOf(error.message()))
                .filteredOn(line -> line.contains("does not start"))
                .singleElement()
                .asString()
                .startsWith(JOURNAL + " does not start: Table " + table
                        + " does not exist. Create it with create-tables = on")
                .doesNotContain("\n");
    }

    @Test
    void oneLineShowsHowEachPluginWasStarted() {
        ch.qos.logback.classic.Logger logger =
                (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(OpenPlugins.class);
        logger.setLevel(Level.INFO);
        try {
            ActorSystem system = systems.start("akka { loglevel = INFO }, pekko { loglevel = INFO }");
            Probe logs = new Probe(system);
            system.eventStream().subscribe(logs.ref(), Logging.Info.class);
            assertThat(recover(system)).isInstanceOf(Ledger.Recovered.class);
            assertThat(recover(system)).isInstanceOf(Ledger.Recovered.class);

            String server = ", endpoint " + SERVER + ", region us-east-1, HTTP client ";
            assertThat(logs.heard(Logging.Info.class))
                    .extracting(info -> String.valueOf(info.message()))
                    .filteredOn(line -> line.contains(" started: "))
                    // Which one depends on whether the CRT's native library runs on this machine.
                    .map(line -> line.replaceFirst("(AwsCommonRuntime|NettyNio)$", ""))
                    .containsExactlyInAnyOrder(
                            "dynajournal.journal started: layout commits, table dynajournal_events" + server,
                            "dynajournal.snapshot started: layout commits, table dynajournal_snapshots" + server);
        } finally {
            logger.setLevel(null);
        }
    }

    @Test
    void missingRegionIsAnsweredWithItsKey() {
        String disabled = System.setProperty("aws.disableEc2Metadata", "true");
        try {
            assertThat(recoveryFailure(systems.start("dynajournal.client { endpoint = \"https://dynamo.example\" }")))
                    .isInstanceOf(StoreException.Refused.class)
                    .hasMessage(
                            "No AWS region is known. Set dynajournal.client.region, the environment variable AWS_REGION, or"
                                    + " a profile with a region. [runbook#refused]");
        } finally {
            if (disabled == null) {
                System.clearProperty("aws.disableEc2Metadata");
            }
        }
    }

    @Test
    void persistenceIdThatIsTooLongForAKeyIsRejectedBeforeTheEntityAcceptsCommands() {
        ActorSystem system = systems.start();
        Probe probe = new Probe(system);
        system.actorOf(Ledger.props("ä".repeat(1024), probe.ref()));
        probe.expect(Ledger.Recovered.class);

        system.actorOf(Ledger.props("ä".repeat(1024) + "x", probe.ref()));
        assertThat(probe.expect(Ledger.RecoveryFailed.class).cause())
                .isInstanceOf(StoreException.Refused.class)
                .hasMessageContaining("has 2049 bytes in UTF-8")
                .hasMessageContaining("at most 2048")
                .hasMessageContaining("Nothing was stored");
    }

    @Test
    void wrongSettingStaysWrong() {
        ActorSystem system = systems.start("dynajournal.journal.tabel = x");
        assertThat(recoveryFailure(system)).isInstanceOf(SettingsException.class);
        assertThat(recoveryFailure(system)).isInstanceOf(SettingsException.class);
    }

    @Test
    void writerNoticesThatItsTableWasRecreated() {
        ActorSystem system = systems.start("dynajournal.journal.table = \"" + table + "\"");
        assertThat(recover(system)).isInstanceOf(Ledger.Recovered.class);
        recoversWithoutARestart(system);

        Reads.result(Tables.recreate(system, JOURNAL));

        recoversWithoutARestart(system);
        try (DynamoDbAsyncClient client = Clients.open(ClientSettings.forEndpoint(SERVER))) {
            assertThat(Reads.result(client.scan(scan -> scan.tableName(table))).items())
                    .as("the events, and the registry of entity types")
                    .extracting(item -> Item.of(item).text("pid"))
                    .contains(id)
                    .anyMatch(pid -> !pid.equals(id));
        }
    }
}
