package io.dynajournal.testkit.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.layout.commits.CommitsSnapshots;
import io.dynajournal.internal.model.Payload;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.SnapshotCriteria;
import io.dynajournal.internal.model.StoredSnapshot;
import io.dynajournal.internal.store.EventJournal;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.JournalCaches;
import io.dynajournal.internal.store.SnapshotTable;
import io.dynajournal.listener.Operation;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.Cost;
import io.dynajournal.testkit.CostMeter;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.HeldRequest;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogFixture;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the native layout costs: events of 200 bytes that do not compress, ids of 20 characters. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommitCostTest {

    private static final int SIZE = 200;
    private static final Map<Operation, Integer> ONE_PUT = Map.of(Operation.PUT, 1);
    private static final Map<Operation, Integer> ONE_QUERY = Map.of(Operation.QUERY, 1);

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final LogFixture plain =
            LogFixture.create(local, CommitsJournal.of(local.freshTable()).withoutIndexes());
    private final LogFixture sliced = LogFixture.create(local, slicesOnly(local.freshTable()));
    private final LogFixture indexed = LogFixture.create(local, CommitsJournal.of(local.freshTable()));

    private final CostMeter meter = new CostMeter();
    private final String id = TestEvents.freshId();

    private static CommitsJournal slicesOnly(String tableName) {
        CommitsJournal all = CommitsJournal.of(tableName);
        return new CommitsJournal(
                tableName,
                true,
                false,
                all.indexPartitions(),
                all.compression(),
                all.itemSize(),
                all.pageItems(),
                all.replayParallelism(),
                all.tombstoneRetention());
    }

    private Cost costOfWrite(LogWriter writer, int events) {
        meter.take();
        writer.write(TestEvents.events(events, SIZE));
        return meter.take();
    }

    private LogWriter writer(LogFixture fixture) {
        return LogWriter.recover(warm(fixture), TestEvents.freshId());
    }

    /** A log that has written before, because the first write of a process reads the registry. */
    private EventLog warm(LogFixture fixture) {
        EventLog log = fixture.log(meter);
        LogWriter.recover(log, TestEvents.freshId()).write(1);
        return log;
    }

    private static void assertCost(Cost cost, Map<Operation, Integer> requests, double table, double indexes) {
        assertThat(cost.requests()).isEqualTo(requests);
        assertThat(cost.tableWrites()).as("write units of the table").isEqualTo(table);
        assertThat(cost.indexWrites()).as("write units of the indexes").isEqualTo(indexes);
    }

    @Test
    void aPersistIsOneRequestAndOneUnit() {
        LogWriter writer = writer(plain);
        assertCost(costOfWrite(writer, 1), ONE_PUT, 1, 0);
        assertCost(costOfWrite(writer, 1), ONE_PUT, 1, 0);
        assertThat(id).hasSize(20);
    }

    @Test
    void theFirstWriteOfATypeRegistersItAndThatOfAProcessReadsTheRegistry() {
        LogFixture fresh = LogFixture.create(local, CommitsJournal.of(local.freshTable()));
        LogWriter first = LogWriter.recover(fresh.log(meter), TestEvents.freshId());
        Cost ofType = costOfWrite(first, 1);
        assertThat(ofType.requests()).isEqualTo(Map.of(Operation.BATCH_GET, 1, Operation.UPDATE, 1, Operation.PUT, 1));
        assertThat(ofType.reads()).isEqualTo(1);
        assertThat(ofType.tableWrites()).isEqualTo(2);
        assertThat(ofType.indexWrites()).isEqualTo(2);

        LogWriter second = LogWriter.recover(fresh.log(meter), TestEvents.freshId());
        Cost ofProcess = costOfWrite(second, 1);
        assertThat(ofProcess.requests()).isEqualTo(Map.of(Operation.BATCH_GET, 1, Operation.PUT, 1));
        assertThat(costOfWrite(second, 1).requests()).isEqualTo(ONE_PUT);
    }

    @Test
    void theSliceIndexCostsOneUnitMore() {
        LogWriter writer = writer(sliced);
        assertCost(costOfWrite(writer, 1), ONE_PUT, 1, 1);
        assertCost(costOfWrite(writer, 1), ONE_PUT, 1, 1);
    }

    @Test
    void theIndexOfIdsCostsOneUnitPerId() {
        LogWriter writer = writer(indexed);
        assertCost(costOfWrite(writer, 1), ONE_PUT, 1, 2);
        assertCost(costOfWrite(writer, 1), ONE_PUT, 1, 1);
        assertCost(costOfWrite(writer, 1), ONE_PUT, 1, 1);
    }

    @Test
    void tenEventsAreOneRequestAndThreeUnits() {
        LogWriter bare = writer(plain);
        assertCost(costOfWrite(bare, 10), ONE_PUT, 3, 0);
        LogWriter withIndexes = writer(indexed);
        assertCost(costOfWrite(withIndexes, 10), ONE_PUT, 3, 2);
        assertCost(costOfWrite(withIndexes, 10), ONE_PUT, 3, 1);
    }

    @Test
    void aHundredEventsAreOneRequestAndTwentyUnits() {
        Cost bare = costOfWrite(writer(plain), 100);
        assertThat(bare.requests()).isEqualTo(ONE_PUT);
        // 21 without compression, which finds no more than the frames' own bytes to save.
        assertThat(bare.writes()).isEqualTo(20);
        LogWriter withIndexes = writer(indexed);
        costOfWrite(withIndexes, 1);
        Cost second = costOfWrite(withIndexes, 100);
        assertThat(second.requests()).isEqualTo(ONE_PUT);
        assertThat(second.tableWrites()).isEqualTo(20);
        assertThat(second.indexWrites()).isEqualTo(1);
    }

    @Test
    void whatCompressesCostsLess() {
        LogWriter writer = writer(plain);
        meter.take();
        writer.write(Collections.nCopies(100, TestEvents.compressible(SIZE)));
        assertCost(meter.take(), ONE_PUT, 1, 0);
    }

    @Test
    void aRejectedWriteIsOneRequest() {
        String contended = TestEvents.freshId();
        LogWriter two = LogWriter.recover(warm(plain), contended);
        LogWriter.recover(plain.log(), contended).write(1);
        meter.take();
        Await.failure(two.send(two.next(TestEvents.events(1, SIZE))), StoreException.WriteConflict.class);
        assertThat(meter.take().requests()).isEqualTo(ONE_PUT);
    }

    private Cost costOfRecovery(LogFixture fixture, String persistenceId, long from, long highest) {
        EventJournal journal = new EventJournal(fixture.log(meter), JournalCaches.DEFAULTS);
        meter.take();
        assertThat(Await.result(journal.highestSeqNr(persistenceId, from, new Object())))
                .isEqualTo(highest);
        assertThat(LogReading.replay(journal, persistenceId, SeqRange.wholeWrites(from, highest, Long.MAX_VALUE)))
                .hasSize((int) (highest - from + 1));
        return meter.take();
    }

    @Test
    void recoveryOfANewEntityIsOneRequest() {
        for (LogFixture fixture : List.of(plain, indexed)) {
            Cost cost = costOfRecovery(fixture, TestEvents.freshId(), 1, 0);
            assertThat(cost.requests()).isEqualTo(ONE_QUERY);
            assertThat(cost.reads()).isEqualTo(1);
        }
    }

    @Test
    void recoveryOfAShortLogIsOneRequest() {
        for (LogFixture fixture : List.of(plain, indexed)) {
            String persistenceId = TestEvents.freshId();
            LogWriter writer = LogWriter.recover(fixture.log(), persistenceId);
            for (int i = 0; i < 50; i++) {
                writer.write(TestEvents.events(1, SIZE));
            }
            Cost cost = costOfRecovery(fixture, persistenceId, 1, 50);
            assertThat(cost.requests()).isEqualTo(ONE_QUERY);
            // 50 items of some 310 bytes, by 4 KB.
            assertThat(cost.reads()).isEqualTo(4);
        }
    }

    @Test
    void recoveryAfterASnapshotIsTwoConcurrentRequests() {
        LogWriter writer = LogWriter.recover(plain.log(), id);
        for (int i = 0; i < 60; i++) {
            writer.write(TestEvents.events(1, SIZE));
        }
        Cost cost = costOfRecovery(plain, id, 11, 60);
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.QUERY, 2));
        assertThat(cost.reads()).isEqualTo(5);

        FaultProxy proxy = local.proxy();
        EventJournal journal = plain.journal(proxy);
        HeldRequest firstRead = proxy.when(RequestMatch.reads()).hold();
        CompletionStage<Long> highest = journal.highestSeqNr(id, 11, new Object());
        firstRead.awaitArrival();
        proxy.awaitRequests(RequestMatch.reads(), 2);
        firstRead.release();
        assertThat(Await.result(highest)).isEqualTo(60);
        assertThat(LogReading.replay(journal, id, SeqRange.wholeWrites(11, 60, Long.MAX_VALUE)))
                .hasSize(50);
        assertThat(proxy.requests()).hasSize(2);
    }

    @Test
    void recoveryRightAfterASnapshotOfTheLastEventIsTwoRequests() {
        String persistenceId = TestEvents.freshId();
        LogWriter.recover(plain.log(), persistenceId).writeSingles(5);
        Cost cost = costOfRecovery(plain, persistenceId, 6, 5);
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.QUERY, 2));
        assertThat(cost.reads()).isEqualTo(2);
    }

    /** Pages end by their number of items, so that it does not matter where a server ends a page of 1 MB. */
    @Test
    void recoveryOfALongLogIsAPageTheEndAndQuartersOfPages() {
        CommitsJournal all = CommitsJournal.of(local.freshTable());
        LogFixture pagesOf8 = LogFixture.create(
                local,
                new CommitsJournal(
                        all.tableName(), false, false, 16, false, all.itemSize(), 8, 4, all.tombstoneRetention()));
        String persistenceId = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(pagesOf8.log(), persistenceId);
        for (int i = 0; i < 24; i++) {
            writer.write(TestEvents.events(1, 20_000));
        }
        Cost cost = costOfRecovery(pagesOf8, persistenceId, 1, 24);
        assertThat(cost.requests())
                .as("a page of 8, the end, and the other 16 by 2")
                .isEqualTo(Map.of(Operation.QUERY, 1 + 1 + 8));
        // By 4 KB: 8 items of 20,100 bytes, the last one, and 8 times 2.
        assertThat(cost.reads()).isEqualTo(40 + 5 + 8 * 10);
    }

    /** Where a server ends a page of 1 MB differs by an item or two. */
    @Test
    void recoveryOfMoreThanAMegabyteReadsEachEventOnceAndTheLastTwice() {
        String persistenceId = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(plain.log(), persistenceId);
        for (int i = 0; i < 15; i++) {
            writer.write(List.of(TestEvents.event(100_000)));
        }
        Cost cost = costOfRecovery(plain, persistenceId, 1, 15);
        assertThat(cost.requests().keySet()).containsExactly(Operation.QUERY);
        assertThat(cost.requests().getOrDefault(Operation.QUERY, 0)).isBetween(4, 6);
        // 1.5 MB by 4 KB, and the last item once more.
        assertThat(cost.reads()).isBetween(367.0 + 25, 374.0 + 25);
    }

    @Test
    void recoveryOfMoreThan256SmallCommitsReadsTheEndAndTheRest() {
        String persistenceId = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(plain.log(), persistenceId).writeSingles(255);
        Cost ofOnePage = costOfRecovery(plain, persistenceId, 1, 255);
        assertThat(ofOnePage.requests()).isEqualTo(ONE_QUERY);
        writer.writeSingles(51);
        Cost cost = costOfRecovery(plain, persistenceId, 1, 306);
        assertThat(cost.requests()).as("the first, the end, the rest").isEqualTo(Map.of(Operation.QUERY, 3));
        // A unit for the end, and two pages are rounded up.
        assertThat(cost.reads()).isBetween(ofOnePage.reads() * 1.2, ofOnePage.reads() * 1.2 + 3);
    }

    @Test
    void theHighestSequenceNumberAloneIsOneRequestHoweverLongTheLog() {
        String persistenceId = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(plain.log(), persistenceId);
        writer.write(List.of(TestEvents.event(300_000))).write(1);
        EventJournal journal = new EventJournal(plain.log(meter), JournalCaches.DEFAULTS);
        meter.take();
        assertThat(Await.result(journal.highestSeqNr(persistenceId, new Object())))
                .isEqualTo(2);
        Cost cost = meter.take();
        assertThat(cost.requests()).isEqualTo(ONE_QUERY);
        assertThat(cost.reads()).isEqualTo(1);
    }

    private Cost costOfDelete(LogFixture fixture, String persistenceId, long to) {
        EventLog log = fixture.log(meter);
        meter.take();
        Await.result(log.deleteTo(persistenceId, to));
        return meter.take();
    }

    @Test
    void aDeleteCostsWhatItsCommitsCost() {
        String persistenceId = TestEvents.freshId();
        LogWriter.recover(plain.log(), persistenceId).writeSingles(12);
        Cost cost = costOfDelete(plain, persistenceId, 10);
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.QUERY, 1, Operation.PUT, 10));
        assertThat(cost.writes()).isEqualTo(10);
        assertThat(cost.reads()).isEqualTo(1);

        Cost again = costOfDelete(plain, persistenceId, 10);
        assertThat(again.requests()).isEqualTo(ONE_QUERY);
        Cost further = costOfDelete(plain, persistenceId, 12);
        // Two more, and the tombstone that marked the first delete gets its expiry.
        assertThat(further.requests()).isEqualTo(Map.of(Operation.QUERY, 1, Operation.PUT, 3));
    }

    @Test
    void aDeleteCostsOneUnitMorePerRowOfTheSliceIndex() {
        String persistenceId = TestEvents.freshId();
        LogWriter.recover(indexed.log(), persistenceId).writeSingles(10);
        Cost cost = costOfDelete(indexed, persistenceId, 10);
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.QUERY, 1, Operation.PUT, 10));
        assertThat(cost.tableWrites()).isEqualTo(10);
        assertThat(cost.indexWrites()).isEqualTo(10);
    }

    @Test
    void aDeleteInsideACommitIsOneUpdate() {
        String persistenceId = TestEvents.freshId();
        LogWriter.recover(plain.log(), persistenceId).write(TestEvents.events(10, SIZE));
        Cost cost = costOfDelete(plain, persistenceId, 4);
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.QUERY, 1, Operation.UPDATE, 1));
        assertThat(cost.writes()).isEqualTo(3);
    }

    @Test
    void aSnapshotIsOneRequestEachWay() {
        CommitsSnapshots layout = CommitsSnapshots.of(local.freshTable());
        local.create(layout.table());
        SnapshotTable table = layout.open(local.open(meter));
        Payload payload = new Payload(1, "", TestEvents.randomBytes(SIZE));
        meter.take();
        Await.result(table.save(new StoredSnapshot(id, 10, 1, payload, null)));
        assertCost(meter.take(), ONE_PUT, 1, 0);
        assertThat(Await.result(table.load(id, SnapshotCriteria.ALL))).isPresent();
        Cost load = meter.take();
        assertThat(load.requests()).isEqualTo(ONE_QUERY);
        assertThat(load.reads()).isEqualTo(1);
    }
}
