package io.dynajournal.testkit.j5ik2o;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.dynamo.Dynamo;
import io.dynajournal.internal.layout.LayoutSettings;
import io.dynajournal.internal.layout.j5ik2o.J5Journal;
import io.dynajournal.internal.layout.j5ik2o.J5Snapshots;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.j5ik2o.KeyResolver;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Rows of one persistence id under keys of several resolvers are one log. The predecessor makes them: its defaults changed in
 * 1.12, it reads rows through its index under whatever keys, and stores new ones under its present keys.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class J5MixedKeysTest {

    private static final String RESOLVERS = "com.github.j5ik2o.akka.persistence.dynamodb.journal.";
    private static final String PARTITION = "partition-key-resolver-class-name";
    private static final String SORT = "sort-key-resolver-class-name";

    private static final Map<String, String> DEFAULT = Map.of();
    private static final Map<String, String> UP_TO_1_11 =
            Map.of(PARTITION, RESOLVERS + "PartitionKeyResolver$SequenceNumberBased");
    private static final Map<String, String> UNSORTED = Map.of(SORT, RESOLVERS + "SortKeyResolver$SeqNr");
    private static final Map<String, String> OWN = Map.of(PARTITION, Backwards.class.getName());

    /** Keys that nobody else can compute. */
    public static final class Backwards implements KeyResolver {
        @Override
        public String key(String persistenceId, long seqNr) {
            return new StringBuilder(persistenceId).reverse().append(seqNr % 3).toString();
        }
    }

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final Dynamo dynamo = local.open(RequestListener.NONE);

    private static Stream<Arguments> ourAndOtherKeys() {
        return Stream.of(
                Arguments.of(DEFAULT, UP_TO_1_11),
                Arguments.of(UP_TO_1_11, DEFAULT),
                Arguments.of(DEFAULT, UNSORTED),
                Arguments.of(UNSORTED, UP_TO_1_11),
                Arguments.of(DEFAULT, OWN),
                Arguments.of(OWN, DEFAULT));
    }

    private static LayoutSettings settings(String table, Map<String, String> keys, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(keys);
        settings.putAll(more);
        settings.put("table-name", table);
        return new LayoutSettings(settings);
    }

    private static J5Journal journal(String table, Map<String, String> keys) {
        return J5Journal.of(settings(table, keys, Map.of()));
    }

    private String table() {
        String table = local.freshTable();
        local.create(journal(table, DEFAULT).table());
        return table;
    }

    private static void write(EventLog log, String id, int events) {
        LogWriter.recover(log, id).writeSingles(events);
    }

    private static List<Long> numbers(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    private static List<Long> recovered(EventLog log, String id, long from) {
        var head = Await.result(log.head(id, from));
        return LogReading.numbers(LogReading.read(
                log, id, SeqRange.wholeWrites(from, head.end().seqNr(), Long.MAX_VALUE), head.firstPage()));
    }

    private static void assertLog(EventLog log, String id, long first, long last) {
        assertThat(LogReading.highest(log, id)).isEqualTo(last);
        assertThat(Await.result(log.head(id, 1)).end().seqNr()).isEqualTo(last);
        assertThat(recovered(log, id, 1)).isEqualTo(numbers(first, last));
        assertThat(recovered(log, id, last)).isEqualTo(numbers(last, last));
        assertThat(LogReading.numbers(LogReading.all(log, id))).isEqualTo(numbers(first, last));
        assertThat(LogReading.numbers(LogReading.read(log, id, SeqRange.wholeWrites(first + 1, last - 1, 100))))
                .isEqualTo(numbers(first + 1, last - 1));
    }

    @ParameterizedTest
    @MethodSource("ourAndOtherKeys")
    void otherKeysAfterOurs(Map<String, String> ours, Map<String, String> others) {
        String table = table();
        EventLog our = journal(table, ours).open(dynamo);
        EventLog other = journal(table, others).open(dynamo);
        write(our, "cart-after", 2);
        write(other, "cart-after", 2);
        assertLog(our, "cart-after", 1, 4);
        write(our, "cart-after", 3);
        assertLog(our, "cart-after", 1, 7);
        assertLog(other, "cart-after", 1, 7);
    }

    @ParameterizedTest
    @MethodSource("ourAndOtherKeys")
    void otherKeysOnly(Map<String, String> ours, Map<String, String> others) {
        String table = table();
        EventLog our = journal(table, ours).open(dynamo);
        write(journal(table, others).open(dynamo), "cart-only", 12);
        assertLog(our, "cart-only", 1, 12);
        write(our, "cart-only", 5);
        assertLog(our, "cart-only", 1, 17);
    }

    /** Nothing is replayed, so only the end of the log shows which sequence number is next. */
    @ParameterizedTest
    @MethodSource("ourAndOtherKeys")
    void theEndIsKnownWithoutAReplay(Map<String, String> ours, Map<String, String> others) {
        String table = table();
        EventLog our = journal(table, ours).open(dynamo);
        write(journal(table, others).open(dynamo), "cart-end", 4);
        LogEnd end = Await.result(our.end("cart-end"));
        assertThat(end.seqNr()).isEqualTo(4);
        Await.failure(
                our.append(EventBatch.of("cart-end", TestEvents.freshWriter(), 1, TestEvents.events(1, 20)), null),
                StoreException.WriteConflict.class);
        Await.result(our.append(EventBatch.of("cart-end", TestEvents.freshWriter(), 5, TestEvents.events(1, 20)), end));
        assertLog(our, "cart-end", 1, 5);
    }

    @ParameterizedTest
    @MethodSource("ourAndOtherKeys")
    void otherKeysBetweenOursWithPagesOfTwo(Map<String, String> ours, Map<String, String> others) {
        String table = table();
        EventLog our = J5Journal.of(settings(table, ours, Map.of("query-batch-size", "2")))
                .open(dynamo);
        EventLog other = journal(table, others).open(dynamo);
        for (EventLog log : List.of(our, other, our, other, other, our)) {
            write(log, "cart-between", 3);
        }
        assertLog(our, "cart-between", 1, 18);
    }

    @ParameterizedTest
    @MethodSource("ourAndOtherKeys")
    void deletesReachRowsUnderEveryKey(Map<String, String> ours, Map<String, String> others) {
        String table = table();
        EventLog our = journal(table, ours).open(dynamo);
        EventLog other = journal(table, others).open(dynamo);
        write(other, "cart-deleted", 4);
        write(our, "cart-deleted", 3);
        write(other, "cart-deleted", 3);
        Await.result(our.deleteTo("cart-deleted", 3));
        assertLog(our, "cart-deleted", 4, 10);
        assertLog(other, "cart-deleted", 4, 10);
        Await.result(our.deleteTo("cart-deleted", 10));
        assertThat(LogReading.all(other, "cart-deleted")).isEmpty();
        assertThat(LogReading.highest(our, "cart-deleted")).isEqualTo(10);
    }

    @ParameterizedTest
    @MethodSource("ourAndOtherKeys")
    void hardDeletesRemoveRowsUnderEveryKey(Map<String, String> ours, Map<String, String> others) {
        String table = table();
        EventLog our = J5Journal.of(settings(table, ours, Map.of("soft-delete", "false")))
                .open(dynamo);
        write(journal(table, others).open(dynamo), "cart-removed", 4);
        write(our, "cart-removed", 3);
        Await.result(our.deleteTo("cart-removed", 6));
        assertLog(our, "cart-removed", 7, 7);
        assertThat(LogReading.numbers(LogReading.all(journal(table, others).open(dynamo), "cart-removed")))
                .containsExactly(7L);
    }

    /** A delete of the predecessor's marks a copy under its present keys and leaves the row itself as it is. */
    @Test
    void aMarkedCopyUnderOurKeysDeletesTheRowUnderAnother() {
        String table = table();
        EventLog our = journal(table, DEFAULT).open(dynamo);
        write(journal(table, UP_TO_1_11).open(dynamo), "cart-copied", 4);
        write(our, "cart-copied", 3);
        String other = table();
        write(journal(other, DEFAULT).open(dynamo), "cart-copied", 2);
        for (Map<String, AttributeValue> row :
                Await.result(local.client().scan(scan -> scan.tableName(other))).items()) {
            Map<String, AttributeValue> copy = new HashMap<>(row);
            copy.put("deleted", AttributeValue.fromBool(true));
            Await.result(local.client().putItem(put -> put.tableName(table).item(copy)));
        }
        assertThat(recovered(our, "cart-copied", 1)).isEqualTo(numbers(3, 7));
    }

    /** A page of the index does not show the latest rows yet: they are found under the keys that can be computed. */
    @ParameterizedTest
    @MethodSource("ourAndOtherKeys")
    void aLaggingIndexHidesNoRow(Map<String, String> ours, Map<String, String> others) {
        if (OWN.equals(others)) {
            return;
        }
        String table = table();
        write(journal(table, ours).open(dynamo), "cart-lag", 2);
        write(journal(table, others).open(dynamo), "cart-lag", 5);
        FaultProxy proxy = local.proxy();
        proxy.when(RequestMatch.operation("Query").containing("\"Limit\":512"))
                .always()
                .show(row -> Pattern.matches(".*[1235].*", String.valueOf(row.get("sequence-nr"))));
        EventLog our = journal(table, ours).open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
        assertThat(LogReading.highest(our, "cart-lag")).isEqualTo(7);
        assertThat(recovered(our, "cart-lag", 1)).isEqualTo(numbers(1, 7));
    }

    /** After a snapshot nothing but the lagging rows is left to replay. */
    @ParameterizedTest
    @MethodSource("ourAndOtherKeys")
    void aLaggingIndexHidesNoRowAfterASnapshot(Map<String, String> ours, Map<String, String> others) {
        if (OWN.equals(others)) {
            return;
        }
        String table = table();
        write(journal(table, others).open(dynamo), "cart-shot", 8);
        FaultProxy proxy = local.proxy();
        EventLog our = journal(table, ours).open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
        // Queries from a sequence number on, upwards: not the one for the last row.
        proxy.when(RequestMatch.operation("Query").containing("\":from\":{\"N\":\"6\"}"))
                .always()
                .show(row -> false);
        assertThat(recovered(our, "cart-shot", 6)).isEqualTo(numbers(6, 8));
        assertThat(LogReading.numbers(LogReading.read(our, "cart-shot", SeqRange.wholeWrites(6, 8, 100))))
                .isEqualTo(numbers(6, 8));
    }

    @Test
    void theLatestSnapshotIsFoundUnderAnyKey() {
        String table = local.freshTable();
        J5Snapshots present = J5Snapshots.of(settings(table, DEFAULT, Map.of()));
        local.create(present.table());
        SnapshotTable ours = present.open(dynamo);
        SnapshotTable others =
                J5Snapshots.of(settings(table, UP_TO_1_11, Map.of())).open(dynamo);
        Await.result(ours.save(snapshot(5)));
        Await.result(others.save(snapshot(10)));
        assertThat(Await.result(ours.load("cart-shot", SnapshotCriteria.ALL))).contains(snapshot(10));
        assertThat(Await.result(others.load("cart-shot", SnapshotCriteria.ALL))).contains(snapshot(10));
        Await.result(ours.save(snapshot(15)));
        assertThat(Await.result(others.load("cart-shot", SnapshotCriteria.ALL))).contains(snapshot(15));
        Await.result(ours.delete("cart-shot", SnapshotCriteria.ALL));
        assertThat(Await.result(others.load("cart-shot", SnapshotCriteria.ALL))).isEmpty();
    }

    private static StoredSnapshot snapshot(long seqNr) {
        return new StoredSnapshot("cart-shot", seqNr, 1, new Payload(1, "", new byte[9]), null);
    }
}
