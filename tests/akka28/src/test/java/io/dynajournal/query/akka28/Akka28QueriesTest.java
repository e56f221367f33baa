package io.dynajournal.query.akka28;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.Props;
import akka.pattern.Patterns;
import akka.persistence.AbstractPersistentActor;
import akka.persistence.SaveSnapshotSuccess;
import akka.persistence.journal.Tagged;
import akka.persistence.query.NoOffset;
import akka.persistence.query.Offset;
import akka.persistence.query.PersistenceQuery;
import akka.persistence.query.typed.EventEnvelope;
import akka.persistence.query.typed.javadsl.CurrentEventsByPersistenceIdStartingFromSnapshotQuery;
import akka.persistence.query.typed.javadsl.CurrentEventsByPersistenceIdTypedQuery;
import akka.persistence.query.typed.javadsl.CurrentEventsBySliceStartingFromSnapshotsQuery;
import akka.persistence.query.typed.javadsl.EventsByPersistenceIdStartingFromSnapshotQuery;
import akka.persistence.query.typed.javadsl.EventsByPersistenceIdTypedQuery;
import akka.persistence.query.typed.javadsl.EventsBySliceStartingFromSnapshotsQuery;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With this artifact on the class path the read journal is found by each interface of Akka 2.8. */
final class Akka28QueriesTest {

    private static final String QUERY = "dynajournal.query";
    private static final Offset START = NoOffset.getInstance();

    private final String type = "Ledger" + UUID.randomUUID();
    private final String id = type + "|1";
    private final ActorSystem system =
            ActorSystem.create("test", ConfigFactory.parseString("""
                            akka.loglevel = WARNING
                            akka.persistence.journal.plugin = "dynajournal.journal"
                            akka.persistence.snapshot-store.plugin = "dynajournal.snapshot"
                            dynajournal { client.endpoint = embedded, snapshot.index.slices = on }
                            """).withFallback(ConfigFactory.load()));

    /** Takes events, and the text "save"; answers when it is done. */
    private static final class Ledger extends AbstractPersistentActor {
        private final String id;
        private ActorRef waiting = ActorRef.noSender();

        Ledger(String id) {
            this.id = id;
        }

        @Override
        public String persistenceId() {
            return id;
        }

        @Override
        public Receive createReceiveRecover() {
            return receiveBuilder().matchAny(event -> {}).build();
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .matchEquals("save", save -> {
                        waiting = getSender();
                        saveSnapshot("state at " + lastSequenceNr());
                    })
                    .match(SaveSnapshotSuccess.class, saved -> waiting.tell("saved", getSelf()))
                    .matchAny(event -> persist(event, stored -> getSender().tell("stored", getSelf())))
                    .build();
        }
    }

    @BeforeEach
    void write() {
        ActorRef ledger = system.actorOf(Props.create(Ledger.class, () -> new Ledger(id)));
        for (Object message : List.of("a", "b", "save", new Tagged("c", Set.of("red")))) {
            result(Patterns.ask(ledger, message, Duration.ofSeconds(30)));
        }
    }

    @AfterEach
    void stop() {
        system.terminate();
        result(system.getWhenTerminated());
    }

    private static <T> T result(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    private <Q extends akka.persistence.query.javadsl.ReadJournal> Q journal(Class<Q> query) {
        return PersistenceQuery.get(system).getReadJournalFor(query, QUERY);
    }

    private List<EventEnvelope<String>> first(int count, Source<EventEnvelope<String>, ?> source) {
        return result(source.take(count).runWith(Sink.seq(), system));
    }

    private static void assertFromSnapshot(List<EventEnvelope<String>> envelopes) {
        assertThat(envelopes).extracting(EventEnvelope::event).containsExactly("from state at 2", "c");
        assertThat(envelopes.get(0).source()).isEqualTo("SN");
        assertThat(envelopes.get(0).getTags()).isEmpty();
        assertThat(envelopes.get(1).source()).isEmpty();
        assertThat(envelopes.get(1).getTags()).containsExactly("red");
        assertThat(envelopes.get(1).filtered()).isFalse();
    }

    private static String event(String snapshot) {
        return "from " + snapshot;
    }

    @Test
    void theReadJournalForJavaHasTheInterfaces() {
        assertFromSnapshot(first(
                2,
                journal(EventsBySliceStartingFromSnapshotsQuery.class)
                        .eventsBySlicesStartingFromSnapshots(type, 0, 1023, START, Akka28QueriesTest::event)));
        assertFromSnapshot(first(
                3,
                journal(CurrentEventsBySliceStartingFromSnapshotsQuery.class)
                        .currentEventsBySlicesStartingFromSnapshots(type, 0, 1023, START, Akka28QueriesTest::event)));
        assertFromSnapshot(first(
                2,
                journal(EventsByPersistenceIdStartingFromSnapshotQuery.class)
                        .eventsByPersistenceIdStartingFromSnapshot(id, 0, 100, Akka28QueriesTest::event)));
        assertFromSnapshot(first(
                3,
                journal(CurrentEventsByPersistenceIdStartingFromSnapshotQuery.class)
                        .currentEventsByPersistenceIdStartingFromSnapshot(id, 0, 100, Akka28QueriesTest::event)));
        assertThat(first(
                        3,
                        journal(EventsByPersistenceIdTypedQuery.class).<String>eventsByPersistenceIdTyped(id, 0, 100)))
                .extracting(EventEnvelope::event)
                .containsExactly("a", "b", "c");
        assertThat(first(
                        4,
                        journal(CurrentEventsByPersistenceIdTypedQuery.class)
                                .<String>currentEventsByPersistenceIdTyped(id, 0, 100)))
                .extracting(EventEnvelope::event)
                .containsExactly("a", "b", "c");
    }

    @Test
    void theReadJournalForScalaHasTheInterfaces() {
        Object journal = PersistenceQuery.get(system).readJournalFor(QUERY);
        assertFromSnapshot(first(
                2,
                ((akka.persistence.query.typed.scaladsl.EventsBySliceStartingFromSnapshotsQuery) journal)
                        .<String, String>eventsBySlicesStartingFromSnapshots(
                                type, 0, 1023, START, Akka28QueriesTest::event)
                        .asJava()));
        assertThat(journal)
                .isInstanceOf(
                        akka.persistence.query.typed.scaladsl.CurrentEventsBySliceStartingFromSnapshotsQuery.class)
                .isInstanceOf(
                        akka.persistence.query.typed.scaladsl.EventsByPersistenceIdStartingFromSnapshotQuery.class)
                .isInstanceOf(
                        akka.persistence.query.typed.scaladsl.CurrentEventsByPersistenceIdStartingFromSnapshotQuery
                                .class)
                .isInstanceOf(akka.persistence.query.typed.scaladsl.EventsByPersistenceIdTypedQuery.class)
                .isInstanceOf(akka.persistence.query.typed.scaladsl.CurrentEventsByPersistenceIdTypedQuery.class);
    }
}
