package io.dynajournal.testkit.j5ik2o;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.StateLayout;
import io.dynajournal.internal.layout.j5ik2o.J5States;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredState;
import io.dynajournal.internal.store.StateTable;
import io.dynajournal.j5ik2o.KeyResolver;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.TestEvents;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** State rows as j5ik2o's documentation describes them, put without a layout. */
class J5StateFixtureTest {

    private static final String STATE = "com.github.j5ik2o.akka.persistence.dynamodb.state.";
    private static final String ID = "counter-875e6ce0425e4d2b8203f3b44b9b531a";

    /** The partition key of {@link #ID} with 64 shards, from a run of j5ik2o's 1.16.492. */
    private static final String PKEY = "counter-0000000000000000000000000000000000000053";

    /** The same with 1,024 shards. */
    private static final String PKEY_1024 = "counter-0000000000000000000000000000000000000501";

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final String table = local.freshTable();

    private StateLayout layout(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.putIfAbsent("table-name", table);
        return J5States.of(new LayoutSettings(all));
    }

    private StateTable open(StateLayout layout) {
        return layout.open(local.open(RequestListener.NONE), TestEvents.freshWriter());
    }

    private static AttributeValue text(String value) {
        return AttributeValue.fromS(value);
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    private void put(String name, Map<String, AttributeValue> row) {
        Await.result(local.client().putItem(put -> put.tableName(name).item(row)));
    }

    /** A row with the default columns; the caller adds the keys. */
    private static Map<String, AttributeValue> row(String id, long revision) {
        Map<String, AttributeValue> row = new HashMap<>();
        row.put("persistence-id", text(id));
        row.put("revision-nr", number(revision));
        row.put("payload", AttributeValue.fromB(SdkBytes.fromUtf8String("seven")));
        row.put("serializer-id", number(20));
        row.put("ordering", number(1_660_000_000_123L));
        return row;
    }

    private static Map<String, AttributeValue> keyed(String pkey, String skey, Map<String, AttributeValue> row) {
        row.put("pkey", text(pkey));
        row.put("skey", text(skey));
        return row;
    }

    private static void goesOn(StateTable states, long revision) {
        StoredState found = Await.result(states.get(ID)).orElseThrow();
        assertThat(found.revision()).isEqualTo(revision);
        assertThat(new String(payload(found).bytes(), StandardCharsets.UTF_8)).isEqualTo("seven");
        assertThat(payload(found).serializerId()).isEqualTo(20);
        assertThat(found.timestampMicros()).isEqualTo(1_660_000_000_123_000L);

        assertThat(Await.failure(
                                states.write(StateChange.update(ID, revision, payload(found), "")),
                                StoreException.RevisionConflict.class)
                        .storedRevision())
                .isEqualTo(revision);
        Await.result(states.write(StateChange.update(ID, revision + 1, payload(found), "red")));
        assertThat(Await.result(states.get(ID)).orElseThrow().revision()).isEqualTo(revision + 1);
    }

    private static Payload payload(StoredState state) {
        Payload payload = state.payload();
        if (payload == null) {
            throw new AssertionError("deleted");
        }
        return payload;
    }

    /** The predecessor's store for the SDK v1 wrote the revision, that for v2 one more: entities recover the stored one. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void theStoredRevisionIsRecoveredWhicheverStoreWroteIt(long stored) {
        StateLayout layout = layout(Map.of());
        local.create(layout.table());
        put(table, keyed(PKEY, ID, row(ID, stored)));
        goesOn(open(layout), stored);
    }

    @Test
    void manifestAndTagAreRead() {
        StateLayout layout = layout(Map.of());
        local.create(layout.table());
        Map<String, AttributeValue> row = keyed(PKEY, ID, row(ID, 3));
        row.put("serializer-manifest", text("Counter"));
        row.put("tags", text("a,b"));
        put(table, row);
        StoredState found = Await.result(open(layout).get(ID)).orElseThrow();
        assertThat(payload(found).manifest()).isEqualTo("Counter");
        assertThat(found.tag()).isEqualTo("a,b");
        assertThat(found.writer()).isEmpty();
    }

    @Test
    void ourRowsHaveItsColumns() {
        StateLayout layout = layout(Map.of());
        local.create(layout.table());
        Payload payload = new Payload(20, "M", "seven".getBytes(StandardCharsets.UTF_8));
        Await.result(open(layout).write(StateChange.update(ID, 1, payload, "red")));
        Map<String, AttributeValue> row = Await.result(local.client()
                        .getItem(get -> get.tableName(table).key(Map.of("pkey", text(PKEY), "skey", text(ID)))))
                .item();
        assertThat(row)
                .containsEntry("persistence-id", text(ID))
                .containsEntry("revision-nr", number(1))
                .containsEntry("payload", AttributeValue.fromB(SdkBytes.fromUtf8String("seven")))
                .containsEntry("serializer-id", number(20))
                .containsEntry("serializer-manifest", text("M"))
                .containsEntry("tags", text("red"))
                .containsOnlyKeys(
                        "pkey",
                        "skey",
                        "persistence-id",
                        "revision-nr",
                        "payload",
                        "serializer-id",
                        "serializer-manifest",
                        "ordering",
                        "tags",
                        "dj-writer",
                        "dj-time");
    }

    @Test
    void columnNamesAndShardCountAreTheSettings() {
        StateLayout layout = layout(Map.of(
                "shard-count", "1024",
                "columns-def.partition-key-column-name", "p",
                "columns-def.sort-key-column-name", "s",
                "columns-def.persistence-id-column-name", "id",
                "columns-def.revision-nr-column-name", "rev",
                "columns-def.payload-column-name", "state",
                "columns-def.serializer-id-column-name", "ser",
                "columns-def.serializer-manifest-column-name", "man",
                "columns-def.ordering-column-name", "at",
                "columns-def.tags-column-name", "t"));
        local.create(layout.table());
        Map<String, AttributeValue> plain = row(ID, 5);
        put(
                table,
                Map.of(
                        "p", text(PKEY_1024),
                        "s", text(ID),
                        "id", text(ID),
                        "rev", number(5),
                        "state", plain.getOrDefault("payload", text("")),
                        "ser", number(20),
                        "at", number(1_660_000_000_123L)));
        goesOn(open(layout), 5);
    }

    /** As in the predecessor's documentation: all persistence ids of a shard share one key. */
    @Test
    void withoutSortKeyAnotherIdUnderTheSameKeyIsRejected() {
        StateLayout layout = layout(Map.of()).variants().get(1);
        local.create(layout.table());
        Map<String, AttributeValue> row = row(ID, 2);
        row.put("pkey", text(PKEY));
        put(table, row);
        StateTable states = open(layout);
        goesOn(states, 2);

        String other = sameShard();
        Payload payload = new Payload(1, "", new byte[0]);
        assertThat(Await.failure(states.get(other), StoreException.Refused.class))
                .hasMessageContainingAll(ID, other, table, "sort key");
        assertThat(Await.failure(
                        open(layout).write(StateChange.update(other, 1, payload, "")), StoreException.Refused.class))
                .hasMessageContainingAll(ID, other);
        assertThat(Await.failure(
                        open(layout).write(StateChange.update(other, 4, payload, "")), StoreException.Refused.class))
                .hasMessageContainingAll(ID, other);
        Await.failure(open(layout).delete(other), StoreException.Refused.class);
        assertThat(Await.result(states.get(ID)).orElseThrow().revision()).isEqualTo(3);
    }

    /** Another persistence id with the same key, found by trying. */
    private String sameShard() {
        StateLayout sorted = layout(Map.of("table-name", local.freshTable()));
        local.create(sorted.table());
        StateTable scratch = open(sorted);
        for (int i = 0; i < 2_000; i++) {
            String id = "counter-" + i;
            Await.result(scratch.write(StateChange.update(id, 1, new Payload(1, "", new byte[0]), "")));
            boolean same = Await.result(local.client()
                            .getItem(get -> get.tableName(sorted.table().name())
                                    .key(Map.of("pkey", text(PKEY), "skey", text(id)))))
                    .hasItem();
            if (same) {
                return id;
            }
        }
        throw new AssertionError("2,000 ids, and none in the shard");
    }

    /** A user's own resolver. */
    public static final class Tenants implements KeyResolver {
        @Override
        public String key(String persistenceId, long seqNr) {
            return "tenant/" + persistenceId.substring(0, 3) + "/" + seqNr;
        }
    }

    @Test
    void resolversMayBeTheUsersOwn() {
        StateLayout layout = layout(Map.of("partition-key-resolver-class-name", Tenants.class.getName()));
        local.create(layout.table());
        put(table, keyed("tenant/cou/0", ID, row(ID, 7)));
        goesOn(open(layout), 7);

        StateLayout meeting = layout(Map.of(
                "table-name",
                local.freshTable(),
                "partition-key-resolver-class-name",
                Tenants.class.getName(),
                "sort-key-resolver-class-name",
                Tenants.class.getName()));
        local.create(meeting.table());
        StateTable states = open(meeting);
        Payload payload = new Payload(1, "", new byte[0]);
        Await.result(states.write(StateChange.update("counter-1", 1, payload, "")));
        assertThat(Await.failure(
                        states.write(StateChange.update("counter-2", 1, payload, "")), StoreException.Refused.class))
                .hasMessageContainingAll("counter-1", "counter-2");
    }

    @Test
    void prefixNamesTheTable() {
        StateLayout layout = layout(Map.of("table-name-resolver-class-name", STATE + "TableNameResolver$Prefix"));
        assertThat(layout.isOneTable()).isFalse();
        String prefix = "counter" + local.freshTable().replace("-", "_");
        String id = prefix + "-1";
        Payload payload = new Payload(1, "", new byte[0]);
        for (String name : new String[] {table, prefix}) {
            local.create(layout(Map.of("table-name", name)).table());
        }
        StateTable states = open(layout);
        Await.result(states.write(StateChange.update(id, 1, payload, "")));
        Await.result(states.write(StateChange.update("plain", 1, payload, "")));
        assertThat(Await.result(states.get(id))).isPresent();
        assertThat(ids(prefix)).containsExactly(id);
        assertThat(ids(table)).containsExactly("plain");
        assertThat(Await.failure(states.ids(null, 10), UnsupportedOperationException.class))
                .hasMessageContaining("Prefix");
        Await.result(local.client().deleteTable(delete -> delete.tableName(prefix)));
    }

    private List<String> ids(String name) {
        return Await.result(local.client().scan(scan -> scan.tableName(name))).items().stream()
                .map(item -> item.getOrDefault("persistence-id", text("")).s())
                .toList();
    }

    @Test
    void otherResolversAreReportedByName() {
        assertThatThrownBy(
                        () -> layout(
                                Map.of(
                                        "partition-key-resolver-class-name",
                                        "com.github.j5ik2o.akka.persistence.dynamodb.journal.PartitionKeyResolver$SequenceNumberBased")))
                .hasMessageContaining("PersistenceIdBased");
        assertThatThrownBy(() -> layout(Map.of("sort-key-resolver-class-name", STATE + "SortKeyResolver$SeqNr")))
                .hasMessageContaining("sort-key-resolver-class-name");
        assertThatThrownBy(() -> layout(Map.of("table-name-resolver-class-name", "com.example.Mine")))
                .hasMessageContainingAll("com.example.Mine", "TableNameResolver$Prefix");
        assertThatThrownBy(() -> layout(Map.of("table-name-resolver-provider-class-name", "com.example.Mine")))
                .hasMessageContainingAll("com.example.Mine", "table-name-resolver-provider-class-name");
        for (String spelled : new String[] {
            STATE + "PartitionKeyResolver.Default",
            STATE + "PartitionKeyResolver$PersistenceIdBased",
            "com.github.j5ik2o.akka.persistence.dynamodb.journal.PartitionKeyResolver.Default"
        }) {
            assertThat(layout(Map.of("partition-key-resolver-class-name", spelled)))
                    .isNotNull();
        }
    }

    @Test
    void aCorruptRowIsNamedWithoutTheValuesOfUserColumns() {
        StateLayout layout = layout(Map.of());
        local.create(layout.table());
        Map<String, AttributeValue> row = keyed(PKEY, ID, row(ID, 1));
        row.put("iban", text("DE02120300000000202051"));
        row.put("serializer-id", number(1L << 40));
        put(table, row);
        assertThat(Await.failure(open(layout).get(ID), StoreException.CorruptItem.class))
                .hasMessageContainingAll("serializer-id", ID, "32 bits")
                .hasMessageNotContaining("DE02120300000000202051");
    }
}
