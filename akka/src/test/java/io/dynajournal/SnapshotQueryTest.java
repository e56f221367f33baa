package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.query.NoOffset;
import akka.persistence.query.Offset;
import akka.persistence.query.PersistenceQuery;
import akka.persistence.query.TimestampOffset;
import akka.persistence.query.typed.EventEnvelope;
import akka.stream.javadsl.Source;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.plugin.OpenPlugins;
import io.dynajournal.internal.toolkit.PayloadSerde;
import io.dynajournal.query.javadsl.DynajournalReadJournal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import scala.jdk.javaapi.FutureConverters;

/** Queries that start from snapshots, on a running system. */
@SuppressWarnings("NullAway.Init") // start() assigns the fields
final class SnapshotQueryTest {

    private static final long MAX = Long.MAX_VALUE;

    /** A resumed query goes back by a few milliseconds only. */
    private static final String SHORT_WINDOW = """
            dynajournal.query { refresh-interval = 1 ms, idle-refresh-interval = 1 ms, backtracking.window = 1 ms }
            """;

    @RegisterExtension
    final Systems systems = new Systems();

    private ActorSystem system;
    private Reads reads;
    private DynajournalReadJournal queries;

    @BeforeEach
    void start() {
        start("dynajournal.snapshot.index.slices = on\n");
    }

    private void start(String overrides) {
        system = systems.start(
                Reads.freshTable() + "dynajournal.snapshot.table = \"s_" + UUID.randomUUID() + "\"\n" + overrides);
        Reads.result(Tables.create(system, "dynajournal.journal"));
        Reads.result(Tables.create(system, "dynajournal.snapshot"));
        reads = new Reads(system);
        queries = reads.journal();
    }

    private Source<EventEnvelope<String>, ?> current(Offset offset) {
        return queries.currentEventsBySlicesStartingFromSnapshots(
                "Ledger", 0, 1023, offset, SnapshotQueryTest::fromSnapshot);
    }

    private static String fromSnapshot(String state) {
        return "state " + state;
    }

    /** By persistence id, in the order of delivery. */
    private static Map<String, List<String>> byId(List<EventEnvelope<String>> envelopes) {
        Map<String, List<String>> texts = new TreeMap<>();
        envelopes.forEach(envelope -> texts.computeIfAbsent(envelope.persistenceId(), id -> new ArrayList<>())
                .add(envelope.sequenceNr() + " " + envelope.event()));
        return texts;
    }

    @Test
    void afterDeletesNoEntityIsMissingInANewQueryNorInARestartedOne() {
        List<String> ids =
                IntStream.range(0, 5).mapToObj(i -> Systems.freshId()).toList();
        List<ActorRef> ledgers = ids.stream().map(reads::ledger).toList();
        ledgers.forEach(ledger -> reads.addAll(ledger, "a", "b"));
        // 0 has no snapshot, 1 keeps its events, 2 has nothing but the snapshot.
        for (int i = 1; i < 5; i++) {
            reads.save(ledgers.get(i));
        }
        for (int i = 2; i < 5; i++) {
            reads.deleteTo(ledgers.get(i), 2);
        }
        reads.add(ledgers.get(3), "c");
        reads.add(ledgers.get(4), "c");
        reads.save(ledgers.get(4));
        reads.deleteTo(ledgers.get(4), 3);
        reads.add(ledgers.get(4), "d");

        Map<String, List<String>> expected = new TreeMap<>(Map.of(
                ids.get(0), List.of("1 a", "2 b"),
                ids.get(1), List.of("2 state a,b"),
                ids.get(2), List.of("2 state a,b"),
                ids.get(3), List.of("2 state a,b", "3 c"),
                ids.get(4), List.of("3 state a,b,c", "4 d")));
        List<EventEnvelope<String>> all = reads.all(current(NoOffset.getInstance()));
        assertThat(byId(all)).isEqualTo(expected);

        // From the offset of a snapshot everything is delivered again: events of any time were still to come.
        for (EventEnvelope<String> envelope : all) {
            if (envelope.event().startsWith("state")) {
                assertThat(byId(reads.all(current(envelope.offset())))).isEqualTo(expected);
            }
        }

        // Deleted while the consumer is stopped.
        Offset stopped = all.get(all.size() - 1).offset();
        reads.add(ledgers.get(0), "c");
        reads.save(ledgers.get(0));
        reads.deleteTo(ledgers.get(0), 3);
        assertThat(byId(reads.all(current(stopped)))).containsEntry(ids.get(0), List.of("3 state a,b,c"));
    }

    @Test
    void aResumedQueryReadsTheSnapshotsThatMayContainUndeliveredEvents() {
        start("dynajournal.snapshot.index.slices = on\n" + SHORT_WINDOW);
        String early = Systems.freshId();
        String old = Systems.freshId();
        String fresh = Systems.freshId();
        reads.add(reads.ledger(early), "x");
        windowPasses();
        ActorRef oldLedger = reads.ledger(old);
        reads.add(oldLedger, "a");
        reads.save(oldLedger);
        ActorRef ledger = reads.ledger(fresh);
        reads.add(ledger, "a");
        List<EventEnvelope<String>> all = reads.all(current(NoOffset.getInstance()));
        assertThat(all).extracting(EventEnvelope::persistenceId).containsExactly(old, early, fresh);
        // Older events were still to come when the snapshot was delivered.
        assertThat(byId(reads.all(current(all.get(0).offset())))).isEqualTo(byId(all));

        windowPasses();
        reads.add(ledger, "b");
        // The snapshot of the old one may come again: it may have been saved within the window before that offset.
        Offset later = reads.all(current(all.get(2).offset())).stream()
                .filter(envelope -> envelope.persistenceId().equals(fresh) && envelope.sequenceNr() == 2)
                .map(EventEnvelope::offset)
                .findFirst()
                .orElseThrow();
        reads.add(ledger, "c");
        reads.save(ledger);
        reads.deleteTo(ledger, 3);
        assertThat(byId(reads.all(current(later)))).isEqualTo(Map.of(fresh, List.of("3 state a,b,c")));
    }

    private static void windowPasses() {
        Instant passed = Instant.now().plusMillis(100);
        while (Instant.now().isBefore(passed)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aSnapshotInsideAnAtomicWriteReplacesOnlyTheEventsUpToIt() {
        String id = Systems.freshId();
        ActorRef ledger = reads.ledger(id);
        reads.addAll(ledger, "a", "b", "c");
        Reads.result(new PayloadSerde(system)
                .payload("a,b")
                .thenCompose(payload -> OpenPlugins.get(system)
                        .snapshots("dynajournal.snapshot")
                        .use(opened -> opened.table().save(new StoredSnapshot(id, 2, 1, payload, null)))));
        assertThat(byId(reads.all(current(NoOffset.getInstance()))))
                .isEqualTo(Map.of(id, List.of("2 state a,b", "3 c")));
    }

    @Test
    void aLiveQueryContinuesWithLaterEvents() {
        String id = Systems.freshId();
        ActorRef ledger = reads.ledger(id);
        reads.addAll(ledger, "a", "b");
        reads.save(ledger);
        Reads.Consumer<EventEnvelope<String>> consumer =
                reads.consumer(queries.<String, String>eventsBySlicesStartingFromSnapshots(
                        "Ledger", 0, 1023, NoOffset.getInstance(), SnapshotQueryTest::fromSnapshot));
        assertThat(consumer.next().event()).isEqualTo("state a,b");
        reads.add(ledger, "c");
        assertThat(consumer.next().event()).isEqualTo("c");
        String other = Systems.freshId();
        reads.add(reads.ledger(other), "x");
        assertThat(consumer.next().persistenceId()).isEqualTo(other);
        consumer.stop();
    }

    @Test
    void byIdFromTheNewestSnapshotBetweenTheSequenceNumbers() {
        String id = Systems.freshId();
        ActorRef ledger = reads.ledger(id);
        reads.addAll(ledger, "a", "b");
        reads.save(ledger);
        reads.addAll(ledger, "c", "d");
        reads.save(ledger);
        reads.add(ledger, "e");
        assertThat(byId(ofId(id, 0, MAX))).isEqualTo(Map.of(id, List.of("4 state a,b,c,d", "5 e")));
        assertThat(byId(ofId(id, 0, 3))).isEqualTo(Map.of(id, List.of("2 state a,b", "3 c")));
        assertThat(byId(ofId(id, 0, 1))).isEqualTo(Map.of(id, List.of("1 a")));
        assertThat(byId(ofId(id, 5, MAX))).isEqualTo(Map.of(id, List.of("5 e")));
        assertThat(byId(ofId(id, 3, 2))).isEmpty();

        Reads.Consumer<EventEnvelope<String>> consumer =
                reads.consumer(queries.<String, String>eventsByPersistenceIdStartingFromSnapshot(
                        id, 0, MAX, SnapshotQueryTest::fromSnapshot));
        EventEnvelope<String> snapshot = consumer.next();
        assertThat(snapshot.event()).isEqualTo("state a,b,c,d");
        assertThat(((TimestampOffset) snapshot.offset()).getSeen()).isEqualTo(Map.of(id, 4L));
        assertThat(consumer.next().event()).isEqualTo("e");
        reads.add(ledger, "f");
        assertThat(consumer.next().event()).isEqualTo("f");
        consumer.stop();

        assertThat(reads.all(queries.<String>currentEventsByPersistenceIdTyped(id, 2, 3)))
                .extracting(EventEnvelope::event)
                .containsExactly("b", "c");
        assertThat(reads.first(2, queries.<String>eventsByPersistenceIdTyped(id, 5, MAX)))
                .extracting(EventEnvelope::event)
                .containsExactly("e", "f");
    }

    private List<EventEnvelope<String>> ofId(String id, long from, long to) {
        return reads.all(queries.currentEventsByPersistenceIdStartingFromSnapshot(
                id, from, to, SnapshotQueryTest::fromSnapshot));
    }

    @Test
    void theLastSequenceNumberSurvivesDeletes() {
        String id = Systems.freshId();
        assertThat(Reads.result(queries.currentLastSequenceNumberByPersistenceId(id)))
                .isEmpty();
        ActorRef ledger = reads.ledger(id);
        reads.addAll(ledger, "a", "b", "c");
        assertThat(Reads.result(queries.currentLastSequenceNumberByPersistenceId(id)))
                .contains(3L);
        reads.deleteTo(ledger, 3);
        assertThat(Reads.result(queries.currentLastSequenceNumberByPersistenceId(id)))
                .contains(3L);
    }

    @Test
    void theReadJournalForScalaReadsTheSame() {
        String id = Systems.freshId();
        ActorRef ledger = reads.ledger(id);
        reads.addAll(ledger, "a", "b");
        reads.save(ledger);
        reads.add(ledger, "c");
        io.dynajournal.query.scaladsl.DynajournalReadJournal scala =
                PersistenceQuery.get(system).readJournalFor(DynajournalReadJournal.IDENTIFIER);
        Map<String, List<String>> expected = Map.of(id, List.of("2 state a,b", "3 c"));
        assertThat(byId(reads.all(scala.<String, String>currentEventsBySlicesStartingFromSnapshots(
                                "Ledger", 0, 1023, NoOffset.getInstance(), SnapshotQueryTest::fromSnapshot)
                        .asJava())))
                .isEqualTo(expected);
        assertThat(byId(reads.first(
                        2,
                        scala.<String, String>eventsBySlicesStartingFromSnapshots(
                                        "Ledger", 0, 1023, NoOffset.getInstance(), SnapshotQueryTest::fromSnapshot)
                                .asJava())))
                .isEqualTo(expected);
        assertThat(byId(reads.all(scala.<String, String>currentEventsByPersistenceIdStartingFromSnapshot(
                                id, 0, MAX, SnapshotQueryTest::fromSnapshot)
                        .asJava())))
                .isEqualTo(expected);
        assertThat(byId(reads.first(
                        2,
                        scala.<String, String>eventsByPersistenceIdStartingFromSnapshot(
                                        id, 0, MAX, SnapshotQueryTest::fromSnapshot)
                                .asJava())))
                .isEqualTo(expected);
        assertThat(Reads.result(FutureConverters.asJava(scala.currentLastSequenceNumberByPersistenceId(id)))
                        .get())
                .isEqualTo(3L);
    }

    @Test
    void withoutTheIndexTheErrorNamesTheSetting() {
        start("");
        assertThatThrownBy(() -> reads.all(current(NoOffset.getInstance())))
                .hasMessageContaining("has no index by slice")
                .hasMessageContaining("dynajournal.snapshot.index.slices = on");
        start("dynajournal.query.snapshot-plugin-id = nowhere");
        assertThatThrownBy(() -> reads.all(current(NoOffset.getInstance()))).hasMessageContaining("nowhere.class");
    }

    @Test
    void aTransformationThatThrowsFailsTheStream() {
        String id = Systems.freshId();
        ActorRef ledger = reads.ledger(id);
        reads.add(ledger, "a");
        reads.save(ledger);
        assertThatThrownBy(() -> reads.all(queries.<String, String>currentEventsBySlicesStartingFromSnapshots(
                        "Ledger", 0, 1023, NoOffset.getInstance(), state -> {
                            throw new IllegalStateException("not this one");
                        })))
                .hasMessageContaining("not this one");
    }
}
