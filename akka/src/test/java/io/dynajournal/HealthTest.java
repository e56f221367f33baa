package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.Persistence;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dynajournal.exception.StoreException;
import io.dynajournal.health.DynajournalHealth;
import io.dynajournal.health.PluginHealth;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.plugin.OpenPlugins;
import io.dynajournal.listener.ThrottlingReason;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.ProxiedRequest;
import io.dynajournal.testkit.RequestMatch;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** The health of plugins while DynamoDB answers, throttles, cannot be reached or has no table. */
final class HealthTest {

    private static final String JOURNAL = "dynajournal.journal";
    private static final String SNAPSHOTS = "dynajournal.snapshot";
    private static final RequestMatch CHECKS = RequestMatch.all().containing("#dynajournal/health");
    private static final String QUICK = "dynajournal.client { call-timeout = 1 s, call-attempt-timeout = 900 ms,"
            + " http.connection-acquisition-timeout = 800 ms }\n";

    @RegisterExtension
    static final LocalDynamo local = new LocalDynamo();

    @RegisterExtension
    final Systems systems = new Systems();

    private final FaultProxy proxy = Systems.proxy();
    private final String id = Systems.freshId();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @AfterEach
    void close() {
        ((Logger) LoggerFactory.getLogger(DynajournalHealth.class)).detachAppender(logged);
        proxy.close();
    }

    private static List<PluginHealth> check(ActorSystem system) {
        return Reads.result(DynajournalHealth.of(system).plugins());
    }

    private static PluginHealth journal(ActorSystem system) {
        return check(system).stream()
                .filter(state -> state.plugin().equals(JOURNAL))
                .findFirst()
                .orElseThrow();
    }

    /** Checks again until the plugins are as expected. */
    private static List<PluginHealth> await(ActorSystem system, Predicate<List<PluginHealth>> expected) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        List<PluginHealth> states = check(system);
        while (!expected.test(states)) {
            assertThat(System.nanoTime()).as("%s", states).isLessThan(end);
            states = check(system);
        }
        return states;
    }

    private static boolean areReady(List<PluginHealth> states) {
        return !states.isEmpty() && states.stream().allMatch(PluginHealth::ready);
    }

    /** As Management does it with the class that its settings name. */
    @SuppressWarnings("unchecked")
    private static Supplier<CompletionStage<Boolean>> byName(ActorSystem system) throws ReflectiveOperationException {
        return (Supplier<CompletionStage<Boolean>>) Class.forName("io.dynajournal.health.DynajournalHealth")
                .asSubclass(Supplier.class)
                .getDeclaredConstructor(ActorSystem.class)
                .newInstance(system);
    }

    private void listen() {
        Logger log = (Logger) LoggerFactory.getLogger(DynajournalHealth.class);
        log.setLevel(Level.INFO);
        log.addAppender(logged);
        logged.start();
    }

    @Test
    void noRequestIsSentWhileRequestsFlow() {
        ActorSystem system = systems.start(Systems.through(proxy));
        assertThat(check(system)).as("no plugin was used").isEmpty();
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);
        ledger.tell(new Ledger.Add("a"), ActorRef.noSender());
        probe.expect(Ledger.Added.class);

        assertThat(check(system))
                .allSatisfy(state -> {
                    assertThat(state.ready()).isTrue();
                    assertThat(state.lastSuccess()).isNotNull();
                    assertThat(state.lastFailure()).isNull();
                    assertThat(state.failure()).isNull();
                    assertThat(state.lastThrottled()).isNull();
                })
                .extracting(PluginHealth::plugin, PluginHealth::table)
                .containsExactly(tuple(JOURNAL, "dynajournal_events"), tuple(SNAPSHOTS, "dynajournal_snapshots"));
        assertThat(proxy.requests(CHECKS)).isEmpty();
    }

    @Test
    void aPluginThatOnlyStartedIsReadOnceForAllChecks() {
        ActorSystem system = systems.start(Systems.through(proxy) + "\n"
                + "akka { persistence.journal.auto-start-journals = [" + JOURNAL + "] }\n"
                + "pekko { persistence.journal.auto-start-journals = [" + JOURNAL + "] }");
        Persistence.get(system);
        assertThat(await(system, HealthTest::areReady))
                .singleElement()
                .extracting(PluginHealth::table)
                .isEqualTo("dynajournal_events");
        assertThat(proxy.requests(CHECKS))
                .singleElement()
                .extracting(ProxiedRequest::operation)
                .isEqualTo("Query");

        assertThat(areReady(check(system))).isTrue();
        assertThat(proxy.requests(CHECKS)).hasSize(1);
    }

    @Test
    void aLayoutThatMayNotQueryIsReadByKey() {
        Adopted adopted = new Adopted(local, systems);
        adopted.create(Layout.SCLASEN);
        ActorSystem system = adopted.start("adopted-sclasen", "", proxy.endpoint());
        OpenPlugins.get(system).journal("dynamodb-journal");
        assertThat(await(system, HealthTest::areReady))
                .singleElement()
                .extracting(PluginHealth::table)
                .isEqualTo(adopted.journal);
        assertThat(proxy.requests(CHECKS))
                .singleElement()
                .extracting(ProxiedRequest::operation)
                .isEqualTo("BatchGetItem");
    }

    @Test
    void aLostServerIsReportedAndLoggedOnceUntilItAnswersAgain() throws ReflectiveOperationException {
        listen();
        ActorSystem system = systems.start(QUICK + Systems.through(proxy));
        Supplier<CompletionStage<Boolean>> management = byName(system);
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);
        assertThat(Reads.result(management.get())).isTrue();

        proxy.when(RequestMatch.all()).always().loseRequest();
        ledger.tell(new Ledger.Add("a"), ActorRef.noSender());
        probe.expect(Ledger.Failed.class);
        assertThat(Reads.result(management.get())).isFalse();
        assertThat(Reads.result(management.get())).isFalse();
        PluginHealth lost = journal(system);
        assertThat(lost.ready()).isFalse();
        assertThat(lost.failure())
                .isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("dynajournal_events");
        assertThat(lost.lastFailure()).isAfter(lost.lastSuccess());

        proxy.clear();
        int before = proxy.requests(CHECKS).size();
        assertThat(Reads.result(management.get())).isTrue();
        PluginHealth again = journal(system);
        assertThat(again.ready()).isTrue();
        assertThat(again.lastSuccess()).isAfter(again.lastFailure());
        assertThat(again.failure()).isNotNull();
        assertThat(proxy.requests(CHECKS)).hasSize(before + 1);
        assertThat(logged.list)
                .extracting(
                        ILoggingEvent::getLevel,
                        event -> event.getFormattedMessage().replaceFirst(":.*", ""))
                .containsExactly(
                        tuple(Level.WARN, JOURNAL + " is not ready"), tuple(Level.INFO, JOURNAL + " is ready again"));
    }

    @Test
    void throttlingIsShownThoughTheRetrySucceeded() {
        ActorSystem system = systems.start(Systems.through(proxy));
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);
        proxy.when(RequestMatch.operation("PutItem").containing(id))
                .answer(ErrorAnswer.throughputExceeded("TableWriteProvisionedThroughputExceeded", "arn:of:the:table"));
        ledger.tell(new Ledger.Add("a"), ActorRef.noSender());
        probe.expect(Ledger.Added.class);

        PluginHealth journal = journal(system);
        assertThat(journal.ready()).isTrue();
        assertThat(journal.throttlingReason()).isEqualTo(ThrottlingReason.TABLE);
        assertThat(journal.lastThrottled()).isBeforeOrEqualTo(journal.lastSuccess());
        assertThat(journal.failure()).isNull();
    }

    @Test
    void aPluginWithoutItsTableIsNotReadyUntilTheTableIsThere() {
        String table = "t_" + UUID.randomUUID();
        ActorSystem system = systems.start("dynajournal.journal { table = \"" + table + "\", create-tables = off }");
        Probe probe = new Probe(system);
        system.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.RecoveryFailed.class);

        PluginHealth missing = journal(system);
        assertThat(missing.ready()).isFalse();
        assertThat(missing.table()).isNull();
        assertThat(missing.failure()).hasMessageContaining("Table " + table + " does not exist");

        Reads.result(Tables.create(system, JOURNAL));
        assertThat(await(system, HealthTest::areReady))
                .extracting(PluginHealth::table)
                .contains(table);
    }
}
