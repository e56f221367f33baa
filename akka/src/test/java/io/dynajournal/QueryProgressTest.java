package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.query.EventEnvelope;
import akka.persistence.query.NoOffset;
import akka.testkit.javadsl.TestKit;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.RequestMatch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** What metrics and the log learn of queries. */
final class QueryProgressTest {

    /** Reads through a client that soon gives up, beside the one that writes. */
    private static final String QUICK = """
            quick-client = ${dynajournal.client}
            quick-client { call-timeout = 1 s, attempt-timeout = 900 ms }
            quick-journal = ${dynajournal.journal}
            quick-journal.use-client = quick-client
            quick-query = ${dynajournal.query}
            quick-query { journal-plugin-id = quick-journal, refresh-interval = 200 ms, idle-refresh-interval = 200 ms }
            """;

    @RegisterExtension
    final Systems systems = new Systems();

    private final FaultProxy proxy = Systems.proxy();
    private final Heard heard = new Heard();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.dynajournal.query");
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    private static final class Heard implements QueryListener {
        final Queue<Progress> progress = new ConcurrentLinkedQueue<>();
        final Queue<String> stuck = new ConcurrentLinkedQueue<>();

        @Override
        public void progressed(Progress where) {
            progress.add(where);
        }

        @Override
        public void stuck(String query, Throwable cause) {
            stuck.add(query);
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
        ActorSystem system = systems.start(
                Systems.through(proxy) + "\n" + Reads.freshTable() + overrides,
                DynajournalSetup.create().withQueryListener(heard));
        Reads.result(Tables.create(system, "dynajournal.journal", false));
        Reads.result(Tables.create(system, "dynajournal.snapshot", false));
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
    void theListenerSeesHowFarAQueryIs() {
        Reads reads = start("");
        ActorRef ledger = reads.ledger(Systems.freshId());
        reads.add(ledger, "a", "b", "c");
        Instant written = Instant.now();
        Reads.Consumer<akka.persistence.query.typed.EventEnvelope<String>> consumer =
                reads.consumer(reads.journal().<String>eventsBySlices("Ledger", 0, 1023, NoOffset.getInstance()));
        consumer.next(3);
        // A consumer that has had all of them and asks for more: everything is read up to a moment ago.
        assertThat(consumer.nextWithin(Duration.ofMillis(10))).isNull();
        await(
                reads,
                () -> heard.progress.stream()
                        .anyMatch(at -> at.delivered() == 3 && at.readTo().isAfter(written) && at.missed() == 0));
        assertThat(heard.progress)
                .allMatch(at -> at.query().equals("live query of entity type \"Ledger\" by slices 0 to 1023"));
        assertThat(heard.stuck).isEmpty();
        consumer.stop();
    }

    @Test
    void aQueryThatIsStuckSaysSoAndGoesOn() {
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

        proxy.when(RequestMatch.operation("Query")).always().answer(ErrorAnswer.internalServerError());
        assertThat(bySlices.nextWithin(Duration.ofMillis(10))).isNull();
        assertThat(byId.nextWithin(Duration.ofMillis(10))).isNull();
        await(
                reads,
                () -> warnings().stream().anyMatch(line -> line.contains("by slices 0 to 1023 is stuck"))
                        && warnings().stream().anyMatch(line -> line.contains("query of " + id + " is stuck")));
        await(reads, () -> heard.stuck.size() > 20);
        // Sixteen partitions and many attempts, but a line for each query.
        assertThat(warnings()).hasSize(2);

        proxy.clear();
        reads.add(ledger, "b");
        assertThat(bySlices.next().event()).isEqualTo("b");
        assertThat(byId.next().event()).isEqualTo("b");
        bySlices.stop();
        byId.stop();
    }
}
