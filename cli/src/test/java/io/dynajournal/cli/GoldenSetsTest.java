package io.dynajournal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.GoldenSet;
import io.dynajournal.testkit.LocalDynamo;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The four commands read what the real predecessors wrote. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GoldenSetsTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    @ParameterizedTest(name = "{0} with layout {1}")
    @CsvSource({
        "akka-2.0.12, akka2, event_journal, snapshot",
        "akka-1.3.0, akka1, akka-persistence, akka-persistence-snapshot",
        "pekko-1.1.0, akka1, pekko-persistence, pekko-persistence-snapshot",
        "j5ik2o-1.16.492, j5ik2o, Journal, Snapshot"
    })
    void everythingIsRead(String set, String name, String goldenJournal, String goldenSnapshots) {
        GoldenSet golden = new GoldenSet(set);
        Layout layout = Layout.named(name);
        String journal = local.freshTable();
        String snapshots = local.freshTable();
        local.create(layout.journal(new LayoutSettings(Map.of(layout.journalTableKey(), journal)))
                .table());
        local.create(layout.snapshots(new LayoutSettings(Map.of(layout.snapshotTableKey(), snapshots)))
                .orElseThrow()
                .table());
        golden.load(local, goldenJournal, journal);
        golden.load(local, goldenSnapshots, snapshots);

        List<String> known = new ArrayList<>();
        golden.facts().forEach((id, facts) -> {
            long highest = number(facts, "highestSeqNr");
            if (highest > 0) {
                known.add(id);
            }
            assertThat(run("highest", name, journal, id))
                    .as(id)
                    .singleElement()
                    .satisfies(line -> assertThat(number(line, "highestSeqNr")).isEqualTo(highest));
            assertThat(run("events", name, journal, id))
                    .as("events of %s", id)
                    .extracting(line -> number(line, "seqNr") + " " + payload(line))
                    .isEqualTo(expected(facts, "events", "event"));
            assertThat(run("snapshots", name, snapshots, id))
                    .as("snapshots of %s", id)
                    .extracting(line -> number(line, "seqNr") + " " + payload(line))
                    .isEqualTo(expected(facts, "snapshots", "state"));
        });
        assertThat(run("ids", name, journal))
                .extracting(line -> GoldenSet.field(line, "persistenceId").asString())
                .containsExactlyInAnyOrderElementsOf(known);
    }

    /** A plain and a confirmable message as the serializer of Akka 2.3.4 wrote them; 0.3 keeps confirmations beside them. */
    @Test
    void confirmationsOf03AreShown() {
        String table = local.freshTable();
        local.create(Layout.SCLASEN
                .journal(new LayoutSettings(Map.of(Layout.SCLASEN.journalTableKey(), table)))
                .table());
        put(table, 42, "ChQIARIQrO0ABXQACWhlbGxvLTIuMxAqGgZwcm9jLTEgADAAQAA=", "channel-b", "channel-a");
        put(table, 43, "ChQIARIQrO0ABXQACWhlbGxvLTIuMxArGgZwcm9jLTEgADAAQAA=");
        put(
                table,
                Map.of("key", AttributeValue.fromS("journal-SH-proc-1-43"), "sequenceNr", AttributeValue.fromN("43")));

        List<JsonNode> lines = run("events", "sclasen", table, "proc-1");
        assertThat(lines).extracting(line -> number(line, "seqNr")).containsExactly(42L, 43L);
        assertThat(GoldenSet.field(lines.get(0), "confirmations").asArray())
                .extracting(JsonNode::asString)
                .containsExactly("channel-a", "channel-b");
        assertThat(lines.get(1).field("confirmations")).isEmpty();
    }

    private void put(String table, long seqNr, String payload, String... confirmations) {
        Map<String, AttributeValue> item = new HashMap<>(Map.of(
                "key", AttributeValue.fromS("journal-P-proc-1-" + seqNr),
                "deleted", AttributeValue.fromS("false"),
                "payload",
                        AttributeValue.fromB(
                                SdkBytes.fromByteArray(Base64.getDecoder().decode(payload)))));
        if (confirmations.length > 0) {
            item.put("confirmations", AttributeValue.fromSs(List.of(confirmations)));
        }
        put(table, item);
    }

    private void put(String table, Map<String, AttributeValue> item) {
        Await.result(local.client().putItem(put -> put.tableName(table).item(item)));
    }

    private static List<String> expected(JsonNode facts, String list, String text) {
        return GoldenSet.field(facts, list).asArray().stream()
                .map(one ->
                        number(one, "seqNr") + " " + GoldenSet.field(one, text).asString())
                .toList();
    }

    private static long number(JsonNode node, String name) {
        return Long.parseLong(GoldenSet.field(node, name).asNumber());
    }

    private static String payload(JsonNode line) {
        return new String(
                Base64.getDecoder().decode(GoldenSet.field(line, "payload").asString()), StandardCharsets.UTF_8);
    }

    private List<JsonNode> run(String command, String layout, String table, String... id) {
        List<String> words = new ArrayList<>(List.of(
                command,
                "--json",
                "--layout",
                layout,
                "--table",
                table,
                "--endpoint",
                local.endpoint().toString(),
                "--"));
        words.addAll(List.of(id));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                words.toArray(String[]::new));
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(code).isZero();
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .map(line -> JsonNode.parser().parse(line))
                .toList();
    }
}
