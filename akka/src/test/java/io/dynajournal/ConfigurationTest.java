package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.Done;
import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.event.Logging;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.ClientSettings;
import io.dynajournal.internal.dynamo.Clients;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.layout.commits.CommitsSnapshots;
import io.dynajournal.internal.plugin.OpenPlugins;
import io.dynajournal.listener.RequestEvent;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** What the settings do to a running system. */
final class ConfigurationTest {

    private static final String CLIENT = "dynajournal.client";
    private static final String JOURNAL = "dynajournal.journal";

    @RegisterExtension
    final Systems systems = new Systems();

    private final String id = Systems.freshId();
    private final String table = "t_" + UUID.randomUUID();

    private Throwable recoveryFailure(ActorSystem system) {
        Probe probe = new Probe(system);
        system.actorOf(Ledger.props(id, probe.ref()));
        return probe.expect(Ledger.RecoveryFailed.class).cause();
    }

    private void adds(ActorSystem system, String journal) {
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref(), journal, ""));
        probe.expect(Ledger.Recovered.class);
        ledger.tell(new Ledger.Add("a"), ActorRef.noSender());
        probe.expect(Ledger.Added.class);
    }

    @Test
    void wrongSettingFailsEntitiesAtOnceAndIsLoggedOnceWithoutSecrets() {
        ActorSystem system = systems.start("dynajournal.client.credentials { secret-access-key = hush-hush }");
        Probe logs = new Probe(system);
        system.eventStream().subscribe(logs.ref(), Logging.Error.class);

        for (int i = 0; i < 3; i++) {
            assertThat(recoveryFailure(system))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageContaining("dynajournal.client.credentials.secret-access-key")
                    .hasMessageContaining("provider is default and not static")
                    .hasMessageNotContaining("hush-hush");
        }
        List<String> lines = logs.heard(Logging.Error.class).stream()
                .map(error -> String.valueOf(error.message()))
                .toList();
        assertThat(lines)
                .filteredOn(line -> line.startsWith("dynajournal.snapshot does not start: Setting dynajournal.client"))
                .hasSize(1);
        assertThat(lines).noneMatch(line -> line.contains("hush-hush"));
    }

    @Test
    void tableCreatedAfterAFailedStartIsUsedImmediately() {
        ActorSystem system = systems.start("dynajournal.journal { create-tables = off, table = \"" + table + "\" }");
        recoveryFailure(system);

        Tables.create(system, JOURNAL).toCompletableFuture().join();
        adds(system, JOURNAL);
    }

    @Test
    void tableOfAnotherShapeIsExplained() {
        DynamoDbAsyncClient client = OpenPlugins.get(systems.start()).client(CLIENT);
        client.createTable(create -> create.tableName(table)
                        .billingMode(BillingMode.PAY_PER_REQUEST)
                        .attributeDefinitions(AttributeDefinition.builder()
                                .attributeName("key")
                                .attributeType(ScalarAttributeType.S)
                                .build())
                        .keySchema(KeySchemaElement.builder()
                                .attributeName("key")
                                .keyType(KeyType.HASH)
                                .build()))
                .join();

        assertThat(recoveryFailure(systems.start("dynajournal.journal.table = \"" + table + "\"")))
                .isInstanceOf(StoreException.Refused.class)
                .hasMessageContaining(table)
                .hasMessageContaining("(key S), not (pid S, seq N)");
    }

    @Test
    void tablesAreCreatedByPluginIdForClassicAndTypedSystems() {
        ActorSystem system = systems.start("dynajournal.journal.table = \"" + table + "\"");
        Tables.create(system, JOURNAL).toCompletableFuture().join();
        adds(system, JOURNAL);
        assertThat(Stored.events(system, table, id)).hasSize(1);

        Tables.create(system, JOURNAL).toCompletableFuture().join();
        assertThat(Stored.events(system, table, id)).hasSize(1);

        Tables.recreate(Adapter.toTyped(system), JOURNAL).toCompletableFuture().join();
        assertThat(Stored.events(system, table, id)).isEmpty();
    }

    @Test
    void tablesAreDescribedByPluginId() {
        ActorSystem system = systems.start("other-journal.index { slices = off }");

        TableDescription other = Tables.describe(system, "other-journal");
        assertThat(other.name()).isEqualTo("other_events");
        assertThat(other.indexes()).containsExactly(CommitsJournal.ID_INDEX);
        assertThat(other.awsCommands())
                .isEqualTo(new CommitsJournal(
                                "other_events", false, true, 16, true, 390 << 10, 4000, 4, Duration.ofDays(30))
                        .table()
                        .awsCommands())
                .startsWith("aws dynamodb create-table");
        assertThat(Tables.describe(system, "other-snapshot"))
                .isEqualTo(new TableDescription(
                        "other_snapshots",
                        List.of(),
                        CommitsSnapshots.of("other_snapshots").table().awsCommands()));
    }

    @Test
    void awsCommandsHaveTheEndpointAndTheRegionOfTheSettings() {
        ActorSystem system =
                systems.start("dynajournal.client { endpoint = \"http://localhost:8123\", region = eu-central-1 }");

        assertThat(Tables.describe(system, JOURNAL).awsCommands())
                .contains("aws dynamodb create-table --endpoint-url http://localhost:8123 --region eu-central-1 \\\n")
                .contains(
                        "aws dynamodb update-time-to-live --endpoint-url http://localhost:8123 --region eu-central-1 \\\n");
    }

    @Test
    void tablesAreVerifiedByPluginId() {
        ActorSystem system = systems.start("dynajournal.journal.table = \"" + table + "\"");
        assertThatThrownBy(() ->
                        Tables.verify(system, JOURNAL).toCompletableFuture().join())
                .hasCauseInstanceOf(StoreException.Refused.class)
                .hasMessageContaining(table + " does not exist");

        Tables.create(system, JOURNAL).toCompletableFuture().join();
        assertThat(Tables.verify(system, JOURNAL).toCompletableFuture()).succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void unknownPluginIdIsRefused() {
        CompletableFuture<Done> created =
                Tables.create(systems.start(), "no-such-plugin").toCompletableFuture();

        assertThatThrownBy(created::join)
                .hasCauseInstanceOf(SettingsException.class)
                .hasMessageContaining("no-such-plugin.class");
    }

    @Test
    void pluginsShareTheClientOfTheirConfiguration() {
        OpenPlugins dynajournal = OpenPlugins.get(systems.start());

        assertThat(dynajournal.client(CLIENT))
                .isSameAs(dynajournal.client(CLIENT))
                .isNotSameAs(dynajournal.client("other-client"));
    }

    @Test
    void clientGivenInCodeIsUsedAndLeftOpen() {
        try (FaultProxy proxy = Systems.proxy();
                DynamoDbAsyncClient given = Clients.open(ClientSettings.forEndpoint(proxy.endpoint()))) {
            ActorSystem system = systems.start("", DynajournalSetup.create().withClient("other-client", given));

            adds(system, "other-journal");
            assertThat(proxy.requests(RequestMatch.operation("PutItem").containing("other_events")))
                    .isNotEmpty();
            int requests = proxy.requests().size();
            adds(systems.start(), JOURNAL);
            assertThat(proxy.requests()).hasSize(requests);
            systems.stop(system);
            assertThat(given.listTables().join().tableNames()).contains("other_events");
        }
    }

    @Test
    void clientOfOursIsClosedWithTheActorSystem() {
        try (FaultProxy proxy = Systems.proxy()) {
            ActorSystem system = systems.start(Systems.through(proxy));
            OpenPlugins.get(system).client(CLIENT).listTables().join();
            assertThat(proxy.connections()).isPositive();
            systems.stop(system);

            // It is closed on a thread of its own, and its connections with it.
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (proxy.connections() > 0) {
                assertThat(System.nanoTime()).isLessThan(end);
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void listenerGivenInCodeHearsOfRequests() {
        Map<String, Integer> heard = new ConcurrentHashMap<>();
        RequestListener listener = new RequestListener() {
            @Override
            public void onRequest(RequestEvent event) {
                heard.merge(event.operation() + " " + event.table(), 1, Integer::sum);
            }
        };
        adds(systems.start("", DynajournalSetup.create().withRequestListener(listener)), JOURNAL);

        assertThat(heard).containsEntry("PUT dynajournal_events", 1).containsKey("QUERY dynajournal_events");
    }

    @Test
    void givenClientNeedsItsBlock() {
        DynamoDbAsyncClient given = OpenPlugins.get(systems.start()).client(CLIENT);
        ActorSystem system = systems.start("", DynajournalSetup.create().withClient("dynajournal.cleint", given));

        assertThat(recoveryFailure(system))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("dynajournal.cleint");
    }

    @Test
    void replayDispatcherMustExist() {
        assertThat(recoveryFailure(systems.start("dynajournal.journal.replay-dispatcher = nowhere")))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("dynajournal.journal.replay-dispatcher")
                .hasMessageContaining("nowhere");
    }
}
