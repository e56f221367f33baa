package io.dynajournal.testkit.commits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Item;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.layout.commits.CommitsSnapshots;
import io.dynajournal.internal.layout.commits.CommitsStates;
import io.dynajournal.internal.model.Event;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.internal.store.StateTable;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.TestEvents;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Tables that hold items of both versions of the format, and items whose bits have changed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommitsVersionsTest {

    private static final int CHECKSUM_BYTES = 4;

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final CommitsJournal layout =
            new CommitsJournal(local.freshTable(), true, true, 16, true, 8192, 100, 3, Duration.ofDays(1));
    private final JournalTable table = new JournalTable(local.client(), layout.tableName());

    private EventLog log() {
        local.create(layout.table());
        return layout.open(local.open(RequestListener.NONE));
    }

    /** The frame that version 1 would have written: the same bytes without the checksum. */
    private static byte[] versionOne(byte[] frame) {
        assertThat(frame[0] & 0xF0).isEqualTo(0x20);
        byte[] old = Arrays.copyOfRange(frame, CHECKSUM_BYTES, frame.length);
        old[0] = (byte) (0x10 | (frame[0] & 0x0F));
        return old;
    }

    private static AttributeValue binary(byte[] bytes) {
        return AttributeValue.fromB(SdkBytes.fromByteArray(bytes));
    }

    /** Replaces what is stored under a persistence id by what version 1 would have stored. */
    private static void toVersionOne(JournalTable table, String persistenceId) {
        for (Map<String, AttributeValue> attributes : table.items(persistenceId)) {
            Item item = Item.of(attributes);
            long seq = item.number("seq");
            for (String name : List.of("ev", "body")) {
                if (item.has(name)) {
                    table.set(persistenceId, seq, name, binary(versionOne(item.bytes(name))));
                }
            }
            if (item.has("part")) {
                String parts = "#dynajournal/part/" + item.text("part");
                byte[] first = Item.of(table.items(parts).get(0)).bytes("body");
                table.set(parts, 1, "body", binary(versionOne(first)));
                table.set(persistenceId, seq, "sum", binary(sha256(table, parts)));
            }
        }
    }

    private static byte[] sha256(JournalTable table, String parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            table.items(parts).forEach(part -> digest.update(Item.of(part).bytes("body")));
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<StoredEvent> bySlice(String entityType, String persistenceId) {
        SliceIndex index = layout.slices(local.open(RequestListener.NONE)).orElseThrow();
        List<SliceRow> rows = new ArrayList<>();
        for (SlicePartition partition : Await.result(index.partitions(entityType, SliceRange.ALL))) {
            Await.result(index.read(partition, 0, Long.MAX_VALUE, null, 100)).rows().stream()
                    .filter(row -> row.persistenceId().equals(persistenceId))
                    .forEach(rows::add);
        }
        return Await.result(index.events(rows)).stream().flatMap(List::stream).toList();
    }

    @Test
    void logOfBothVersionsIsRecoveredContinuedQueriedAndDeleted() {
        EventLog log = log();
        String id = "old|" + TestEvents.freshWriter();
        LogWriter first = LogWriter.recover(log, id)
                .write(1)
                .write(TestEvents.events(10, 300))
                .write(TestEvents.events(60, 300));
        toVersionOne(table, id);
        assertThat(table.items(id))
                .extracting(item -> item.keySet().stream()
                        .filter(List.of("ev", "body", "part")::contains)
                        .findFirst()
                        .orElse(""))
                .containsExactly("ev", "body", "part");

        LogWriter second = LogWriter.recover(log, id).write(1).write(TestEvents.events(60, 300));

        List<Event> events = new ArrayList<>(first.written());
        events.addAll(second.written());
        assertThat(LogReading.contents(LogReading.all(log, id))).isEqualTo(events);
        assertThat(LogReading.contents(bySlice("old", id))).isEqualTo(events);

        Await.result(log.deleteTo(id, 5));
        assertThat(LogReading.contents(LogReading.all(log, id))).isEqualTo(events.subList(5, events.size()));
        Await.result(log.deleteTo(id, 100));
        assertThat(LogReading.contents(LogReading.all(log, id))).isEqualTo(events.subList(100, events.size()));
    }

    @Test
    void snapshotsAndStatesOfVersionOneAreRead() {
        for (int bytes : new int[] {10, 30_000}) {
            CommitsSnapshots snapshots = new CommitsSnapshots(local.freshTable(), false, false, 8192);
            local.create(snapshots.table());
            SnapshotTable store = snapshots.open(local.open(RequestListener.NONE));
            String id = TestEvents.freshId();
            StoredSnapshot snapshot =
                    new StoredSnapshot(id, 7, 1, new Payload(1, "m", TestEvents.randomBytes(bytes)), null);
            Await.result(store.save(snapshot));
            toVersionOne(new JournalTable(local.client(), snapshots.tableName()), id);
            assertThat(Await.result(store.load(id, SnapshotCriteria.ALL))).contains(snapshot);

            CommitsStates states = new CommitsStates(local.freshTable(), true, 16, true, 8192, null);
            local.create(states.table());
            StateTable stateStore = states.open(local.open(RequestListener.NONE), TestEvents.freshWriter());
            Payload state = new Payload(1, "m", TestEvents.randomBytes(bytes));
            Await.result(stateStore.write(new StateChange(id, 1, state, "red", Map.of())));
            toVersionOne(new JournalTable(local.client(), states.tableName()), id);
            assertThat(Await.result(stateStore.get(id)).orElseThrow().payload()).isEqualTo(state);
            Await.result(stateStore.write(new StateChange(id, 2, state, "red", Map.of())));
            assertThat(Await.result(stateStore.get(id)).orElseThrow().revision())
                    .isEqualTo(2);
        }
    }

    @Test
    void stateInPartsIsCheckedThoughItsTimeIsSetAfterThem() {
        CommitsStates states = CommitsStates.of(local.freshTable());
        local.create(states.table());
        StateTable store = states.open(local.open(RequestListener.NONE), TestEvents.freshWriter());
        String id = TestEvents.freshId();
        Payload large = new Payload(1, "m", TestEvents.randomBytes(500_000));
        Await.result(store.write(new StateChange(id, 1, large, "red", Map.of())));
        assertThat(Await.result(store.get(id)).orElseThrow().payload()).isEqualTo(large);

        new JournalTable(local.client(), states.tableName()).set(id, 0, "rev", 2);
        assertThat(Await.failure(store.get(id), StoreException.CorruptItem.class))
                .hasMessageContaining("Attribute part cannot be decoded (expected the checksum ")
                .hasMessageContaining(states.tableName());
    }

    /** The frame and each attribute that is covered, one bit each, at rest: neither a recovery nor a query delivers it. */
    @Test
    void changedBitsAreReportedByRecoveryAndByQueries() {
        EventLog log = log();
        Map<String, AttributeValue> damage = Map.of(
                "pv", AttributeValue.fromN("1"),
                "skip", AttributeValue.fromN("1"),
                "tags", AttributeValue.fromSs(List.of("blue")));
        damage.forEach((name, value) -> {
            String id = "damaged|" + TestEvents.freshWriter();
            LogWriter.recover(log, id).write(1).write(2);
            table.set(id, 2, name, value);
            String[] named = {"Attribute ev cannot be decoded", layout.tableName(), "[pid=" + id + ", seq=2]"};
            assertThat(Await.failure(
                            LogReading.reading(log, id, LogReading.everythingFrom(1)),
                            StoreException.CorruptItem.class))
                    .hasMessageContainingAll(named);
            assertThat(catchThrowable(() -> bySlice("damaged", id)))
                    .isInstanceOf(StoreException.CorruptItem.class)
                    .hasMessageContainingAll(named);
        });
    }
}
