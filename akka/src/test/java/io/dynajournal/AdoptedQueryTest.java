package io.dynajournal;

import static io.dynajournal.Adopted.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.event.Logging;
import akka.persistence.journal.Tagged;
import akka.persistence.query.EventEnvelope;
import akka.persistence.query.NoOffset;
import akka.persistence.query.Offset;
import akka.persistence.query.Sequence;
import akka.persistence.query.TimestampOffset;
import akka.stream.javadsl.Source;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.query.javadsl.DynajournalReadJournal;
import io.dynajournal.testkit.GoldenSet;
import io.dynajournal.testkit.LocalDynamo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/** Queries under the predecessors' own paths, on what the predecessors wrote and on what is written now. */
@SuppressWarnings("NullAway.Init") // start() makes what the fields hold
final class AdoptedQueryTest {

    private static final long MAX = Long.MAX_VALUE;
    private static final String ODD = "a|b-/ünï 日本-SH-1";

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    @RegisterExtension
    final Systems systems = new Systems();

    private final Adopted adopted = new Adopted(local, systems);
    private ActorSystem system;
    private Reads reads;
    private DynajournalReadJournal queries;

    private void start(String settings, String overrides) {
        system = adopted.start(settings, overrides);
        reads = new Reads(system);
        queries = reads.journal(system.settings().config().getString("read-journal"));
    }

    private static List<String> events(JsonNode facts) {
        return GoldenSet.field(facts, "events").asArray().stream()
                .map(event -> number(event, "seqNr") + " "
                        + GoldenSet.field(event, "event").asString())
                .toList();
    }

    private List<String> byId(String id, long from, long to) {
        return texts(reads.all(queries.currentEventsByPersistenceId(id, from, to)));
    }

    private static List<String> texts(List<EventEnvelope> envelopes) {
        return envelopes.stream()
                .map(envelope -> envelope.sequenceNr() + " " + envelope.event())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "adopted-akka1, AKKA1, akka-1.3.0, akka-persistence, akka-persistence-snapshot",
        "adopted-akka1, AKKA1, pekko-1.1.0, pekko-persistence, pekko-persistence-snapshot",
        "adopted-akka2, AKKA2, akka-2.0.12, event_journal, snapshot",
        "adopted-akka2-copy, AKKA2, akka-2.0.12, event_journal, snapshot",
        "adopted-akka2-old-name, AKKA2, akka-2.0.12, event_journal, snapshot",
        "adopted-j5ik2o, J5IK2O, j5ik2o-1.16.492, Journal, Snapshot"
    })
    void byIdAndAllIds(String settings, Layout layout, String set, String goldenJournal, String goldenSnapshots) {
        GoldenSet golden = new GoldenSet(set);
        adopted.load(layout, golden, goldenJournal, goldenSnapshots);
        start(settings, "");

        Map<String, JsonNode> facts = golden.facts();
        facts.forEach((id, fact) -> {
            assertThat(byId(id, 0, MAX)).as(id).isEqualTo(events(fact));
            assertThat(byId(id, 12, 12)).as(id).isEqualTo(only(events(fact), "12 "));
        });
        // Also those that have no event any more.
        List<String> ids = facts.entrySet().stream()
                .filter(fact -> number(fact.getValue(), "highestSeqNr") > 0)
                .map(Map.Entry::getKey)
                .toList();
        assertThat(reads.all(queries.currentPersistenceIds())).containsExactlyInAnyOrderElementsOf(ids);

        String id = "Cart|a-b/c";
        List<String> expected = new ArrayList<>(events(Objects.requireNonNull(facts.get(id))));
        Reads.Consumer<EventEnvelope> live = reads.consumer(queries.eventsByPersistenceId(id, 0, MAX));
        assertThat(texts(live.next(expected.size()))).isEqualTo(expected);
        ActorRef cart = reads.ledger(id);
        reads.add(cart, "one more");
        reads.addAll(cart, "two", "at once");
        expected.addAll(List.of("112 one more", "113 two", "114 at once"));
        assertThat(texts(live.next(3))).isEqualTo(expected.subList(expected.size() - 3, expected.size()));
        assertThat(byId(id, 113, 113)).containsExactly("113 two");

        Reads.Consumer<EventEnvelope> odd = reads.consumer(queries.eventsByPersistenceId(ODD, 0, MAX));
        ActorRef ledger = reads.ledger(ODD);
        reads.addAll(ledger, "a", "b", "c");
        assertThat(texts(odd.next(3))).containsExactly("1 a", "2 b", "3 c");
        reads.deleteTo(ledger, 3);
        reads.add(ledger, "d");
        assertThat(texts(odd.next(1))).containsExactly("4 d");
        assertThat(byId(ODD, 0, MAX)).containsExactly("4 d");
        List<String> more = new ArrayList<>(ids);
        more.add(ODD);
        assertThat(reads.all(queries.currentPersistenceIds())).containsExactlyInAnyOrderElementsOf(more);
        assertThat(reads.all(queries.currentPersistenceIds("Cart", Optional.empty(), MAX)))
                .containsExactly(id);
        live.stop();
        odd.stop();
    }

    private static List<String> only(List<String> events, String beginning) {
        return events.stream().filter(event -> event.startsWith(beginning)).toList();
    }

    @Test
    void whatTablesOf1CannotOfferFailsAtOnceAndNamesTheLayoutsThatCan() {
        adopted.create(Layout.AKKA1);
        start("adopted-akka1", "");
        ActorRef ledger = reads.ledger(ODD);
        reads.add(ledger, "a");

        Offset start = NoOffset.getInstance();
        refused(queries.currentEventsBySlices("a", 0, 1023, start), "commits", "akka2");
        refused(queries.eventsBySlices("a", 0, 1023, start), "commits", "akka2");
        refused(queries.eventsByTag("red", start), "commits", "akka2");
        Offset later = TimestampOffset.apply(Instant.now(), scala.collection.immutable.Map$.MODULE$.empty());
        refused(queries.currentEventsByTag("red", later), "NoOffset", "commits", "akka2");
        refused(queries.persistenceIds(), "commits");
        refused(queries.currentPersistenceIds(Optional.of(ODD), 10), "commits");
        assertThatThrownBy(() -> Reads.result(queries.timestampOf(ODD, 1)))
                .hasMessageContainingAll("without a timestamp", "commits", "akka2", "j5ik2o");
        assertThat(Reads.result(queries.timestampOf(ODD, 2))).isEmpty();

        // As 1.x has it: the number is the offset, and there is no time.
        EventEnvelope event =
                reads.all(queries.currentEventsByPersistenceId(ODD, 0, MAX)).get(0);
        assertThat(event.offset()).isEqualTo(new Sequence(1));
        assertThat(event.timestamp()).isZero();
        assertThat(Reads.result(queries.<String>loadEnvelope(ODD, 1)).event()).isEqualTo("a");
        assertThatThrownBy(() -> Reads.result(queries.loadEnvelope(ODD, 2)))
                .hasCauseInstanceOf(NoSuchElementException.class);
    }

    private void refused(Source<?, ?> query, String... parts) {
        assertThatThrownBy(() -> reads.all(query)).hasMessageContainingAll(parts);
    }

    /** As the predecessor: the event with its tags is one object, for the serializer of the toolkit's class. */
    @Test
    void tagsOf1AreStoredInsideTheEventAndFound() {
        adopted.create(Layout.AKKA1);
        start("adopted-akka1-java", "");
        ActorRef ledger = reads.ledger(ODD);
        reads.addAll(ledger, new Tagged("a", Set.of("red")), "b");
        reads.add(ledger, new Tagged("c", Set.of("red", "blue")));
        reads.add(reads.ledger("other"), new Tagged("d", Set.of("red")));

        Offset start = NoOffset.getInstance();
        assertThat(texts(reads.all(queries.currentEventsByTag("red", start))))
                .containsExactlyInAnyOrder("1 a", "3 c", "1 d")
                .containsSubsequence("1 a", "3 c");
        assertThat(texts(reads.all(queries.currentEventsByTag("blue", start)))).containsExactly("3 c");
        assertThat(reads.all(queries.currentEventsByTag("re", start))).isEmpty();
        assertThat(byId(ODD, 0, MAX)).containsExactly("1 a", "2 b", "3 c");
        assertThat(Reads.result(queries.<String>loadEnvelope(ODD, 3)).event()).isEqualTo("c");

        // A recovery hands the stored object to the event adapters, as the predecessor does.
        Probe probe = new Probe(system);
        ActorRef recovered = system.actorOf(Ledger.props(ODD, probe.ref()));
        probe.expect(Ledger.Recovered.class);
        assertThat(probe.state(recovered).events())
                .startsWith("Tagged(a,Set(red))", "b")
                .last()
                .asString()
                .startsWith("Tagged(c,Set(");
    }

    @Test
    void tagsOf1WithoutASerializerForThemAreRejected() {
        adopted.create(Layout.AKKA1);
        start("adopted-akka1", "");
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(ODD, probe.ref()));
        probe.expect(Ledger.Recovered.class);
        ledger.tell(new Ledger.Add(new Tagged("a", Set.of("red"))), ActorRef.noSender());
        assertThat(probe.expect(Ledger.Rejected.class).cause()).hasMessageContaining("serialization");
        assertThat(byId(ODD, 0, MAX)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"adopted-akka2, AKKA2", "adopted-j5ik2o, J5IK2O"})
    void timesAreToldWhereTheyAreStored(String settings, Layout layout) {
        adopted.create(layout);
        start(settings, "");
        ActorRef ledger = reads.ledger(ODD);
        long before = System.currentTimeMillis();
        reads.addAll(ledger, "a", "b");

        EventEnvelope event =
                reads.all(queries.currentEventsByPersistenceId(ODD, 2, 2)).get(0);
        assertThat(event.timestamp()).isBetween(before - 2_000, System.currentTimeMillis() + 2_000);
        assertThat(((TimestampOffset) event.offset()).timestamp().toEpochMilli())
                .isEqualTo(event.timestamp());
        assertThat(Reads.result(queries.timestampOf(ODD, 2)).orElseThrow().toEpochMilli())
                .isEqualTo(event.timestamp());
        assertThat(Reads.result(queries.timestampOf(ODD, 3))).isEmpty();
        akka.persistence.query.typed.EventEnvelope<String> loaded = Reads.result(queries.loadEnvelope(ODD, 2));
        assertThat(loaded.event()).isEqualTo("b");
        assertThat(loaded.timestamp()).isEqualTo(event.timestamp());
    }

    private static List<String> typed(List<akka.persistence.query.typed.EventEnvelope<String>> envelopes) {
        return envelopes.stream()
                .map(envelope -> envelope.sequenceNr() + " " + envelope.event())
                .toList();
    }

    @Test
    void slicesAndTagsOf2() {
        GoldenSet golden = new GoldenSet("akka-2.0.12");
        adopted.load(Layout.AKKA2, golden, "event_journal", "snapshot");
        start("adopted-akka2-copy", "second-dynamodb.query { entity-types = [Cart], refresh-interval = 500 ms }");

        Offset start = NoOffset.getInstance();
        golden.facts().forEach((id, fact) -> {
            int at = queries.sliceForPersistenceId(id);
            List<akka.persistence.query.typed.EventEnvelope<String>> found = reads.all(queries.currentEventsBySlices(
                    GoldenSet.field(fact, "entityType").asString(), at, at, start));
            assertThat(typed(found)).as(id).isEqualTo(events(fact));
        });
        // A few slices: there are 1,024 partitions, and the local server is slow.
        String id = "Cart|a-b/c";
        int slice = queries.sliceForPersistenceId(id);
        List<String> old = events(Objects.requireNonNull(golden.facts().get(id)));
        Function<Offset, Source<akka.persistence.query.typed.EventEnvelope<String>, ?>> some =
                offset -> queries.currentEventsBySlices("Cart", slice - 1, slice + 1, offset);

        Reads.Consumer<akka.persistence.query.typed.EventEnvelope<String>> live =
                reads.consumer(queries.eventsBySlices("Cart", slice - 1, slice + 1, start));
        assertThat(typed(live.next(old.size()))).isEqualTo(old);
        ActorRef cart = reads.ledger(id);
        reads.add(cart, "one more");
        reads.addAll(cart, new Tagged("two", Set.of("new")), "at once");
        List<akka.persistence.query.typed.EventEnvelope<String>> fresh = live.next(3);
        assertThat(typed(fresh)).containsExactly("112 one more", "113 two", "114 at once");
        assertThat(fresh.get(0).entityType()).isEqualTo("Cart");
        assertThat(fresh.get(0).slice()).isEqualTo(slice);
        reads.deleteTo(cart, 112);
        reads.add(cart, "behind a delete");
        Offset last = live.next().offset();
        live.stop();
        assertThat(typed(reads.all(some.apply(start))))
                .containsExactly("113 two", "114 at once", "115 behind a delete");
        // What lies inside the window would be repeated, except for the entity of the offset.
        assertThat(reads.all(some.apply(last))).isEmpty();
        String other = IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "Cart|" + i)
                .filter(candidate -> queries.sliceForPersistenceId(candidate) == slice)
                .findFirst()
                .orElseThrow();
        reads.add(reads.ledger(other), "of another");
        assertThat(typed(reads.all(some.apply(last)))).containsExactly("1 of another");

        assertThat(texts(reads.all(queries.currentEventsByTag("new", start)))).containsExactly("113 two");
        Reads.Consumer<EventEnvelope> tagged = reads.consumer(queries.eventsByTag("new", start));
        assertThat(texts(tagged.next(1))).containsExactly("113 two");
        reads.add(cart, new Tagged("three", Set.of("new")));
        assertThat(texts(tagged.next(1))).containsExactly("116 three");
        tagged.stop();
    }

    @Test
    void snapshotsOf2() {
        GoldenSet golden = new GoldenSet("akka-2.0.12");
        adopted.load(Layout.AKKA2, golden, "event_journal", "snapshot");
        start("adopted-akka2-copy", "");

        golden.facts().forEach((id, fact) -> {
            List<String> expected = new ArrayList<>();
            long from = 1;
            for (JsonNode snapshot : GoldenSet.field(fact, "snapshots").asArray()) {
                expected.add(number(snapshot, "seqNr") + " from "
                        + GoldenSet.field(snapshot, "state").asString());
                from = number(snapshot, "seqNr") + 1;
            }
            for (JsonNode event : GoldenSet.field(fact, "events").asArray()) {
                if (number(event, "seqNr") >= from) {
                    expected.add(number(event, "seqNr") + " "
                            + GoldenSet.field(event, "event").asString());
                }
            }
            int at = queries.sliceForPersistenceId(id);
            Function<String, String> fromSnapshot = state -> "from " + state;
            assertThat(typed(reads.all(queries.currentEventsBySlicesStartingFromSnapshots(
                            GoldenSet.field(fact, "entityType").asString(),
                            at,
                            at,
                            NoOffset.getInstance(),
                            fromSnapshot))))
                    .as(id)
                    .isEqualTo(expected);
        });
    }

    @Test
    void whatTablesOf2CannotOffer() {
        adopted.create(Layout.AKKA2);
        start("adopted-akka2-copy", "");
        Offset start = NoOffset.getInstance();
        refused(queries.currentEventsByTag("red", start), "entity-types", "commits");
        refused(queries.persistenceIds(), "commits");

        ActorSystem without = adopted.start("adopted-akka2-copy", "second-dynamodb.journal.slice-index = off");
        Reads others = new Reads(without);
        assertThatThrownBy(() -> others.all(
                        others.journal("second-dynamodb.query").currentEventsBySlices("Cart", 0, 1023, start)))
                .hasMessageContainingAll("no index by slice", "commits", "akka2");
    }

    @Test
    void tagsOfJ5ik2o() {
        GoldenSet golden = new GoldenSet("j5ik2o-1.16.492");
        adopted.load(Layout.J5IK2O, golden, "Journal", "Snapshot");
        start("adopted-j5ik2o", "");
        Offset start = NoOffset.getInstance();

        // Number 5 has the tag, too, and was deleted.
        List<String> five = reads.all(queries.currentEventsByTag("five", start)).stream()
                .map(envelope -> envelope.persistenceId() + " " + envelope.sequenceNr())
                .toList();
        assertThat(five)
                .isEqualTo(IntStream.rangeClosed(2, 19)
                        .mapToObj(i -> "Cart|a-b/c " + 5 * i)
                        .toList());
        List<EventEnvelope> counted = reads.all(queries.currentEventsByTag("counter", start));
        assertThat(counted).hasSize(25);
        assertThat(reads.all(queries.currentEventsByTag("fiv", start))).isEmpty();

        ActorRef ledger = reads.ledger(ODD);
        reads.addAll(ledger, new Tagged("a", Set.of("five", "six")), "b", new Tagged("c", Set.of("six")));
        assertThat(texts(reads.all(queries.currentEventsByTag("six", start)))).containsExactly("1 a", "3 c");
        Offset today = TimestampOffset.apply(
                Instant.now().minus(Duration.ofHours(1)), scala.collection.immutable.Map$.MODULE$.empty());
        assertThat(texts(reads.all(queries.currentEventsByTag("five", today)))).containsExactly("1 a");
        assertThat(texts(reads.all(
                        queries.currentEventsByTag("counter", counted.get(23).offset()))))
                .as("of the offset's own entity nothing is repeated")
                .containsExactly("250 inc:250#tag:counter");
        reads.deleteTo(ledger, 1);
        assertThat(texts(reads.all(queries.currentEventsByTag("six", start)))).containsExactly("3 c");

        refused(queries.eventsByTag("six", start), "commits", "akka2", "currentEventsByTag");
        refused(queries.currentEventsBySlices("Cart", 0, 1023, start), "commits", "akka2");
    }

    @Test
    void tableOf03() {
        adopted.create(Layout.SCLASEN);
        start("adopted-sclasen", "");
        ActorRef ledger = reads.ledger(ODD);
        reads.addAll(ledger, "a", "b");
        assertThat(byId(ODD, 2, MAX)).containsExactly("2 b");
        assertThat(reads.all(queries.currentPersistenceIds())).containsExactly(ODD);
    }

    @Test
    void settingsOfTheReadJournalAreHonouredOrTold() {
        adopted.create(Layout.AKKA1);
        system = adopted.start("adopted-akka1", "my-dynamodb-read-journal { refresh-interval = 200 ms, tracing = on }");
        Probe logs = new Probe(system);
        system.eventStream().subscribe(logs.ref(), Logging.Warning.class);
        reads = new Reads(system);
        queries = reads.journal("my-dynamodb-read-journal");
        ActorRef ledger = reads.ledger(ODD);
        reads.add(ledger, "a");
        assertThat(byId(ODD, 0, MAX)).containsExactly("1 a");

        assertThat(logs.heard(Logging.Warning.class))
                .extracting(warning -> String.valueOf(warning.message()))
                .filteredOn(line -> line.contains("no effect"))
                .singleElement()
                .asString()
                .startsWith("my-dynamodb-read-journal: ")
                .contains("my-dynamodb-read-journal.tracing (", "my-dynamodb-read-journal.persistence-ids-index-name (")
                .doesNotContain("refresh-interval", "journal-plugin-id");
    }

    @Test
    void eventAdaptersOfTheJournalAreUsed() {
        adopted.create(Layout.J5IK2O);
        start("adopted-j5ik2o", """
                j5ik2o.dynamo-db-journal {
                  event-adapters.shouting = "io.dynajournal.ShoutingAdapter"
                  event-adapter-bindings { "java.lang.String" = shouting }
                }
                """);
        ActorRef ledger = reads.ledger(ODD);
        reads.add(ledger, "quiet");
        assertThat(byId(ODD, 0, MAX)).singleElement().asString().startsWith("1 quiet " + ShoutingAdapter.MANIFEST);
    }
}
