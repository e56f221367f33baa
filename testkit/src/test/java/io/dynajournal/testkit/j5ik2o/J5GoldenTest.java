package io.dynajournal.testkit.j5ik2o;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.j5ik2o.J5Journal;
import io.dynajournal.internal.layout.j5ik2o.J5Snapshots;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.PageToken;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.GoldenSet;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads every row that the predecessor wrote, and writes the same rows. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class J5GoldenTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final GoldenSet golden = new GoldenSet("j5ik2o-1.16.492");
    private final J5Journal journal = J5Journal.of(new LayoutSettings(Map.of("table-name", local.freshTable())));
    private final J5Snapshots snapshots = J5Snapshots.of(new LayoutSettings(Map.of("table-name", local.freshTable())));
    private final Dynamo dynamo = local.open(RequestListener.NONE);
    private final EventLog log = journal.open(dynamo);
    private final SnapshotTable snapshotTable = snapshots.open(dynamo);

    @BeforeAll
    void load() {
        local.create(journal.table());
        local.create(snapshots.table());
        golden.load(local, "Journal", journal.tableName());
        golden.load(local, "Snapshot", snapshots.tableName());
    }

    private static String text(StoredEvent event) {
        return new String(event.event().payload().bytes(), StandardCharsets.UTF_8);
    }

    private static long number(JsonNode node, String name) {
        return Long.parseLong(GoldenSet.field(node, name).asNumber());
    }

    private static Set<String> tags(JsonNode event) {
        return event.field("tags")
                .map(tags -> tags.asArray().stream().map(JsonNode::asString).collect(Collectors.toSet()))
                .orElse(Set.of());
    }

    @Test
    void everyEventIsRead() {
        golden.facts().forEach((id, facts) -> {
            List<JsonNode> expected = GoldenSet.field(facts, "events").asArray();
            List<StoredEvent> stored = LogReading.all(log, id);
            assertThat(stored).as(id).hasSameSizeAs(expected);
            for (int i = 0; i < stored.size(); i++) {
                StoredEvent event = stored.get(i);
                assertThat(event.seqNr()).isEqualTo(number(expected.get(i), "seqNr"));
                assertThat(text(event))
                        .isEqualTo(GoldenSet.field(expected.get(i), "event").asString());
                assertThat(event.event().tags()).isEqualTo(tags(expected.get(i)));
                assertThat(event.persistenceId()).isEqualTo(id);
                assertThat(event.writer()).hasSize(36);
                assertThat(event.event().payload().serializerId()).isEqualTo(20);
                assertThat(event.timestampMicros()).isGreaterThan(1_700_000_000_000_000L);
            }
        });
    }

    @Test
    void highestSequenceNumbersAndDeletesAreRead() {
        golden.facts().forEach((id, facts) -> {
            LogEnd end = Await.result(log.head(id, 1)).end();
            assertThat(end.seqNr()).as(id).isEqualTo(number(facts, "highestSeqNr"));
            assertThat(end.writer()).hasSize(36);
            List<StoredEvent> stored = LogReading.all(log, id);
            long deletedTo = stored.isEmpty() ? end.seqNr() : stored.get(0).seqNr() - 1;
            assertThat(deletedTo).as(id).isEqualTo(number(facts, "deletedTo"));
        });
    }

    @Test
    void everySnapshotIsRead() {
        golden.facts().forEach((id, facts) -> {
            List<String> found = new ArrayList<>();
            long max = Long.MAX_VALUE;
            Optional<StoredSnapshot> next = Await.result(snapshotTable.load(id, SnapshotCriteria.ALL));
            while (next.isPresent()) {
                StoredSnapshot snapshot = next.get();
                found.add(
                        0,
                        snapshot.seqNr() + " " + new String(snapshot.payload().bytes(), StandardCharsets.UTF_8));
                assertThat(snapshot.timestamp()).isGreaterThan(1_700_000_000_000L);
                max = snapshot.seqNr() - 1;
                next = Await.result(snapshotTable.load(id, new SnapshotCriteria(0, max, 0, Long.MAX_VALUE)));
            }
            assertThat(found)
                    .as(id)
                    .isEqualTo(GoldenSet.field(facts, "snapshots").asArray().stream()
                            .map(snapshot -> number(snapshot, "seqNr") + " "
                                    + GoldenSet.field(snapshot, "state").asString())
                            .toList());
        });
    }

    @Test
    void everyPersistenceIdIsListedOnce() {
        assertThat(ids(journal.ids(dynamo)))
                .containsExactlyInAnyOrderElementsOf(golden.facts().keySet());
        assertThat(ids(snapshots.ids(dynamo)))
                .containsExactlyInAnyOrder("Cart|a-b/c", "counter-875e6ce0425e4d2b8203f3b44b9b531a", "gone-1");
    }

    private static List<String> ids(PersistenceIds ids) {
        List<String> found = new ArrayList<>();
        @Nullable PageToken token = null;
        do {
            PersistenceIds.IdPage page = Await.result(ids.read(token));
            found.addAll(page.ids());
            token = page.next();
        } while (token != null);
        return found;
    }

    @Test
    void ourEventsAreTheSameRows() {
        String table = local.freshTable();
        J5Journal copy = J5Journal.of(new LayoutSettings(Map.of("table-name", table)));
        local.create(copy.table());
        EventLog copyLog = copy.open(dynamo);
        List<Map<String, AttributeValue>> expected = new ArrayList<>();
        for (Map<String, AttributeValue> item : golden.items("Journal")) {
            if (!item.getOrDefault("deleted", AttributeValue.fromBool(true)).bool()) {
                expected.add(comparable(item));
            }
        }
        golden.facts()
                .keySet()
                .forEach(id -> LogReading.all(log, id).forEach(event -> {
                    LogEnd before = new LogEnd(event.seqNr() - 1, 0, "", 0);
                    Await.result(copyLog.append(
                            EventBatch.of(id, event.writer(), event.seqNr(), List.of(event.event())), before));
                }));
        List<Map<String, AttributeValue>> written =
                Await.result(local.client().scan(scan -> scan.tableName(table))).items().stream()
                        .map(J5GoldenTest::comparable)
                        .toList();
        assertThat(written).hasSize(363).containsExactlyInAnyOrderElementsOf(expected);
    }

    /** Without the time of writing, and with sorted tags. */
    private static Map<String, AttributeValue> comparable(Map<String, AttributeValue> item) {
        Map<String, AttributeValue> copy = new HashMap<>(item);
        assertThat(Objects.requireNonNull(copy.remove("ordering")).n()).hasSize(13);
        copy.computeIfPresent(
                "tags",
                (name, tags) -> AttributeValue.fromSs(
                        List.of(tags.s().split(",", -1)).stream().sorted().toList()));
        return copy;
    }

    @Test
    void ourSnapshotsAreTheSameRows() {
        String table = local.freshTable();
        J5Snapshots copy = J5Snapshots.of(new LayoutSettings(Map.of("table-name", table)));
        local.create(copy.table());
        golden.facts()
                .forEach((id, facts) -> GoldenSet.field(facts, "snapshots")
                        .asArray()
                        .forEach(snapshot -> {
                            StoredSnapshot stored = Await.result(
                                            snapshotTable.load(id, SnapshotCriteria.exactly(number(snapshot, "seqNr"))))
                                    .orElseThrow();
                            Await.result(copy.open(dynamo).save(stored));
                        }));
        assertThat(Await.result(local.client().scan(scan -> scan.tableName(table)))
                        .items())
                .containsExactlyInAnyOrderElementsOf(golden.items("Snapshot"));
    }
}
