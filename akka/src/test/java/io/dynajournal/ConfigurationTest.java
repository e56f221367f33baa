package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.event.Logging;
import io.dynajournal.dynamo.Capacity;
import io.dynajournal.dynamo.ClientSettings;
import io.dynajournal.dynamo.Clients;
import io.dynajournal.dynamo.Operation;
import io.dynajournal.dynamo.RequestListener;
import io.dynajournal.dynamo.TableSpec;
import io.dynajournal.layout.commits.CommitsJournal;
import io.dynajournal.layout.commits.CommitsSnapshots;
import io.dynajournal.settings.ClientConfig;
import io.dynajournal.settings.SettingsException;
import io.dynajournal.store.StoreException;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
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
    void missingTableIsExplained() {
        ActorSystem system = systems.start("dynajournal.journal { create-tables = off, table = \"" + table + "\" }");

        assertThat(recoveryFailure(system))
                .isInstanceOf(StoreException.Refused.class)
                .hasMessageContaining(table)
                .hasMessageContaining("does not exist")
                .hasMessageContaining("aws dynamodb create-table");
    }

    @Test
    void tableMadeInTimeIsFound() {
        ActorSystem system = systems.start("dynajournal.journal { create-tables = off, table = \"" + table + "\" }");
        recoveryFailure(system);

        Tables.create(system, JOURNAL, false).toCompletableFuture().join();
        adds(system, JOURNAL);
    }

    @Test
    void tableOfAnotherShapeIsExplained() {
        DynamoDbAsyncClient client = Dynajournal.get(systems.start()).client(CLIENT);
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
        Tables.create(system, JOURNAL, false).toCompletableFuture().join();
        adds(system, JOURNAL);
        assertThat(Stored.events(system, table, id)).hasSize(1);

        Tables.create(system, JOURNAL, false).toCompletableFuture().join();
        assertThat(Stored.events(system, table, id)).hasSize(1);

        Tables.create(Adapter.toTyped(system), JOURNAL, true)
                .toCompletableFuture()
                .join();
        assertThat(Stored.events(system, table, id)).isEmpty();
    }

    @Test
    void tablesAreDescribedByPluginId() {
        ActorSystem system = systems.start("other-journal.index { slices = off }");

        TableSpec other = Tables.describe(system, "other-journal");
        assertThat(other.name()).isEqualTo("other_events");
        assertThat(other.indexes()).extracting(TableSpec.Index::name).containsExactly(CommitsJournal.ID_INDEX);
        assertThat(Tables.describe(system, "other-snapshot"))
                .isEqualTo(CommitsSnapshots.of("other_snapshots").table());
    }

    @Test
    void unknownPluginIdIsRefused() {
        CompletableFuture<Void> created =
                Tables.create(systems.start(), "no-such-plugin", false).toCompletableFuture();

        assertThatThrownBy(created::join)
                .hasCauseInstanceOf(SettingsException.class)
                .hasMessageContaining("no-such-plugin.class");
    }

    @Test
    void pluginsShareTheClientOfTheirConfiguration() {
        Dynajournal dynajournal = Dynajournal.get(systems.start());

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
            Dynajournal.get(system).client(CLIENT).listTables().join();
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
    void absentEmbeddedServerIsExplained() {
        ClientConfig embedded = ClientConfig.of(Systems.settings(""), CLIENT);

        assertThatThrownBy(() -> OpenClient.embedded(embedded, ClassLoader.getPlatformClassLoader()))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("dynajournal.client.endpoint")
                .hasMessageContaining("io.dynajournal:dynajournal-local");
    }

    @Test
    void listenerGivenInCodeHearsOfRequests() {
        Map<String, Integer> heard = new ConcurrentHashMap<>();
        RequestListener listener = new RequestListener() {
            @Override
            public void succeeded(Operation operation, String name, int attempts, long nanos, Capacity capacity) {
                heard.merge(operation + " " + name, 1, Integer::sum);
            }
        };
        adds(systems.start("", DynajournalSetup.create().withRequestListener(listener)), JOURNAL);

        assertThat(heard).containsEntry("PUT dynajournal_events", 1).containsKey("QUERY dynajournal_events");
    }

    @Test
    void givenClientNeedsItsBlock() {
        DynamoDbAsyncClient given = Dynajournal.get(systems.start()).client(CLIENT);
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

    @Test
    void unreachableServerIsTriedAgain() {
        ActorSystem system = systems.start("dynajournal.client.endpoint = \"http://localhost:1\"");

        for (int attempt = 0; attempt < 2; attempt++) {
            assertThat(recoveryFailure(system))
                    .isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("could not be checked");
        }
    }
}
