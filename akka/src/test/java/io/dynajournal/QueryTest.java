package io.dynajournal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.journal.Tagged;
import akka.persistence.query.EventEnvelope;
import akka.persistence.query.NoOffset;
import akka.persistence.query.Offset;
import akka.persistence.query.PersistenceQuery;
import akka.persistence.query.TimestampOffset;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import akka.serialization.Serializer;
import akka.serialization.Serializers;
import akka.stream.javadsl.Source;
import io.dynajournal.exception.SettingsException;
import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.Slices;
import io.dynajournal.query.javadsl.DynajournalReadJournal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.FutureConverters;

/** Every query, on a running system. */
final class QueryTest {

    private static final long MAX = Long.MAX_VALUE;

    @RegisterExtension
    final Systems systems = new Systems();

    private final String id = Systems.freshId();
    private ActorSystem system;
    private Reads reads;
    private DynajournalReadJournal queries;

    @BeforeEach
    void start() {
        start("");
    }

    private void start(String overrides) {
        system = systems.start(Reads.freshTable() + overrides);
        reads = new Reads(system);
        queries = reads.journal();
    }

    private static List<Long> numbers(List<EventEnvelope> envelopes) {
        return envelopes.stream().map(EventEnvelope::sequenceNr).toList();
    }

    private static List<String> typedTexts(List<akka.persistence.query.typed.EventEnvelope<String>> envelopes) {
        return envelopes.stream()
                .map(akka.persistence.query.typed.EventEnvelope::event)
                .toList();
    }

    private Source<akka.persistence.query.typed.EventEnvelope<String>, ?> current(Offset offset) {
        return queries.currentEventsBySlices("Ledger", 0, 1023, offset);
    }

    @Test
    void byIdEventByEventAlsoInsideAnAtomicWrite() {
        ActorRef ledger = reads.ledger(id);
        reads.addAll(ledger, "a", "b", "c");
        reads.add(ledger, "d");

        assertThat(Reads.texts(reads.all(queries.currentEventsByPersistenceId(id, 0, MAX))))
                .containsExactly("a", "b", "c", "d");
        List<EventEnvelope> some = reads.all(queries.currentEventsByPersistenceId(id, 2, 3));
        assertThat(Reads.texts(some)).containsExactly("b", "c");
        assertThat(numbers(some)).containsExactly(2L, 3L);
        assertThat(numbers(reads.all(queries.currentEventsByPersistenceId(id, 2, 2))))
                .containsExactly(2L);
        assertThat(reads.all(queries.currentEventsByPersistenceId(id, 5, MAX))).isEmpty();
        assertThat(reads.all(queries.currentEventsByPersistenceId(id, 3, 2))).isEmpty();
        assertThat(reads.all(queries.currentEventsByPersistenceId(Systems.freshId(), 0, MAX)))
                .isEmpty();
        // A live query completes at its last sequence number.
        assertThat(Reads.texts(reads.all(queries.eventsByPersistenceId(id, 1, 3))))
                .containsExactly("a", "b", "c");
    }

    @Test
    void byIdContinuesWithLaterEvents() {
        Reads.Consumer<EventEnvelope> consumer = reads.consumer(queries.eventsByPersistenceId(id, 0, MAX));
        ActorRef ledger = reads.ledger(id);
        for (int i = 0; i < 20; i++) {
            reads.addAll(ledger, "a" + i, "b" + i);
            assertThat(Reads.texts(consumer.next(2))).containsExactly("a" + i, "b" + i);
        }
        consumer.stop();
    }

    @Test
    void byIdSkipsDeletedEvents() {
        ActorRef ledger = reads.ledger(id);
        reads.addAll(ledger, "a", "b", "c");
        reads.add(ledger, "d");
        reads.deleteTo(ledger, 2);
        assertThat(Reads.texts(reads.all(queries.currentEventsByPersistenceId(id, 0, MAX))))
                .containsExactly("c", "d");
        Reads.Consumer<EventEnvelope> consumer = reads.consumer(queries.eventsByPersistenceId(id, 0, MAX));
        assertThat(Reads.texts(consumer.next(2))).containsExactly("c", "d");
        reads.deleteTo(ledger, 4);
        reads.add(ledger, "e");
        assertThat(consumer.next().sequenceNr()).isEqualTo(5);
        consumer.stop();
    }

    @Test
    void bySlicesInTheOrderOfEachEntity() {
        List<String> ids =
                IntStream.range(0, 10).mapToObj(i -> Systems.freshId()).toList();
        List<ActorRef> ledgers = ids.stream().map(reads::ledger).toList();
        for (int round = 0; round < 3; round++) {
            for (ActorRef ledger : ledgers) {
                reads.addAll(ledger, "a" + round, "b" + round);
            }
        }
        List<akka.persistence.query.typed.EventEnvelope<String>> all = reads.all(current(NoOffset.getInstance()));
        assertThat(all).hasSize(60);
        for (String each : ids) {
            assertThat(all.stream().filter(envelope -> envelope.persistenceId().equals(each)))
                    .extracting(akka.persistence.query.typed.EventEnvelope::event)
                    .containsExactly("a0", "b0", "a1", "b1", "a2", "b2");
        }
        assertThat(all).allSatisfy(envelope -> {
            assertThat(envelope.entityType()).isEqualTo("Ledger");
            assertThat(envelope.slice()).isEqualTo(Slices.of(envelope.persistenceId()));
            assertThat(envelope.slice()).isEqualTo(queries.sliceForPersistenceId(envelope.persistenceId()));
            TimestampOffset offset = (TimestampOffset) envelope.offset();
            assertThat(offset.timestamp().toEpochMilli()).isEqualTo(envelope.timestamp());
            assertThat(offset.getSeen()).containsEntry(envelope.persistenceId(), envelope.sequenceNr());
            assertThat(offset.readTimestamp()).isAfterOrEqualTo(offset.timestamp());
        });
        List<akka.persistence.query.typed.EventEnvelope<String>> parts = new ArrayList<>();
        queries.sliceRanges(4)
                .forEach(range -> parts.addAll(reads.all(queries.<String>currentEventsBySlices(
                        "Ledger", range.first(), range.second(), NoOffset.getInstance()))));
        assertThat(parts).hasSize(60);
        assertThat(reads.all(queries.<String>currentEventsBySlices("Other", 0, 1023, NoOffset.getInstance())))
                .isEmpty();
    }

    @Test
    void bySlicesContinuesWithLaterEventsAndResumesWithoutASkip() {
        Reads.Consumer<akka.persistence.query.typed.EventEnvelope<String>> consumer =
                reads.consumer(queries.<String>eventsBySlices("Ledger", 0, 1023, NoOffset.getInstance()));
        ActorRef ledger = reads.ledger(id);
        ActorRef other = reads.ledger(Systems.freshId());
        reads.addAll(ledger, "a", "b", "c");
        assertThat(typedTexts(consumer.next(3))).containsExactly("a", "b", "c");
        reads.add(other, "x");
        assertThat(consumer.next().event()).isEqualTo("x");
        reads.addAll(ledger, "d", "e");
        akka.persistence.query.typed.EventEnvelope<String> last = consumer.next();
        assertThat(last.event()).isEqualTo("d");
        consumer.stop();

        // Inside an atomic write: the next event of this id is e. The event of the other id lies in the backtracking
        // window and is delivered again.
        List<akka.persistence.query.typed.EventEnvelope<String>> again = reads.all(current(last.offset()));
        assertThat(typedTexts(again)).containsExactlyInAnyOrder("x", "e");
    }

    @Test
    void aSlowConsumerDoesNotDelayOthers() {
        ActorRef ledger = reads.ledger(id);
        Reads.Consumer<akka.persistence.query.typed.EventEnvelope<String>> slow =
                reads.consumer(queries.<String>eventsBySlices("Ledger", 0, 1023, NoOffset.getInstance()));
        Reads.Consumer<akka.persistence.query.typed.EventEnvelope<String>> quick =
                reads.consumer(queries.<String>eventsBySlices("Ledger", 0, 1023, NoOffset.getInstance()));
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            reads.addAll(ledger, "a" + i, "b" + i);
            expected.addAll(List.of("a" + i, "b" + i));
            assertThat(typedTexts(quick.next(2))).containsExactly("a" + i, "b" + i);
        }
        assertThat(typedTexts(slow.next(60))).isEqualTo(expected);
        slow.stop();
        quick.stop();
    }

    @Test
    void largeEventsAreReadFromTheTable() {
        ActorRef ledger = reads.ledger(id);
        String large = UUID.randomUUID().toString().repeat(20_000);
        reads.add(ledger, "small", large.substring(0, 5_000), large);
        List<akka.persistence.query.typed.EventEnvelope<String>> all = reads.all(current(NoOffset.getInstance()));
        assertThat(typedTexts(all)).containsExactly("small", large.substring(0, 5_000), large);
    }

    @Test
    void byTagOfAllEntityTypes() {
        Reads.Consumer<EventEnvelope> consumer = reads.consumer(queries.eventsByTag("red", NoOffset.getInstance()));
        ActorRef ledger = reads.ledger(id);
        reads.add(ledger, new Tagged("a", Set.of("red", "blue")), "b", new Tagged("c", Set.of("blue")));
        assertThat(consumer.next().event()).isEqualTo("a");
        ActorRef cart = reads.ledger("Cart|" + UUID.randomUUID());
        reads.addAll(cart, new Tagged("x", Set.of("blue")), new Tagged("y", Set.of("red")));
        assertThat(consumer.next().event()).isEqualTo("y");
        ActorRef plain = reads.ledger("no-type-" + UUID.randomUUID());
        reads.add(plain, new Tagged("z", Set.of("red")));
        EventEnvelope last = consumer.next();
        assertThat(last.event()).isEqualTo("z");
        consumer.stop();

        assertThat(Reads.texts(reads.all(queries.currentEventsByTag("red", NoOffset.getInstance()))))
                .containsExactly("a", "y", "z");
        assertThat(Reads.texts(reads.all(queries.currentEventsByTag("blue", NoOffset.getInstance()))))
                .containsExactly("a", "c", "x");
        assertThat(reads.all(queries.currentEventsByTag("green", NoOffset.getInstance())))
                .isEmpty();
        assertThat(Reads.texts(reads.all(queries.currentEventsByTag("red", last.offset()))))
                .containsExactly("a", "y");
    }

    @Test
    void persistenceIdsAllByTypeByPageAndLive() {
        Reads.Consumer<String> consumer = reads.consumer(queries.persistenceIds());
        List<String> ids = new ArrayList<>();
        for (String prefix : List.of("Ledger|", "Cart|", "", "a%|b|c \u00e9")) {
            for (int i = 0; i < 5; i++) {
                String each = prefix + UUID.randomUUID();
                ActorRef ledger = reads.ledger(each);
                reads.add(ledger, "a", "b");
                reads.deleteTo(ledger, 2);
                ids.add(each);
            }
        }
        assertThat(reads.all(queries.currentPersistenceIds())).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(reads.all(queries.currentPersistenceIds("Cart", Optional.empty(), 100)))
                .containsExactlyInAnyOrderElementsOf(ids.subList(5, 10));
        List<String> paged = new ArrayList<>();
        List<String> page = reads.all(queries.currentPersistenceIds(Optional.empty(), 3));
        while (!page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(3);
            paged.addAll(page);
            page = reads.all(queries.currentPersistenceIds(Optional.of(paged.get(paged.size() - 1)), 3));
        }
        assertThat(paged).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(consumer.next(20)).containsExactlyInAnyOrderElementsOf(ids);
        consumer.stop();
    }

    @Test
    void timestampAndEventBySequenceNumber() {
        ActorRef ledger = reads.ledger(id);
        Instant before = Instant.now().minus(Duration.ofMinutes(1));
        reads.addAll(ledger, "a", "b", "c");
        Instant time = Reads.result(queries.timestampOf(id, 2)).orElseThrow();
        assertThat(time).isBetween(before, before.plus(Duration.ofMinutes(2)));
        assertThat(Reads.result(queries.timestampOf(id, 4))).isEmpty();
        assertThat(Reads.result(queries.timestampOf(id, 0))).isEmpty();
        akka.persistence.query.typed.EventEnvelope<String> envelope = Reads.result(queries.<String>loadEnvelope(id, 2));
        assertThat(envelope.event()).isEqualTo("b");
        assertThat(envelope.sequenceNr()).isEqualTo(2);
        assertThatThrownBy(() -> Reads.result(queries.<String>loadEnvelope(id, 4)))
                .hasCauseInstanceOf(NoSuchElementException.class)
                .hasMessageContaining(id);
    }

    @Test
    void eventsGoThroughTheAdaptersOfTheirJournal() {
        start("shouting-journal.table = \"q_" + UUID.randomUUID() + "\"\n"
                + "shouting-query = ${dynajournal.query}\nshouting-query.journal-plugin-id = shouting-journal");
        DynajournalReadJournal shouting = reads.journal("shouting-query");
        reads.add(reads.ledger(id, "shouting-journal"), "a");
        assertThat(Reads.texts(reads.all(shouting.currentEventsByPersistenceId(id, 0, MAX)))
                        .get(0))
                .startsWith("a shouted");
        assertThat(reads.all(shouting.<String>currentEventsBySlices("Ledger", 0, 1023, NoOffset.getInstance()))
                        .get(0)
                        .event())
                .startsWith("a shouted");
    }

    @Test
    void theReadJournalForScalaReadsTheSame() {
        ActorRef ledger = reads.ledger(id);
        reads.addAll(ledger, new Tagged("a", Set.of("red")), "b");
        io.dynajournal.query.scaladsl.DynajournalReadJournal scala = PersistenceQuery.get(system)
                .readJournalFor(io.dynajournal.query.scaladsl.DynajournalReadJournal.Identifier);
        assertThat(Reads.texts(
                        reads.all(scala.currentEventsByPersistenceId(id, 0, MAX).asJava())))
                .containsExactly("a", "b");
        assertThat(reads.all(scala.<String>currentEventsBySlices("Ledger", 0, 1023, NoOffset.getInstance())
                        .asJava()))
                .hasSize(2);
        assertThat(Reads.texts(reads.all(
                        scala.currentEventsByTag("red", NoOffset.getInstance()).asJava())))
                .containsExactly("a");
        assertThat(reads.all(scala.currentPersistenceIds().asJava())).containsExactly(id);
        assertThat(scala.sliceRanges(4).size()).isEqualTo(4);
        assertThat(Reads.result(FutureConverters.asJava(scala.timestampOf(id, 1)))
                        .isDefined())
                .isTrue();
        assertThat(Reads.result(FutureConverters.asJava(scala.<String>loadEnvelope(id, 2)))
                        .event())
                .isEqualTo("b");
    }

    /** These bytes are the same on both toolkits, so each reads the offsets that the other has stored. */
    @Test
    void offsetsAreStoredAlikeOnBothToolkits() {
        TimestampOffset offset = TimestampOffset.apply(
                Instant.parse("2026-11-16T00:00:00.000123Z"),
                Instant.parse("2026-11-16T00:00:01Z"),
                scala.collection.immutable.Map.from(
                        CollectionConverters.asScala(Map.<String, Object>of("cart|42", 7L))));
        Serialization serialization = SerializationExtension.get(system);
        Serializer serializer = serialization.findSerializerFor(offset);
        byte[] stored = "2026-11-16T00:00:00.000123Z;2026-11-16T00:00:01Z;cart|42;7".getBytes(UTF_8);
        assertThat(serializer.identifier()).isEqualTo(39);
        assertThat(Serializers.manifestFor(serializer, offset)).isEqualTo("TSO");
        assertThat(serializer.toBinary(offset)).isEqualTo(stored);
        assertThat(serialization.deserialize(stored, 39, "TSO").get()).isEqualTo(offset);
    }

    /** Together larger than what a query keeps in memory. */
    @Test
    void severalLargeCommitsAreAllDelivered() {
        ActorRef ledger = reads.ledger(id);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            String large = i + UUID.randomUUID().toString().repeat(100_000);
            reads.add(ledger, large, "small " + i);
            expected.addAll(List.of(large, "small " + i));
        }
        assertThat(typedTexts(reads.all(current(NoOffset.getInstance())))).isEqualTo(expected);
    }

    @Test
    void withoutTheIdIndexTheErrorNamesTheSetting() {
        start("dynajournal.journal.index.ids = off");
        for (Source<String, ?> ids : List.<Source<String, ?>>of(
                queries.currentPersistenceIds(),
                queries.persistenceIds(),
                queries.currentPersistenceIds(Optional.of(id), 3))) {
            assertThatThrownBy(() -> reads.all(ids))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContainingAll("Table q_", "index.ids = on", "Add the index ids");
        }
    }

    @Test
    void withoutTheSliceIndexTheErrorNamesTheSetting() {
        start("dynajournal.journal.index.slices = off");
        assertThatThrownBy(() -> reads.all(queries.currentEventsByTag("red", NoOffset.getInstance())))
                .hasMessageContaining("has no index by slice")
                .hasMessageContainingAll("dynajournal.journal.index.slices = on", "commits", "akka2");
    }

    @Test
    void wrongSettingsAndOffsetsAreExplained() {
        ActorSystem wrong = systems.start("dynajournal.query.refresh-intervall = 3 s");
        assertThatThrownBy(() -> new Reads(wrong).journal())
                .hasStackTraceContaining(SettingsException.class.getName())
                .hasStackTraceContaining("Did you mean refresh-interval?");
        ActorSystem contrary = systems.start("dynajournal.query.idle-refresh-interval = 1 s");
        assertThatThrownBy(() -> new Reads(contrary).journal()).hasStackTraceContaining("idle-refresh-interval");
        assertThatThrownBy(() -> reads.all(queries.currentEventsByTag("red", Offset.sequence(3))))
                .hasMessageContaining("Sequence");
        assertThatThrownBy(() ->
                        reads.all(queries.<String>currentEventsBySlices("Ledger", 5, 1024, NoOffset.getInstance())))
                .hasMessageContaining("1024");
    }
}
