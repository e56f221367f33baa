package io.dynajournal.testkit.akka2;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.akka2.Akka2Journal;
import io.dynajournal.internal.layout.akka2.Akka2Snapshots;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.PersistenceIds;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.GoldenSet;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads every item that akka-persistence-dynamodb 2.0.12 wrote, and writes the same items. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Akka2GoldenTest {

    private static final GoldenSet GOLDEN = new GoldenSet("akka-2.0.12");

    @RegisterExtension
    private final LocalDynamo local = new LocalDynamo();

    private final Akka2Journal journal =
            Akka2Journal.of(new LayoutSettings(Map.of("journal.table", local.freshTable())));
    private final Akka2Snapshots snapshots =
            Akka2Snapshots.of(new LayoutSettings(Map.of("snapshot.table", local.freshTable())));

    @BeforeAll
    void fill() {
        local.create(journal.table());
        local.create(snapshots.table());
        GOLDEN.load(local, "event_journal", journal.tableName());
        GOLDEN.load(local, "snapshot", snapshots.tableName());
    }

    private EventLog log() {
        return journal.open(local.open(RequestListener.NONE));
    }

    private SnapshotTable snapshotTable() {
        return snapshots.open(local.open(RequestListener.NONE));
    }

    static Set<String> ids() {
        return GOLDEN.facts().keySet();
    }

    private static Map<String, JsonNode> facts(String id) {
        return Objects.requireNonNull(GOLDEN.facts().get(id)).asObject();
    }

    private static long number(Map<String, JsonNode> facts, String name) {
        return Long.parseLong(Objects.requireNonNull(facts.get(name)).asNumber());
    }

    private static List<JsonNode> list(Map<String, JsonNode> facts, String name) {
        return Objects.requireNonNull(facts.get(name)).asArray();
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @MethodSource("ids")
    void everyEventIsRead(String id) {
        List<StoredEvent> events = LogReading.all(log(), id);
        List<JsonNode> expected = list(facts(id), "events");
        assertThat(events).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            Map<String, JsonNode> fact = expected.get(i).asObject();
            StoredEvent event = events.get(i);
            assertThat(event.seqNr()).isEqualTo(number(fact, "seqNr"));
            assertThat(text(event.event().payload().bytes()))
                    .isEqualTo(Objects.requireNonNull(fact.get("event")).asString());
            assertThat(event.event().payload().serializerId()).isEqualTo(20);
            Set<String> tags = new HashSet<>();
            if (fact.containsKey("tags")) {
                list(fact, "tags").forEach(tag -> tags.add(tag.asString()));
            }
            assertThat(event.event().tags()).isEqualTo(tags);
            assertThat(event.writer()).hasSize(36);
            assertThat(event.timestampMicros()).isGreaterThan(1_700_000_000_000_000L);
        }
        assertThat(LogReading.highest(log(), id)).isEqualTo(number(facts(id), "highestSeqNr"));
    }

    @ParameterizedTest
    @MethodSource("ids")
    void everySnapshotIsRead(String id) {
        Optional<StoredSnapshot> found = Await.result(snapshotTable().load(id, SnapshotCriteria.ALL));
        List<JsonNode> expected = list(facts(id), "snapshots");
        assertThat(found.isPresent()).isEqualTo(!expected.isEmpty());
        found.ifPresent(snapshot -> {
            Map<String, JsonNode> fact = expected.get(0).asObject();
            assertThat(snapshot.seqNr()).isEqualTo(number(fact, "seqNr"));
            assertThat(text(snapshot.payload().bytes()))
                    .isEqualTo(Objects.requireNonNull(fact.get("state")).asString());
            assertThat(snapshot.timestamp()).isBetween(1_700_000_000_000L, 2_000_000_000_000L);
        });
    }

    @Test
    void everyPersistenceIdIsListedOnce() {
        Set<String> stored = new HashSet<>(ids());
        stored.remove("fresh|0");
        assertThat(list(journal.ids(local.open(RequestListener.NONE)))).containsExactlyInAnyOrderElementsOf(stored);
        assertThat(list(snapshots.ids(local.open(RequestListener.NONE))))
                .containsExactlyInAnyOrder(
                        "Cart|a-b/c", "TtlCart|1", "counter-875e6ce0425e4d2b8203f3b44b9b531a", "gone-1");
    }

    private static List<String> list(PersistenceIds ids) {
        List<String> found = new ArrayList<>();
        PersistenceIds.IdPage page = Await.result(ids.read(null));
        found.addAll(page.ids());
        while (page.next() != null) {
            page = Await.result(ids.read(page.next()));
            found.addAll(page.ids());
        }
        return found;
    }

    @Test
    void theTablesHaveTheirKeysAndIndexes() {
        Akka2Journal theirs = Akka2Journal.of(new LayoutSettings(Map.of()));
        assertThat(theirs.table().name()).isEqualTo("event_journal");
        assertThat(theirs.table().indexes().get(0).name()).isEqualTo("event_journal_slice_idx");
        assertThat(theirs.table().indexes().get(0).projected()).hasSizeLessThanOrEqualTo(20);
        Akka2Snapshots kept = Akka2Snapshots.of(new LayoutSettings(Map.of()));
        assertThat(kept.table().name()).isEqualTo("snapshot");
        assertThat(kept.table().indexes().get(0).name()).isEqualTo("snapshot_slice_idx");
    }

    /** Compares single events by all attributes except the time. */
    @Test
    void ourEventsAreTheSameItems() {
        for (String id : List.of("Cart|a-b/c", "counter-875e6ce0425e4d2b8203f3b44b9b531a", "ünï|x")) {
            List<Map<String, AttributeValue>> theirs = GOLDEN.items("event_journal").stream()
                    .filter(item -> id.equals(value(item, "pid").s()) && item.containsKey("event_payload"))
                    .toList();
            Akka2Journal own = Akka2Journal.of(local.freshTable());
            local.create(own.table());
            EventLog target = own.open(local.open(RequestListener.NONE));
            for (StoredEvent event : LogReading.all(log(), id)) {
                Await.result(target.append(
                        EventBatch.of(id, event.writer(), event.seqNr(), List.of(event.event())),
                        new LogEnd(event.seqNr() - 1, 0, event.writer(), System.currentTimeMillis())));
            }
            List<Map<String, AttributeValue>> ours = RawItems.all(local.client(), own.tableName());
            assertThat(byNumber(ours)).isEqualTo(byNumber(theirs));
        }
    }

    private static AttributeValue value(Map<String, AttributeValue> item, String name) {
        return Objects.requireNonNull(item.get(name));
    }

    /** By sequence number, without the time and with sorted sets. */
    private static Map<String, Map<String, AttributeValue>> byNumber(List<Map<String, AttributeValue>> items) {
        Map<String, Map<String, AttributeValue>> sorted = new HashMap<>();
        for (Map<String, AttributeValue> item : items) {
            Map<String, AttributeValue> comparable = new HashMap<>(item);
            comparable.remove("ts");
            comparable.computeIfPresent(
                    "tags",
                    (name, tags) ->
                            AttributeValue.fromSs(tags.ss().stream().sorted().toList()));
            sorted.put(value(item, "seq_nr").n(), comparable);
        }
        return sorted;
    }

    @Test
    void ourSnapshotsAreTheSameItems() {
        Akka2Snapshots own = Akka2Snapshots.of(new LayoutSettings(Map.of(
                "snapshot.table",
                local.freshTable(),
                "time-to-live.event-sourced-entities.\"Ttl*\".snapshot-time-to-live",
                "3650 days")));
        local.create(own.table());
        SnapshotTable target = own.open(local.open(RequestListener.NONE));
        for (Map<String, AttributeValue> item : GOLDEN.items("snapshot")) {
            String id = value(item, "pid").s();
            StoredSnapshot snapshot =
                    Await.result(snapshotTable().load(id, SnapshotCriteria.ALL)).orElseThrow();
            Await.result(target.save(snapshot));
        }
        Map<String, Map<String, AttributeValue>> ours = new HashMap<>();
        RawItems.all(local.client(), own.tableName())
                .forEach(item -> ours.put(value(item, "pid").s(), item));
        GOLDEN.items("snapshot").forEach(theirs -> {
            Map<String, AttributeValue> mine =
                    Objects.requireNonNull(ours.get(value(theirs, "pid").s()));
            assertThat(mine.keySet()).isEqualTo(theirs.keySet());
            theirs.forEach((name, value) -> {
                if (!name.equals("event_timestamp") && !name.equals("expiry")) {
                    assertThat(mine.get(name)).as(name).isEqualTo(value);
                }
            });
        });
    }

    @Test
    void everyLogContinuesAfterItsLastEvent() {
        Akka2Journal copy = Akka2Journal.of(local.freshTable());
        local.create(copy.table());
        GOLDEN.load(local, "event_journal", copy.tableName());
        EventLog target = copy.open(local.open(RequestListener.NONE));
        for (String id : ids()) {
            List<Event> before = LogReading.contents(LogReading.all(target, id));
            LogWriter writer = LogWriter.recover(target, id).write(1).write(3);
            List<Event> all = new ArrayList<>(before);
            all.addAll(writer.written());
            assertThat(LogReading.contents(LogReading.all(target, id))).isEqualTo(all);
            assertThat(LogReading.highest(target, id)).isEqualTo(number(facts(id), "highestSeqNr") + 4);
        }
    }
}
