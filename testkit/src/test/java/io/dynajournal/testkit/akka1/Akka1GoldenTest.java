package io.dynajournal.testkit.akka1;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.dynamo.TableAdmin;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.akka1.Akka1Journal;
import io.dynajournal.internal.layout.akka1.Akka1Snapshots;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
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
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.LocalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** Reads every event and snapshot that the predecessors wrote, and writes the same items. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Akka1GoldenTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final Dynamo dynamo = local.open(RequestListener.NONE);

    private static JsonNode json(String set, String file) {
        try (InputStream in = Objects.requireNonNull(
                Akka1GoldenTest.class.getResourceAsStream("/golden/" + set + "/" + file), file)) {
            return JsonNode.parser().parse(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode field(JsonNode node, String name) {
        return node.field(name).orElseThrow();
    }

    private static long number(JsonNode node, String name) {
        return Long.parseLong(field(node, name).asNumber());
    }

    /** The items of the journal or the snapshot table of a set. */
    private static List<Map<String, AttributeValue>> items(String set, boolean snapshots) {
        GoldenSet golden = new GoldenSet(set);
        return golden.tables().stream()
                .filter(table -> table.endsWith("-snapshot") == snapshots)
                .flatMap(table -> golden.items(table).stream())
                .toList();
    }

    private Akka1Journal journal(String set) {
        Akka1Journal journal = Akka1Journal.of(new LayoutSettings(Map.of("journal-table", local.freshTable())));
        local.create(journal.table());
        Await.result(dynamo.putAll(
                journal.tableName(), items(set, false).stream().map(Item::of).toList()));
        return journal;
    }

    private Akka1Snapshots snapshots(String set) {
        Akka1Snapshots snapshots = Akka1Snapshots.of(new LayoutSettings(Map.of("snapshot-table", local.freshTable())));
        local.create(snapshots.table());
        Await.result(dynamo.putAll(
                snapshots.tableName(), items(set, true).stream().map(Item::of).toList()));
        return snapshots;
    }

    /** Strings of both serializers: UTF-8 or Java serialization. */
    private static String text(Payload payload) {
        assertThat(payload.serializerId()).isIn(1, 20);
        assertThat(payload.manifest()).isEmpty();
        if (payload.serializerId() == 20) {
            return new String(payload.bytes(), StandardCharsets.UTF_8);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(payload.bytes()))) {
            return (String) in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"akka-1.3.0", "akka-1.3.0-java-serialization", "pekko-1.1.0"})
    void everyEventIsRead(String set) {
        Akka1Journal journal = journal(set);
        EventLog log = journal.open(dynamo);
        Map<String, JsonNode> facts = new GoldenSet(set).facts();
        assertThat(facts).hasSize(4);
        facts.forEach((id, fact) -> {
            assertThat(LogReading.highest(log, id)).as(id).isEqualTo(number(fact, "highestSeqNr"));
            List<StoredEvent> events = LogReading.all(log, id);
            assertThat(events.stream()
                            .map(e -> e.seqNr() + " " + text(e.event().payload()))
                            .toList())
                    .isEqualTo(field(fact, "events").asArray().stream()
                            .map(e ->
                                    number(e, "seqNr") + " " + field(e, "event").asString())
                            .toList());
            assertThat(events).allSatisfy(event -> {
                assertThat(event.seqNr()).isGreaterThan(number(fact, "deletedTo"));
                assertThat(event.persistenceId()).isEqualTo(id);
                assertThat(event.writer()).hasSize(36);
                assertThat(event.event().tags()).isEmpty();
            });
            batches(fact).forEach((first, size) -> {
                assertThat(LogReading.numbers(
                                LogReading.read(log, id, SeqRange.wholeWrites(first, first + size - 2, 1000))))
                        .isEmpty();
                assertThat(LogReading.read(log, id, LogReading.everythingFrom(first + 1)))
                        .first()
                        .matches(event -> event.seqNr() == first + 1);
            });
        });
        assertThat(ids(journal)).containsExactlyInAnyOrderElementsOf(facts.keySet());
    }

    private static Map<Long, Long> batches(JsonNode fact) {
        Map<Long, Long> batches = new HashMap<>();
        field(fact, "atomicBatches_firstSeqNr_size")
                .asArray()
                .forEach(batch -> batches.put(
                        Long.valueOf(batch.asArray().get(0).asNumber()),
                        Long.valueOf(batch.asArray().get(1).asNumber())));
        return batches;
    }

    private List<String> ids(Akka1Journal journal) {
        List<String> ids = new ArrayList<>();
        PersistenceIds all = journal.ids(dynamo);
        PersistenceIds.IdPage page = Await.result(all.read(null));
        ids.addAll(page.ids());
        while (page.next() != null) {
            page = Await.result(all.read(page.next()));
            ids.addAll(page.ids());
        }
        return ids;
    }

    @ParameterizedTest
    @ValueSource(strings = {"akka-1.3.0", "akka-1.3.0-java-serialization", "pekko-1.1.0"})
    void everySnapshotIsRead(String set) {
        SnapshotTable table = snapshots(set).open(dynamo);
        new GoldenSet(set).facts().forEach((id, fact) -> {
            List<String> found = new ArrayList<>();
            Optional<StoredSnapshot> next = Await.result(table.load(id, SnapshotCriteria.ALL));
            while (next.isPresent()) {
                found.add(0, next.get().seqNr() + " " + text(next.get().payload()));
                next = Await.result(
                        table.load(id, new SnapshotCriteria(0, next.get().seqNr() - 1, 0, Long.MAX_VALUE)));
            }
            assertThat(found)
                    .isEqualTo(field(fact, "snapshots").asArray().stream()
                            .map(s ->
                                    number(s, "seqNr") + " " + field(s, "state").asString())
                            .toList());
        });
    }

    /** Writing every event again, in the same atomic writes and by the same writers, gives the same items. */
    @ParameterizedTest
    @ValueSource(strings = {"akka-1.3.0", "akka-1.3.0-java-serialization", "pekko-1.1.0"})
    void ourEventsAreTheSameItems(String set) {
        EventLog theirs = journal(set).open(dynamo);
        Akka1Journal copy = Akka1Journal.of(local.freshTable());
        local.create(copy.table());
        EventLog ours = copy.open(dynamo);
        new GoldenSet(set).facts().forEach((id, fact) -> {
            List<StoredEvent> events = LogReading.all(theirs, id);
            Map<Long, Long> batches = batches(fact);
            LogEnd end = new LogEnd(number(fact, "deletedTo"), 0, "", System.currentTimeMillis());
            for (int i = 0; i < events.size(); ) {
                StoredEvent first = events.get(i);
                int size = batches.getOrDefault(first.seqNr(), 1L).intValue();
                List<Event> write = LogReading.contents(events.subList(i, i + size));
                end = Await.result(ours.append(EventBatch.of(id, first.writer(), first.seqNr(), write), end));
                i += size;
            }
        });
        List<Map<String, AttributeValue>> expected = items(set, false).stream()
                .filter(item -> !Item.of(item).text("par").startsWith("journal-SL-"))
                .toList();
        assertThat(new Akka1Table(local.client(), copy.tableName()).items())
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"akka-1.3.0", "akka-1.3.0-java-serialization", "pekko-1.1.0"})
    void ourSnapshotsAreTheSameItems(String set) {
        SnapshotTable theirs = snapshots(set).open(dynamo);
        Akka1Snapshots copy = Akka1Snapshots.of(local.freshTable());
        local.create(copy.table());
        SnapshotTable ours = copy.open(dynamo);
        for (Map<String, AttributeValue> item : items(set, true)) {
            String id = Item.of(item).text("par").substring("journal-P-".length());
            long seqNr = Item.of(item).number("seq");
            Await.result(ours.save(Await.result(theirs.load(id, SnapshotCriteria.exactly(seqNr)))
                    .orElseThrow()));
        }
        assertThat(new Akka1Table(local.client(), copy.tableName()).items())
                .containsExactlyInAnyOrderElementsOf(items(set, true));
    }

    /** A table as the predecessor's scripts create it, under another name. */
    private String theirTable(JsonNode description) {
        String name = local.freshTable();
        Await.result(local.client().createTable(request -> {
            request.tableName(name)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .keySchema(schema(description))
                    .attributeDefinitions(field(description, "AttributeDefinitions").asArray().stream()
                            .map(attribute -> AttributeDefinition.builder()
                                    .attributeName(
                                            field(attribute, "AttributeName").asString())
                                    .attributeType(
                                            field(attribute, "AttributeType").asString())
                                    .build())
                            .toList());
            description
                    .field("LocalSecondaryIndexes")
                    .ifPresent(indexes -> request.localSecondaryIndexes(indexes.asArray().stream()
                            .map(index -> LocalSecondaryIndex.builder()
                                    .indexName(field(index, "IndexName").asString())
                                    .keySchema(schema(index))
                                    .projection(all ->
                                            all.projectionType(field(field(index, "Projection"), "ProjectionType")
                                                    .asString()))
                                    .build())
                            .toList()));
        }));
        return name;
    }

    private static List<KeySchemaElement> schema(JsonNode description) {
        return field(description, "KeySchema").asArray().stream()
                .map(key -> KeySchemaElement.builder()
                        .attributeName(field(key, "AttributeName").asString())
                        .keyType(field(key, "KeyType").asString())
                        .build())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"akka-1.3.0", "pekko-1.1.0"})
    void theirTablesPassOurCheckAndOursAreTheSame(String set) {
        TableAdmin admin = new TableAdmin(local.client());
        json(set, "table.json").asObject().forEach((name, description) -> {
            String theirs = theirTable(description);
            TableSpec spec = name.endsWith("-snapshot")
                    ? Akka1Snapshots.of(theirs).table()
                    : Akka1Journal.of(theirs).table();
            Await.result(admin.verify(spec));
            String other = local.freshTable();
            local.create(new TableSpec(other, spec.hash(), spec.range(), spec.indexes(), null, spec.localIndexes()));
            assertThat(shape(other)).isEqualTo(shape(theirs));
        });
    }

    @Test
    void theIndexOfPersistenceIdsHasTwoForms() {
        TableAdmin admin = new TableAdmin(local.client());
        TableSpec plain = Akka1Journal.of(local.freshTable())
                .withIdsIndex("persistence-ids-idx")
                .table();
        TableSpec sorted = Akka1Journal.of(local.freshTable())
                .withSortedIdsIndex("persistence-ids-idx")
                .table();
        for (TableSpec spec : List.of(plain, sorted)) {
            local.create(spec);
            Await.result(admin.verify(spec));
        }
        TableSpec other = new TableSpec(plain.name(), sorted.hash(), sorted.range(), sorted.indexes(), null);
        assertThat(Await.failure(admin.verify(other), StoreException.Refused.class))
                .hasMessageContaining("index persistence-ids-idx has the key (num N), not (num N, par S)");
        assertThat(plain.awsCommands())
                .contains("[{\"AttributeName\": \"num\", \"KeyType\": \"HASH\"}]")
                .contains("AttributeName=par,AttributeType=S AttributeName=num,AttributeType=N");
    }

    private List<Object> shape(String table) {
        TableDescription there = Await.result(local.client().describeTable(request -> request.tableName(table)))
                .table();
        return List.of(
                there.keySchema(),
                Set.copyOf(there.attributeDefinitions()),
                there.localSecondaryIndexes().stream()
                        .map(index -> List.of(index.indexName(), index.keySchema(), index.projection()))
                        .toList());
    }

    @Test
    void aSnapshotTableWithoutTheIndexIsReported() {
        TableSpec spec = Akka1Snapshots.of(local.freshTable()).table();
        local.create(new TableSpec(spec.name(), spec.hash(), spec.range(), List.of(), null));
        assertThat(Await.failure(new TableAdmin(local.client()).verify(spec), StoreException.Refused.class))
                .hasMessageContaining("ts-idx");
        assertThat(spec.awsCommands()).contains("--local-secondary-indexes").contains("ts-idx");
    }
}
