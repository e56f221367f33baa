package io.dynajournal.testkit.j5ik2o;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.dynamo.TableSpec;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.j5ik2o.J5Journal;
import io.dynajournal.internal.layout.j5ik2o.J5Snapshots;
import io.dynajournal.internal.layout.j5ik2o.J5States;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.internal.store.StateTable;
import io.dynajournal.j5ik2o.KeyResolver;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Every name in a table of j5ik2o's has an unusual value, and the stored rows and the requests have it. */
final class J5SettingsTest {

    private static final String ID = "cart-seven";

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final String table = local.freshTable();

    /** Returns a key that no resolver of j5ik2o's returns. */
    public static final class Own implements KeyResolver {
        @Override
        public String key(String persistenceId, long seqNr) {
            return "own/" + persistenceId + "/" + seqNr;
        }
    }

    private LayoutSettings settings(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(more);
        all.put("table-name", table);
        return new LayoutSettings(all);
    }

    private static Map<String, String> columns(String... namesAndValues) {
        Map<String, String> columns = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            columns.put("columns-def." + namesAndValues[i] + "-column-name", namesAndValues[i + 1]);
        }
        return columns;
    }

    private Map<String, AttributeValue> onlyRow() {
        List<Map<String, AttributeValue>> rows = Await.result(
                        local.client().scan(scan -> scan.tableName(table).consistentRead(true)))
                .items();
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    private static String text(Map<String, AttributeValue> row, String name) {
        return Objects.requireNonNull(row.get(name), name).s();
    }

    private static String number(Map<String, AttributeValue> row, String name) {
        return Objects.requireNonNull(row.get(name), name).n();
    }

    @Test
    void columnsAndIndexOfSnapshots() {
        Map<String, String> named = columns(
                "partition-key",
                "p1",
                "sort-key",
                "s2",
                "persistence-id",
                "i3",
                "sequence-nr",
                "n4",
                "snapshot",
                "b5",
                "created",
                "c6");
        named.put("get-snapshot-rows-index-name", "MyShots");
        J5Snapshots layout = J5Snapshots.of(settings(named));
        local.create(layout.table());
        assertThat(layout.table().indexes()).extracting(TableSpec.Index::name).containsExactly("MyShots");
        FaultProxy proxy = local.proxy();
        SnapshotTable snapshots = layout.open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
        StoredSnapshot snapshot = new StoredSnapshot(ID, 12, 34_567, new Payload(1, "", new byte[] {9}), null);
        Await.result(snapshots.save(snapshot));

        Map<String, AttributeValue> row = onlyRow();
        assertThat(row.keySet()).isEqualTo(Set.of("p1", "s2", "i3", "n4", "b5", "c6"));
        assertThat(text(row, "p1")).startsWith("cart-000");
        assertThat(text(row, "s2")).isEqualTo("seven-0000000000000000012");
        assertThat(text(row, "i3")).isEqualTo(ID);
        assertThat(number(row, "n4")).isEqualTo("12");
        assertThat(number(row, "c6")).isEqualTo("34567");
        assertThat(Objects.requireNonNull(row.get("b5")).b()).isNotNull();
        assertThat(Await.result(snapshots.load(ID, SnapshotCriteria.ALL))).contains(snapshot);
        assertThat(proxy.requests(RequestMatch.operation("Query").containing("\"IndexName\":\"MyShots\"")))
                .isNotEmpty();
    }

    @Test
    void ownResolversOfSnapshots() {
        String own = Own.class.getName();
        J5Snapshots layout = J5Snapshots.of(
                settings(Map.of("partition-key-resolver-class-name", own, "sort-key-resolver-class-name", own)));
        local.create(layout.table());
        SnapshotTable snapshots = layout.open(local.open(RequestListener.NONE));
        StoredSnapshot snapshot = new StoredSnapshot(ID, 12, 1, new Payload(1, "", new byte[] {9}), null);
        Await.result(snapshots.save(snapshot));
        assertThat(text(onlyRow(), "pkey")).isEqualTo("own/cart-seven/12");
        assertThat(text(onlyRow(), "skey")).isEqualTo("own/cart-seven/12");
        assertThat(Await.result(snapshots.load(ID, SnapshotCriteria.ALL))).contains(snapshot);
    }

    @Test
    void ownSortKeyResolverAndIndexOfEvents() {
        Map<String, String> named = columns(
                "partition-key",
                "p1",
                "sort-key",
                "s2",
                "persistence-id",
                "i3",
                "sequence-nr",
                "n4",
                "deleted",
                "d5",
                "message",
                "m6",
                "ordering",
                "o7",
                "tags",
                "t8");
        named.put("get-journal-rows-index-name", "MyRows");
        named.put("tags-index-name", "MyRows");
        named.put("tag-separator", ";");
        named.put("sort-key-resolver-class-name", Own.class.getName());
        J5Journal layout = J5Journal.of(settings(named));
        local.create(layout.table());
        FaultProxy proxy = local.proxy();
        Dynamo dynamo = local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE);
        EventLog log = layout.open(dynamo);
        Event event = new Event(new Payload(1, "", new byte[] {9}), "", Set.of("green", "a,b"), null);
        Await.result(log.append(EventBatch.of(ID, TestEvents.freshWriter(), 1, List.of(event)), LogEnd.empty(0)));

        Map<String, AttributeValue> row = onlyRow();
        assertThat(row.keySet()).isEqualTo(Set.of("p1", "s2", "i3", "n4", "d5", "m6", "o7", "t8"));
        assertThat(text(row, "s2")).isEqualTo("own/cart-seven/1");
        assertThat(text(row, "t8").split(";")).containsExactlyInAnyOrder("green", "a,b");
        assertThat(Objects.requireNonNull(row.get("d5")).bool()).isFalse();
        assertThat(LogReading.numbers(LogReading.all(log, ID))).containsExactly(1L);
        assertThat(proxy.requests(RequestMatch.operation("Query").containing("\"IndexName\":\"MyRows\"")))
                .isNotEmpty();
        assertThat(Await.result(layout.tagged(dynamo).orElseThrow().find("a,b", 0)))
                .hasSize(1);
        assertThat(proxy.requests(RequestMatch.operation("Scan").containing("\"IndexName\":\"MyRows\"")))
                .isNotEmpty();
    }

    @Test
    void columnsAndDefaultResolversOfStates() {
        String state = "com.github.j5ik2o.akka.persistence.dynamodb.state.";
        Map<String, String> named = columns(
                "partition-key",
                "p1",
                "sort-key",
                "s2",
                "persistence-id",
                "i3",
                "revision-nr",
                "r4",
                "deleted",
                "d5",
                "payload",
                "b6",
                "serializer-id",
                "z7",
                "serializer-manifest",
                "m8",
                "ordering",
                "o9",
                "tags",
                "t0");
        named.put("partition-key-resolver-class-name", state + "PartitionKeyResolver$Default");
        named.put("sort-key-resolver-class-name", state + "SortKeyResolver$Default");
        J5States layout = J5States.of(settings(named));
        local.create(layout.table());
        Dynamo dynamo = local.open(RequestListener.NONE);
        StateTable states = layout.open(dynamo, TestEvents.freshWriter());
        Await.result(states.write(new StateChange(ID, 1, new Payload(20, "shape", new byte[] {9}), "green", Map.of())));

        Map<String, AttributeValue> row = onlyRow();
        assertThat(row.keySet()).containsAll(Set.of("p1", "s2", "i3", "r4", "b6", "z7", "m8", "o9", "t0"));
        assertThat(row.keySet().stream().filter(name -> !name.startsWith("dj-")))
                .isSubsetOf("p1", "s2", "i3", "r4", "d5", "b6", "z7", "m8", "o9", "t0");
        assertThat(text(row, "p1")).startsWith("cart-000");
        assertThat(text(row, "s2")).isEqualTo(ID);
        assertThat(number(row, "z7")).isEqualTo("20");
        assertThat(text(row, "m8")).isEqualTo("shape");
        assertThat(text(row, "t0")).isEqualTo("green");
        Await.result(states.delete(ID));
        assertThat(Objects.requireNonNull(onlyRow().get("d5")).bool()).isTrue();
    }
}
