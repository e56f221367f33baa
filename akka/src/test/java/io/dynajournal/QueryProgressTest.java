package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.journal.Tagged;
import akka.persistence.query.EventEnvelope;
import akka.persistence.query.NoOffset;
import akka.testkit.javadsl.TestKit;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dynajournal.exception.StoreException;
import io.dynajournal.health.DynajournalHealth;
import io.dynajournal.listener.QueryListener;
import io.dynajournal.query.javadsl.DynajournalReadJournal;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** What the listener and the log learn of queries, and how live queries survive failures. */
final class QueryProgressTest {

    /** Reads through a client with short timeouts, beside the one that writes. */
    private static final String QUICK = """
            quick-client = ${dynajournal.client}
            quick-client { call-timeout = 1 s, call-attempt-timeout = 900 ms, http.connection-acquisition-timeout = 800 ms }
            quick-journal = ${dynajournal.journal}
            quick-journal.use-client = quick-client
            quick-query = ${dynajournal.query}
            quick-query { journal-plugin-id = quick-journal, refresh-interval = 200 ms, idle-refresh-interval = 200 ms }
            """;

    @RegisterExtension
    final Systems systems = new Systems();

    private final FaultProxy proxy = Systems.proxy();
    private final Heard heard = new Heard();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.dynajournal.internal.query");
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    private static final class Heard implements QueryListener {
        final Queue<Progress> progress = new ConcurrentLinkedQueue<>();
        final Queue<Stuck> stuck = new ConcurrentLinkedQueue<>();

        @Override
        public void progressed(Progress reported) {
            progress.add(reported);
        }

        @Override
        public void stuck(Stuck reported) {
            stuck.add(reported);
        }
    }

    @BeforeEach
    void listen() {
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void close() {
        logger.detachAppender(logged);
        proxy.close();
    }

    private Reads start(String overrides) {
        return start(overrides, heard);
    }

    private Reads start(String overrides, QueryListener listener) {
        ActorSystem system = systems.start(
                Systems.through(proxy) + "\n" + Reads.freshTable() + overrides,
                DynajournalSetup.create().withQueryListener(listener));
        Reads.result(Tables.create(system, "dynajournal.journal"));
        Reads.result(Tables.create(system, "dynajournal.snapshot"));
        return new Reads(system);
    }

    private List<String> warnings() {
        return List.copyOf(logged.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private void await(Reads reads, java.util.function.Supplier<Boolean> condition) {
        new TestKit(reads.system()).awaitCond(Duration.ofSeconds(60), Duration.ofMillis(50), condition::get);
    }

    @Test
    void theListenerReceivesTheProgressOfAQuery() {
        Reads reads = start("");
        ActorRef ledger = reads.ledger(Systems.freshId());
        reads.add(ledger, "a", "b", "c");
        Instant written = Instant.now();
        Reads.Consumer<akka.persistence.query.typed.EventEnvelope<String>> consumer =
                reads.consumer(reads.journal().<String>eventsBySlices("Ledger", 0, 1023, NoOffset.getInstance()));
        consumer.next(3);
        // The consumer has received all of them and demands more, so the query reads up to now.
        assertThat(consumer.nextWithin(Duration.ofMillis(10))).isNull();
        await(
                reads,
                () -> heard.progress.stream()
                        .anyMatch(at -> at.delivered() == 3 && at.readTo().isAfter(written)));
        // DynamoDB Local's index is not always up to date, so a commit may be shown before its predecessor.
        assertThat(heard.progress)
                .extracting(QueryListener.Progress::gaps)
                .isSorted()
                .allMatch(gaps -> gaps <= 2);
        assertThat(heard.progress)
                .allMatch(at -> at.query().equals("live query of entity type \"Ledger\" by slices 0 to 1023"));
        assertThat(heard.stuck).isEmpty();
        consumer.stop();
    }

    @Test
    void aQueryThatIsStuckIsReportedAndContinues() {
        Reads reads = start(QUICK);
        String id = Systems.freshId();
        ActorRef ledger = reads.ledger(id);
        reads.add(ledger, "a");
        Reads.Consumer<akka.persistence.query.typed.EventEnvelope<String>> bySlices = reads.consumer(
                reads.journal("quick-query").<String>eventsBySlices("Ledger", 0, 1023, NoOffset.getInstance()));
        Reads.Consumer<EventEnvelope> byId =
                reads.consumer(reads.journal("quick-query").eventsByPersistenceId(id, 0, Long.MAX_VALUE));
        assertThat(bySlices.next().event()).isEqualTo("a");
        assertThat(byId.next().event()).isEqualTo("a");

        Instant failing = Instant.now();
        proxy.when(RequestMatch.operation("Query")).always().answer(ErrorAnswer.internalServerError());
        assertThat(bySlices.nextWithin(Duration.ofMillis(10))).isNull();
        assertThat(byId.nextWithin(Duration.ofMillis(10))).isNull();
        await(
                reads,
                () -> warnings().stream().anyMatch(line -> line.contains("by slices 0 to 1023 is stuck"))
                        && warnings().stream().anyMatch(line -> line.contains("query of " + id + " is stuck")));
        await(reads, () -> heard.stuck.size() > 20);
        assertThat(heard.stuck).allSatisfy(stuck -> {
            assertThat(stuck.cause()).isInstanceOf(StoreException.Unavailable.class);
            assertThat(stuck.retryAfter()).isEqualTo(Duration.ofMillis(200));
        });
        DynajournalHealth health = DynajournalHealth.of(reads.system());
        assertThat(health.queries())
                .anySatisfy(query -> assertThat(query.query()).contains("by slices 0 to 1023"))
                .allSatisfy(query -> assertThat(query.failure()).isInstanceOf(StoreException.Unavailable.class));
        // Sixteen partitions and many attempts, but at most a line per query and 30 seconds.
        long queriesByWarnings =
                2 * (1 + Duration.between(failing, Instant.now()).dividedBy(Duration.ofSeconds(30)));
        assertThat(warnings().stream().filter(line -> line.contains("is stuck")).count())
                .isBetween(2L, queriesByWarnings);

        proxy.clear();
        reads.add(ledger, "b");
        assertThat(bySlices.next().event()).isEqualTo("b");
        assertThat(byId.next().event()).isEqualTo("b");
        await(
                reads,
                () -> health.queries().stream()
                        .anyMatch(query -> query.query().contains("by slices")
                                && query.delivered() == 2
                                && query.failure() == null));
        bySlices.stop();
        byId.stop();
    }

    @Test
    void aListenerThatThrowsDoesNotBreakAQueryAndIsLoggedOnce() {
        QueryListener throwing = new QueryListener() {
            @Override
            public void progressed(Progress progress) {
                throw new IllegalStateException("listener failed");
            }

            @Override
            public void stuck(Stuck stuck) {
                throw new AssertionError("listener failed");
            }
        };
        Reads reads = start(QUICK, throwing);
        ActorRef ledger = reads.ledger(Systems.freshId());
        reads.add(ledger, "a");
        Reads.Consumer<akka.persistence.query.typed.EventEnvelope<String>> consumer = reads.consumer(
                reads.journal("quick-query").<String>eventsBySlices("Ledger", 0, 1023, NoOffset.getInstance()));
        assertThat(consumer.next().event()).isEqualTo("a");

        proxy.when(RequestMatch.operation("Query")).always().answer(ErrorAnswer.internalServerError());
        assertThat(consumer.nextWithin(Duration.ofMillis(10))).isNull();
        await(reads, () -> warnings().stream().anyMatch(line -> line.contains("is stuck")));
        proxy.clear();
        reads.add(ledger, "b");
        assertThat(consumer.next().event()).isEqualTo("b");
        assertThat(warnings()).filteredOn(line -> line.contains("has thrown")).hasSize(1);
        consumer.stop();
    }

    /** The plugin cannot check its table when the queries start. */
    @Test
    void liveQueriesStartedWhileDynamoDbCannotBeReachedWaitForIt() {
        proxy.when(RequestMatch.all()).always().loseRequest();
        Reads reads = new Reads(systems.start(
                Systems.through(proxy) + "\n" + Reads.freshTable()
                        + "dynajournal.client { call-timeout = 2 s, call-attempt-timeout = 500 ms, http.connection-acquisition-timeout ="
                        + " 400 ms }",
                DynajournalSetup.create().withQueryListener(heard)));
        String id = Systems.freshId();
        DynajournalReadJournal queries = reads.journal();
        Reads.Consumer<akka.persistence.query.typed.EventEnvelope<String>> bySlices =
                reads.consumer(queries.<String>eventsBySlices("Ledger", 0, 1023, NoOffset.getInstance()));
        Reads.Consumer<EventEnvelope> byTag = reads.consumer(queries.eventsByTag("red", NoOffset.getInstance()));
        Reads.Consumer<EventEnvelope> byId = reads.consumer(queries.eventsByPersistenceId(id, 0, Long.MAX_VALUE));
        Reads.Consumer<String> ids = reads.consumer(queries.persistenceIds());
        assertThat(bySlices.nextWithin(Duration.ofMillis(10))).isNull();
        assertThat(byTag.nextWithin(Duration.ofMillis(10))).isNull();
        assertThat(byId.nextWithin(Duration.ofMillis(10))).isNull();
        assertThat(ids.nextWithin(Duration.ofMillis(10))).isNull();
        await(
                reads,
                () -> heard.stuck.stream()
                                .map(QueryListener.Stuck::query)
                                .distinct()
                                .count()
                        == 4);
        assertThatThrownBy(() -> reads.all(queries.currentEventsByPersistenceId(id, 0, Long.MAX_VALUE)))
                .hasCauseInstanceOf(StoreException.Unavailable.class);

        proxy.clear();
        Reads.result(Tables.create(reads.system(), "dynajournal.snapshot"));
        ActorRef ledger = reads.ledger(id);
        reads.add(ledger, new Tagged("a", Set.of("red")));
        assertThat(bySlices.next().event()).isEqualTo("a");
        assertThat(byTag.next().event()).isEqualTo("a");
        assertThat(byId.next().event()).isEqualTo("a");
        assertThat(ids.next()).isEqualTo(id);
        bySlices.stop();
        byTag.stop();
        byId.stop();
        ids.stop();
    }

    @Test
    void aLiveQueryOfIdsThatIsStuckContinues() {
        Reads reads = start(QUICK);
        String first = Systems.freshId();
        reads.add(reads.ledger(first), "a");
        Reads.Consumer<String> ids = reads.consumer(reads.journal("quick-query").persistenceIds());
        assertThat(ids.next()).isEqualTo(first);
        proxy.when(RequestMatch.operation("Query").containing("\"IndexName\":\"ids\""))
                .always()
                .answer(ErrorAnswer.internalServerError());
        String second = Systems.freshId();
        reads.add(reads.ledger(second), "a");
        assertThat(ids.nextWithin(Duration.ofMillis(10))).isNull();
        await(reads, () -> !heard.stuck.isEmpty());
        proxy.clear();
        assertThat(ids.next()).isEqualTo(second);
        ids.stop();
    }
}
