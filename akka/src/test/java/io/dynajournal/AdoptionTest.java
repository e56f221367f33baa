package io.dynajournal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.event.Logging;
import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.envelope.PersistentMessage;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.sclasen.SclasenJournal;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.testkit.GoldenSet;
import io.dynajournal.testkit.LocalDynamo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The predecessors' documented configurations on what the predecessors wrote, with nothing but our jar. */
final class AdoptionTest {

    private static final int STRINGS = 20;

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    @RegisterExtension
    final Systems systems = new Systems();

    private final Adopted adopted = new Adopted(local, systems);
    private final String journal = adopted.journal;

    private ActorSystem start(String settings, String overrides) {
        return adopted.start(settings, overrides);
    }

    @ParameterizedTest
    @CsvSource({
        "adopted-akka1, AKKA1, akka-1.3.0, akka-persistence, akka-persistence-snapshot",
        "adopted-akka1-java, AKKA1, akka-1.3.0-java-serialization, akka-persistence, akka-persistence-snapshot",
        "adopted-akka1, AKKA1, pekko-1.1.0, pekko-persistence, pekko-persistence-snapshot",
        "adopted-akka2, AKKA2, akka-2.0.12, event_journal, snapshot",
        "adopted-akka2-copy, AKKA2, akka-2.0.12, event_journal, snapshot",
        "adopted-akka2-old-name, AKKA2, akka-2.0.12, event_journal, snapshot",
        "adopted-j5ik2o, J5IK2O, j5ik2o-1.16.492, Journal, Snapshot"
    })
    void documentedConfigurationRecoversEveryEntityAndGoesOn(
            String settings, Layout layout, String set, String goldenJournal, String goldenSnapshots) {
        GoldenSet golden = new GoldenSet(set);
        adopted.load(layout, golden, goldenJournal, goldenSnapshots);

        ActorSystem first = start(settings, "");
        Map<String, List<String>> states = new TreeMap<>();
        golden.facts().forEach((id, facts) -> {
            long highest = Adopted.number(facts, "highestSeqNr");
            Probe probe = new Probe(first);
            ActorRef ledger = first.actorOf(Ledger.props(id, probe.ref()));
            assertThat(probe.expect(Ledger.Recovered.class).seqNr()).as(id).isEqualTo(highest);
            List<String> expected = state(facts);
            assertThat(probe.state(ledger).events()).as(id).isEqualTo(expected);

            ledger.tell(new Ledger.Add("one more"), ActorRef.noSender());
            ledger.tell(new Ledger.AddAll(List.of("two", "at once")), ActorRef.noSender());
            assertThat(probe.expect(3, Ledger.Added.class))
                    .extracting(Ledger.Added::seqNr)
                    .containsExactly(highest + 1, highest + 2, highest + 3);
            states.put(id, with(expected, "one more", "two", "at once"));
        });
        systems.stop(first);

        ActorSystem second = start(settings, "");
        states.forEach((id, expected) -> {
            Probe probe = new Probe(second);
            ActorRef ledger = second.actorOf(Ledger.props(id, probe.ref()));
            probe.expect(Ledger.Recovered.class);
            assertThat(probe.state(ledger).events()).as(id).isEqualTo(expected);
        });
    }

    private static List<String> with(List<String> before, String... more) {
        List<String> all = new ArrayList<>(before);
        all.addAll(List.of(more));
        return all;
    }

    /** The newest snapshot, and the events behind it. */
    private static List<String> state(JsonNode facts) {
        List<String> state = new ArrayList<>();
        long at = 0;
        for (JsonNode snapshot : GoldenSet.field(facts, "snapshots").asArray()) {
            state.clear();
            state.add(GoldenSet.field(snapshot, "state").asString());
            at = Adopted.number(snapshot, "seqNr");
        }
        for (JsonNode event : GoldenSet.field(facts, "events").asArray()) {
            if (Adopted.number(event, "seqNr") > at) {
                state.add(GoldenSet.field(event, "event").asString());
            }
        }
        return state;
    }

    @Test
    void tableOf03IsKnownByItsKeyAndHasItsOwnDefaultOfShards() {
        SclasenJournal layout = SclasenJournal.of(new LayoutSettings(Map.of("journal-table", journal)));
        local.create(layout.table());
        String id = "processor-1";
        for (long n = 1; n <= 25; n++) {
            PersistentMessage message = new PersistentMessage(
                    new Payload(STRINGS, "", ("event " + n).getBytes(StandardCharsets.UTF_8)),
                    n,
                    id,
                    false,
                    "",
                    "",
                    0,
                    null);
            put(Map.of(
                    "key", AttributeValue.fromS("journal-P-" + id + "-" + n),
                    "deleted", AttributeValue.fromS("false"),
                    "payload", AttributeValue.fromB(SdkBytes.fromByteArray(message.encode()))));
        }
        // The mark of the last number is in shard 25: beyond the ten shards of 1.x.
        put(Map.of("key", AttributeValue.fromS("journal-SH-" + id + "-25"), "sequenceNr", AttributeValue.fromN("25")));

        ActorSystem system = start("adopted-sclasen", "");
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(id, probe.ref()));

        assertThat(probe.expect(Ledger.Recovered.class).seqNr()).isEqualTo(25);
        ledger.tell(new Ledger.Add("event 26"), ActorRef.noSender());
        assertThat(probe.expect(Ledger.Added.class).seqNr()).isEqualTo(26);
        assertThat(probe.state(ledger).events())
                .hasSize(26)
                .startsWith("event 1")
                .endsWith("event 26");
    }

    private void put(Map<String, AttributeValue> item) {
        local.client()
                .putItem(put -> put.tableName(journal).item(item))
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    @Test
    void settingsWithoutEffectAreToldInOneWarning() {
        ActorSystem system = start("adopted-akka1", """
                my-dynamodb-journal {
                  create-tables = on, tracing = on, sequence-shard = 7
                  aws-client-config { user-agent = me, max-connections = 20 }
                }
                my-dynamodb-snapshot-store.create-tables = on
                """);
        Probe logs = new Probe(system);
        system.eventStream().subscribe(logs.ref(), Logging.Warning.class);
        Probe probe = new Probe(system);
        system.actorOf(Ledger.props(Systems.freshId(), probe.ref()));
        system.actorOf(Ledger.props(Systems.freshId(), probe.ref()));
        probe.expect(2, Ledger.Recovered.class);

        assertThat(logs.heard(Logging.Warning.class))
                .extracting(warning -> String.valueOf(warning.message()))
                .filteredOn(line -> line.contains("no effect"))
                .singleElement()
                .asString()
                .startsWith("my-dynamodb-journal: ")
                .contains(
                        "my-dynamodb-journal.tracing (give DynajournalSetup a RequestListener)",
                        "my-dynamodb-journal.aws-client-config.user-agent (give",
                        "my-dynamodb-journal.sequence-shard (not a known setting)")
                .doesNotContain("max-connections", "create-tables", "dispatcher");
    }

    @Test
    void eventThatIsTooLargeForTheLayoutIsRejectedAndTheEntityGoesOn() {
        ActorSystem system = start(
                "adopted-akka1",
                "my-dynamodb-journal.create-tables = on, my-dynamodb-snapshot-store.create-tables = on");
        Probe probe = new Probe(system);
        ActorRef ledger = system.actorOf(Ledger.props(Systems.freshId(), probe.ref()));
        probe.expect(Ledger.Recovered.class);

        ledger.tell(new Ledger.Add("x".repeat(500_000)), ActorRef.noSender());
        assertThat(probe.expect(Ledger.Rejected.class).cause()).hasMessageContaining("bytes");
        ledger.tell(new Ledger.Add("small"), ActorRef.noSender());
        probe.expect(Ledger.Added.class);
        assertThat(probe.state(ledger).events()).containsExactly("small");
    }

    @Test
    void twoJournalsShareATable() {
        String overrides = """
                my-dynamodb-journal.create-tables = on, my-dynamodb-snapshot-store.create-tables = on
                other = ${my-dynamodb-journal}
                other.journal-name = other
                """;
        ActorSystem system = start("adopted-akka1", overrides);
        String id = Systems.freshId();
        Probe probe = new Probe(system);
        ActorRef one = system.actorOf(Ledger.props(id, probe.ref()));
        probe.expect(Ledger.Recovered.class);
        ActorRef other = system.actorOf(Ledger.props(id, probe.ref(), "other", ""));
        probe.expect(Ledger.Recovered.class);

        one.tell(new Ledger.Add("one"), ActorRef.noSender());
        other.tell(new Ledger.Add("other"), ActorRef.noSender());
        assertThat(probe.expect(2, Ledger.Added.class))
                .extracting(Ledger.Added::seqNr)
                .containsExactly(1L, 1L);
        systems.stop(system);

        ActorSystem again = start("adopted-akka1", overrides);
        Probe probed = new Probe(again);
        ActorRef recovered = again.actorOf(Ledger.props(id, probed.ref(), "other", ""));
        probed.expect(Ledger.Recovered.class);
        assertThat(probed.state(recovered).events()).containsExactly("other");
    }
}
