package io.dynajournal.testkit.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.layout.commits.CommitsSnapshots;
import io.dynajournal.internal.layout.commits.CommitsStates;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SliceRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StateChange;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventJournal;
import io.dynajournal.internal.store.JournalCaches;
import io.dynajournal.internal.store.SliceIndex;
import io.dynajournal.internal.store.SlicePartition;
import io.dynajournal.internal.store.SliceRow;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.internal.store.StateTable;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogFixture;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.TestEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Items that something else has damaged give one clear error, with the table and the key and no value of the user's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommitsCorruptItemTest {

    private static final AttributeValue LIST = AttributeValue.fromL(List.of(AttributeValue.fromN("1")));
    private static final AttributeValue THREE_BYTES =
            AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {1, 2, 3}));

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final String id = TestEvents.freshId();
    private final CommitsJournal layout =
            new CommitsJournal(local.freshTable(), true, true, 16, true, 8192, 100, 3, Duration.ofDays(1));
    private final LogFixture events = LogFixture.create(local, layout);
    private final JournalTable eventTable = new JournalTable(local.client(), layout.tableName());

    private CompletionStage<Long> recover(String persistenceId) {
        return new EventJournal(events.log(), JournalCaches.DEFAULTS).highestSeqNr(persistenceId, 1, "reader");
    }

    private static String corrupt(CompletionStage<?> stage) {
        return Objects.requireNonNull(
                Await.failure(stage, StoreException.CorruptItem.class).getMessage());
    }

    private String key(String persistenceId, long seq) {
        return "[pid=" + persistenceId + ", seq=" + seq + "]";
    }

    @Test
    void anAttributeOfAnotherTypeIsReportedWithTableAndKey() {
        LogWriter.recover(events.log(), id).writeSingles(2);
        eventTable.set(id, 2, "n", LIST);
        assertThat(corrupt(recover(id)))
                .contains(layout.tableName(), key(id, 2), "Attribute n is not a number", "backup");
        eventTable.set(id, 2, "n", 1);
        eventTable.set(id, 2, "w", THREE_BYTES);
        assertThat(corrupt(recover(id))).contains(layout.tableName(), key(id, 2), "w has 3 bytes (expected 16)");
    }

    @Test
    void anUnknownAttributeOfAnyTypeIsIgnored() {
        String persistenceId = TestEvents.freshId();
        LogWriter.recover(events.log(), persistenceId).writeSingles(2);
        eventTable.set(persistenceId, 1, "note", LIST);
        eventTable.set(persistenceId, 1, "more", AttributeValue.fromM(Map.of("a", AttributeValue.fromNul(true))));
        eventTable.set(persistenceId, 2, "sets", AttributeValue.fromNs(List.of("1", "2")));
        assertThat(Await.result(recover(persistenceId))).isEqualTo(2);
        assertThat(LogReading.all(events.log(), persistenceId)).hasSize(2);
    }

    /** A commit whose parts are gone although it was not deleted: recovering again would not help. */
    private String commitWithoutItsSecondPart() {
        String persistenceId = "lost|" + TestEvents.freshWriter();
        LogWriter.recover(events.log(), persistenceId).write(TestEvents.events(200, 200));
        String parts = "#dynajournal/part/"
                + eventTable
                        .items(persistenceId)
                        .get(0)
                        .getOrDefault("part", AttributeValue.fromS(""))
                        .s();
        assertThat(eventTable.items(parts)).hasSizeGreaterThan(2);
        eventTable.remove(parts, 2);
        return persistenceId;
    }

    private String commitInParts() {
        String persistenceId = "parts|" + TestEvents.freshWriter();
        LogWriter.recover(events.log(), persistenceId).write(TestEvents.events(200, 200));
        return persistenceId;
    }

    private String parts(String persistenceId) {
        return "#dynajournal/part/"
                + Objects.requireNonNull(eventTable.items(persistenceId).get(0).get("part"))
                        .s();
    }

    private String replayFailure(String persistenceId) {
        return corrupt(LogReading.reading(
                events.log(), persistenceId, SeqRange.wholeWrites(1, Long.MAX_VALUE, Long.MAX_VALUE)));
    }

    @Test
    void anAbsurdNumberOfPartsIsReportedBeforeAnyIsRead() {
        for (String number : List.of("0", "-1", "100001", "9223372036854775807")) {
            String persistenceId = commitInParts();
            eventTable.set(persistenceId, 1, "parts", AttributeValue.fromN(number));
            assertThat(replayFailure(persistenceId))
                    .contains(layout.tableName(), key(persistenceId, 1), "Attribute parts is " + number);
        }
    }

    @Test
    void aPartThatIsDuplicatedOrCutShortOrAnotherPartIsReported() {
        String cut = commitInParts();
        eventTable.set(parts(cut), 2, "body", THREE_BYTES);
        String duplicated = commitInParts();
        List<Map<String, AttributeValue>> all = eventTable.items(parts(duplicated));
        Map<String, AttributeValue> another = new HashMap<>(all.get(0));
        another.put("seq", AttributeValue.fromN(Integer.toString(all.size() + 1)));
        Await.result(
                local.client().putItem(put -> put.tableName(layout.tableName()).item(another)));
        String foreign = commitInParts();
        eventTable.set(foreign, 1, "part", AttributeValue.fromS(parts(cut).substring("#dynajournal/part/".length())));
        for (String persistenceId : List.of(cut, duplicated, foreign)) {
            assertThat(replayFailure(persistenceId))
                    .contains(layout.tableName(), key(persistenceId, 1), "sum is not the SHA-256");
        }
    }

    @Test
    void anAbsurdNumberOfEventsIsReported() {
        for (String number : List.of("0", "-3", "1.5", "9223372036854775807", "1E+100")) {
            String persistenceId = TestEvents.freshId();
            LogWriter.recover(events.log(), persistenceId).writeSingles(2);
            eventTable.set(persistenceId, 2, "n", AttributeValue.fromN(number));
            assertThat(corrupt(recover(persistenceId)))
                    .contains(layout.tableName(), key(persistenceId, 2), "Attribute n");
        }
    }

    /** The registry of entity types and partition counts, from which queries derive how many partitions they read. */
    @Test
    void absurdPartitionCountsAreReportedToQueriesAndWrites() {
        CommitsJournal own =
                new CommitsJournal(local.freshTable(), true, true, 16, true, 8192, 100, 3, Duration.ofDays(1));
        LogWriter.recover(LogFixture.create(local, own).log(), "cart|1").writeSingles(1);
        JournalTable table = new JournalTable(local.client(), own.tableName());
        for (String count : List.of("0@0", "3@0", "-16@0", "2048@0", "1000000000@0", "16", "16@-1", "16@1e9", "x")) {
            table.set("#dynajournal/registry", 1, "ks", AttributeValue.fromSs(List.of(count)));
            SliceIndex index = own.slices(local.open(RequestListener.NONE)).orElseThrow();
            assertThat(corrupt(index.partitions("cart", SliceRange.ALL)))
                    .contains(own.tableName(), "Attribute ks holds \"" + count + "\"");
        }
        EventBatch batch = EventBatch.of("cart|2", TestEvents.freshWriter(), 1, TestEvents.events(1, 10));
        assertThat(corrupt(own.open(local.open(RequestListener.NONE)).append(batch, null)))
                .contains(own.tableName(), "Attribute ks");
    }

    @Test
    void aMissingPartIsReportedAsDamageByAReplay() {
        String persistenceId = commitWithoutItsSecondPart();
        assertThat(corrupt(LogReading.reading(
                        events.log(), persistenceId, SeqRange.wholeWrites(1, Long.MAX_VALUE, Long.MAX_VALUE))))
                .contains(layout.tableName(), key(persistenceId, 1), "some do not exist")
                .doesNotContain("recover again");
    }

    @Test
    void aMissingPartIsReportedAsDamageByAQuery() {
        String persistenceId = commitWithoutItsSecondPart();
        SliceIndex index = layout.slices(local.open(RequestListener.NONE)).orElseThrow();
        List<SliceRow> rows = new ArrayList<>();
        for (SlicePartition partition : Await.result(index.partitions("lost", SliceRange.ALL))) {
            Await.result(index.read(partition, 0, Long.MAX_VALUE, null, 100)).rows().stream()
                    .filter(row -> row.persistenceId().equals(persistenceId))
                    .forEach(rows::add);
        }
        assertThat(rows).hasSize(1);
        assertThat(corrupt(index.events(rows))).contains(layout.tableName(), key(persistenceId, 1));
    }

    @Test
    void aDamagedStateIsReportedWithoutTheUsersColumns() {
        CommitsStates states = CommitsStates.of(local.freshTable());
        local.create(states.table());
        JournalTable table = new JournalTable(local.client(), states.tableName());
        StateTable store = states.open(local.open(RequestListener.NONE), TestEvents.freshWriter());
        Payload payload = new Payload(1, "", new byte[] {1});
        Await.result(store.write(new StateChange(id, 1, payload, "", Map.of("iban", "DE02-1203"))));
        table.set(id, 0, "w", THREE_BYTES);
        assertThat(corrupt(store.get(id)))
                .contains(states.tableName(), key(id, 0), "w has 3 bytes (expected 16)")
                .doesNotContain("DE02");
        table.set(id, 0, "body", LIST);
        assertThat(corrupt(store.get(id))).contains("Attribute body").doesNotContain("DE02");
        table.set(id, 0, "rev", LIST);
        assertThat(corrupt(store.write(new StateChange(id, 2, payload, "", Map.of("iban", "DE02-1203")))))
                .contains(states.tableName(), key(id, 0), "Attribute rev")
                .doesNotContain("DE02");
    }

    @Test
    void aDamagedSnapshotIsReportedWithTableAndKey() {
        CommitsSnapshots snapshots = CommitsSnapshots.of(local.freshTable());
        local.create(snapshots.table());
        SnapshotTable store = snapshots.open(local.open(RequestListener.NONE));
        Await.result(store.save(new StoredSnapshot(id, 7, 1, new Payload(1, "", new byte[] {1}), null)));
        new JournalTable(local.client(), snapshots.tableName()).set(id, 7, "body", THREE_BYTES);
        assertThat(corrupt(store.load(id, SnapshotCriteria.ALL)))
                .contains(snapshots.tableName(), key(id, 7), "Attribute body cannot be decoded");
    }
}
