package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.Terminated;
import akka.actor.typed.javadsl.Adapter;
import akka.persistence.query.NoOffset;
import akka.persistence.query.Offset;
import akka.persistence.query.typed.EventEnvelope;
import akka.stream.javadsl.Source;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.query.javadsl.DynajournalReadJournal;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.LocalDynamo;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the documentation of akka-persistence-dynamodb 2.x promises to entities and consumers, in actor systems. */
final class Akka2EntityTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    @RegisterExtension
    final Systems systems = new Systems();

    private final Adopted adopted = new Adopted(local, systems);
    private final String thirdJournal = local.freshTable();
    private final String thirdSnapshots = local.freshTable();

    /** A second root beside that of the settings, which is the default. */
    private ActorSystem twoRoots() {
        return adopted.start("adopted-akka2-copy", """
                third = ${second-dynamodb}
                third {
                  journal { table = "%s", create-tables = on }
                  snapshot { table = "%s", create-tables = on }
                }
                """.formatted(thirdJournal, thirdSnapshots));
    }

    private static String put(ActorSystem system, String id, String root, String... items) {
        Probe probe = new Probe(system);
        String journal = root.isEmpty() ? "" : root + ".journal";
        String snapshots = root.isEmpty() ? "" : root + ".snapshot";
        akka.actor.typed.ActorRef<Cart.Command> cart =
                Adapter.spawnAnonymous(system, Cart.of(id, Adapter.toTyped(probe.ref()), journal, snapshots));
        String recovered = probe.expect(Cart.Holds.class).items();
        Stream.of(items).forEach(item -> {
            cart.tell(new Cart.Put(List.of(item)));
            probe.expect(Cart.Holds.class);
        });
        probe.watch(Adapter.toClassic(cart));
        cart.tell(new Cart.Stop());
        probe.expect(Terminated.class);
        return recovered;
    }

    private List<String> payloads(String table) {
        return Await.result(local.client().scan(scan -> scan.tableName(table).consistentRead(true))).items().stream()
                .map(item -> Objects.requireNonNull(item.get("event_payload"), item::toString)
                        .b()
                        .asUtf8String())
                .toList();
    }

    private List<Long> numbers(String table, String attribute) {
        return Await.result(local.client().scan(scan -> scan.tableName(table).consistentRead(true))).items().stream()
                .map(item -> Long.valueOf(Objects.requireNonNull(item.get(attribute), item::toString)
                        .n()))
                .toList();
    }

    /** One persistence id in the default plugin, and in the plugins that behaviors name; each keeps its own log. */
    @Test
    void severalRootsAndPluginsPerBehaviorAtOnce() {
        adopted.create(Layout.AKKA2);
        String id = "Cart|same";
        ActorSystem first = twoRoots();
        assertThat(put(first, id, "", "a", "b")).isEmpty();
        assertThat(put(first, id, "third", "x")).isEmpty();
        assertThat(put(first, id, "second-dynamodb")).isEqualTo("ab");
        assertThat(put(first, id, "third", "y")).isEqualTo("x");
        assertThat(payloads(thirdJournal)).containsExactlyInAnyOrder("x", "y");
        systems.stop(first);

        ActorSystem again = twoRoots();
        assertThat(put(again, id, "third")).isEqualTo("xy");
        assertThat(put(again, id, "")).isEqualTo("ab");
        Reads reads = new Reads(again);
        for (String root : List.of("second-dynamodb", "third")) {
            DynajournalReadJournal queries = reads.journal(root + ".query");
            int slice = queries.sliceForPersistenceId(id);
            assertThat(reads.<EventEnvelope<String>>all(
                            queries.currentEventsBySlices("Cart", slice, slice, NoOffset.getInstance())))
                    .as(root)
                    .extracting(EventEnvelope::event)
                    .containsExactly(root.equals("third") ? new String[] {"x", "y"} : new String[] {"a", "b"});
        }
    }

    /** Events whose snapshot holds their effect are deleted; consumers start, and go on, without them. */
    @Test
    void liveQueriesStartFromSnapshotsWhoseEventsAreDeleted() {
        adopted.create(Layout.AKKA2);
        ActorSystem system = adopted.start(
                "adopted-akka2-copy",
                "second-dynamodb.query { refresh-interval = 200 ms, start-from-snapshot.enabled = on }");
        Reads reads = new Reads(system);
        DynajournalReadJournal queries = reads.journal("second-dynamodb.query");
        String id = "Ledger|live";
        int slice = queries.sliceForPersistenceId(id);
        ActorRef ledger = reads.ledger(id);
        reads.add(ledger, "a", "b", "c");
        List<Long> written = numbers(adopted.journal, "ts");
        reads.save(ledger);
        // The time of its event, not that of the snapshot: consumers compare it with the times of events.
        assertThat(numbers(adopted.snapshots, "event_timestamp")).containsExactly(Collections.max(written));
        reads.deleteTo(ledger, 3);
        reads.add(ledger, "d");

        Reads.Consumer<EventEnvelope<String>> live =
                reads.consumer(fromSnapshots(queries, slice, NoOffset.getInstance()));
        assertThat(texts(live.next(2))).containsExactly("3 state a,b,c", "4 d");
        reads.add(ledger, "e");
        EventEnvelope<String> last = live.next();
        assertThat(texts(List.of(last))).containsExactly("5 e");
        reads.save(ledger);
        reads.deleteTo(ledger, 5);
        reads.add(ledger, "f");
        assertThat(texts(List.of(live.next()))).containsExactly("6 f");
        live.stop();

        Reads.Consumer<EventEnvelope<String>> fresh =
                reads.consumer(fromSnapshots(queries, slice, NoOffset.getInstance()));
        assertThat(texts(fresh.next(2))).containsExactly("5 state a,b,c,d,e", "6 f");
        fresh.stop();
    }

    private static Source<EventEnvelope<String>, ?> fromSnapshots(
            DynajournalReadJournal queries, int slice, Offset offset) {
        return queries.<String, String>eventsBySlicesStartingFromSnapshots(
                "Ledger", slice, slice, offset, state -> "state " + state);
    }

    private static List<String> texts(List<EventEnvelope<String>> envelopes) {
        return envelopes.stream()
                .map(envelope -> envelope.sequenceNr() + " " + envelope.event())
                .toList();
    }

    /** The message has the commands for the table with the index, which queries by slice need. */
    @Test
    void aMissingTableIsReportedWithTheCommandsThatCreateItAndItsIndex() {
        ActorSystem system = adopted.start("adopted-akka2-copy", "");
        assertThatThrownBy(() -> Reads.result(Tables.verify(system, "second-dynamodb.journal")))
                .hasMessageContainingAll(
                        "Table " + adopted.journal + " does not exist",
                        "aws dynamodb create-table --endpoint-url " + local.endpoint()
                                + " --region us-west-2 --table-name " + adopted.journal,
                        "\"IndexName\": \"" + adopted.journal + "_slice_idx\"",
                        "\"ProjectionType\": \"ALL\"");
    }
}
