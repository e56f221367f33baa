package io.dynajournal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.catalog.Layout;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.JournalLayout;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.GoldenSet;
import io.dynajournal.testkit.LocalDynamo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A journal in a new table, whose items are damaged, and the doctor that examines it. */
final class DoctorFixture {

    private final LocalDynamo local;
    private final Layout layout;
    private final JournalLayout journal;
    private final Dynamo dynamo;

    DoctorFixture(LocalDynamo local, Layout layout) {
        this.local = local;
        this.layout = layout;
        this.journal =
                layout.journal(new LayoutSettings(new HashMap<>(Map.of(layout.journalTableKey(), local.freshTable()))));
        this.dynamo = local.open(RequestListener.NONE);
        local.create(journal.table());
    }

    String table() {
        return journal.table().name();
    }

    EventLog log() {
        return journal.open(dynamo);
    }

    /** Runs the doctor. */
    CommandOutcome doctor(String... words) {
        List<String> all = new ArrayList<>(List.of(
                "doctor",
                "--layout",
                layout.spelled(),
                "--table",
                table(),
                "--endpoint",
                local.endpoint().toString(),
                "--json"));
        if (!List.of(words).contains("--settle")) {
            all.addAll(List.of("--settle", "0", "--grace", "0"));
        }
        all.addAll(List.of(words));
        return CommandOutcome.of(all);
    }

    /** The kinds and persistence ids of what the doctor finds. */
    List<String> findings(String... words) {
        CommandOutcome run = doctor(words);
        List<String> found = run.out()
                .lines()
                .map(line -> JsonNode.parser().parse(line))
                .map(line -> GoldenSet.field(line, "finding").asString() + " "
                        + GoldenSet.field(line, "persistenceId").asString())
                .toList();
        assertThat(run.code()).as(run.err() + run.out()).isEqualTo(found.isEmpty() ? 0 : 3);
        return found;
    }

    /** Repairs everything, and checks that nothing is left. */
    void repair() {
        CommandOutcome run = doctor("--repair", "--yes");
        assertThat(run.code()).as(run.err() + run.out()).isZero();
        assertThat(run.err()).contains("This repairs 1 of 1 findings").contains("1 repaired");
        assertThat(findings()).isEmpty();
    }

    List<Map<String, AttributeValue>> items() {
        return Await.result(local.client().scan(scan -> scan.tableName(table()).consistentRead(true)))
                .items();
    }

    /** The only item that has these attributes. */
    Map<String, AttributeValue> item(Map<String, AttributeValue> attributes) {
        List<Map<String, AttributeValue>> found = items().stream()
                .filter(item -> item.entrySet().containsAll(attributes.entrySet()))
                .toList();
        assertThat(found).hasSize(1);
        return new HashMap<>(found.get(0));
    }

    void put(Map<String, AttributeValue> item) {
        Await.result(local.client().putItem(put -> put.tableName(table()).item(item)));
    }

    void delete(Map<String, AttributeValue> item) {
        Map<String, AttributeValue> key = new HashMap<>();
        journal.table().keys().stream()
                .filter(each -> each.equals(journal.table().hash())
                        || each.equals(journal.table().range()))
                .forEach(each -> key.put(each.name(), item.get(each.name())));
        Await.result(
                local.client().deleteItem(delete -> delete.tableName(table()).key(key)));
    }

    void delete(Predicate<Map<String, AttributeValue>> which) {
        List<Map<String, AttributeValue>> found = items().stream().filter(which).toList();
        assertThat(found).isNotEmpty();
        found.forEach(this::delete);
    }

    /** The item of an event. */
    Map<String, AttributeValue> event(String persistenceId, long seqNr) {
        return item(
                switch (layout) {
                    case COMMITS -> Map.of("pid", s(persistenceId), "seq", n(seqNr));
                    case AKKA2 -> Map.of("pid", s(persistenceId), "seq_nr", n(seqNr));
                    case AKKA1 ->
                        Map.of("par", s("journal-P-" + persistenceId + "-" + seqNr / 100), "num", n(seqNr % 100));
                    case J5IK2O -> Map.of("persistence-id", s(persistenceId), "sequence-nr", n(seqNr));
                    case SCLASEN -> Map.of("key", s("journal-P-" + persistenceId + "-" + seqNr));
                });
    }

    /** The attribute that holds the event. */
    String payload() {
        return switch (layout) {
            case COMMITS -> "ev";
            case AKKA2 -> "event_ser_id";
            case AKKA1 -> "ev_ser_id";
            case J5IK2O -> "message";
            case SCLASEN -> "payload";
        };
    }

    static AttributeValue s(String text) {
        return AttributeValue.fromS(text);
    }

    static AttributeValue n(long number) {
        return AttributeValue.fromN(Long.toString(number));
    }

    static AttributeValue garbage() {
        return AttributeValue.fromB(SdkBytes.fromString("\u0007garbage", StandardCharsets.UTF_8));
    }
}
