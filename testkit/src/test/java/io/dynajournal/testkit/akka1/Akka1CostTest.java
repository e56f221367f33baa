package io.dynajournal.testkit.akka1;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.layout.akka1.Akka1EventFormat;
import io.dynajournal.internal.layout.akka1.Akka1Journal;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.LogHead;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The cost of the layout akka1: the write units of the predecessor for events of 200 bytes, and at most its read units. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Akka1CostTest {

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    /** With the form of events configured; what its choice costs is in {@link Akka1EventFormatTest}. */
    private final LogFixture fixture =
            LogFixture.create(local, Akka1Journal.of(local.freshTable()).withEventFormat(Akka1EventFormat.EVENT));

    private final CostMeter meter = new CostMeter();
    /** A read of the 20 keys of the marks, none of which has an item. */
    private static final double MARKS = 20;

    private LogWriter writer() {
        return LogWriter.recover(fixture.log(meter), TestEvents.freshId());
    }

    private Cost cost(LogWriter writer, int events) {
        meter.take();
        writer.write(TestEvents.events(events, 200));
        return meter.take();
    }

    private static void assertCost(Cost cost, Map<Operation, Integer> requests, double units) {
        assertThat(cost.requests()).isEqualTo(requests);
        assertThat(cost.writes()).isEqualTo(units);
    }

    @Test
    void aPersistIsOnePutAndOneUnit() {
        LogWriter writer = writer().write(1);
        for (int i = 0; i < 3; i++) {
            assertCost(cost(writer, 1), Map.of(Operation.PUT, 1), 1);
        }
    }

    /** It checks once that nothing was deleted which it has not seen. */
    @Test
    void theFirstWriteAfterARecoveryReadsTheMarks() {
        Cost cost = cost(writer(), 1);
        assertCost(cost, Map.of(Operation.PUT, 1, Operation.BATCH_GET, 1), 1);
        assertThat(cost.reads()).isEqualTo(MARKS);
    }

    @Test
    void everyHundredthPersistHasAMark() {
        LogWriter writer = writer().write(98);
        assertCost(cost(writer, 1), Map.of(Operation.PUT, 1), 1);
        assertCost(cost(writer, 1), Map.of(Operation.PUT, 2), 2);
        assertCost(cost(writer, 1), Map.of(Operation.PUT, 1), 1);
    }

    @Test
    void aPersistAllCostsAUnitForEachEvent() {
        LogWriter writer = writer().write(1);
        assertCost(cost(writer, 10), Map.of(Operation.PUT, 10), 10);
        assertCost(cost(writer, 2), Map.of(Operation.PUT, 2), 2);
        assertCost(cost(writer, 27), Map.of(Operation.PUT, 27), 27);
        // Across the boundary at 100: one for the mark.
        assertCost(cost(writer, 70), Map.of(Operation.PUT, 71), 71);
    }

    /** One unit for each event and one for the mark, as with the predecessor; a tombstone replaces the first event. */
    @Test
    void aDeleteCostsAUnitForEachEvent() {
        LogWriter writer = writer().write(TestEvents.events(50, 200)).write(TestEvents.events(40, 200));
        meter.take();
        Await.result(fixture.log(meter).deleteTo(writer.persistenceId(), 60));
        Cost cost = meter.take();
        assertThat(cost.writes()).isEqualTo(61);
        assertThat(cost.requests())
                .isEqualTo(
                        Map.of(Operation.BATCH_GET, 1, Operation.QUERY, 3, Operation.PUT, 1, Operation.BATCH_WRITE, 4));
        // The next one continues: no tombstone where the writer is the same.
        Await.result(fixture.log(meter).deleteTo(writer.persistenceId(), 80));
        assertThat(meter.take().writes()).isEqualTo(21);
    }

    @Test
    void aRejectedEventCostsOneUnitMore() {
        LogWriter writer = writer().write(1);
        meter.take();
        writer.writeAt(3, TestEvents.events(1, 200));
        assertCost(meter.take(), Map.of(Operation.PUT, 2), 2);
    }

    private Cost recovery(String id, long from) {
        meter.take();
        LogHead head = Await.result(fixture.log(meter).head(id, from));
        if (head.end().seqNr() >= from) {
            SeqRange range = SeqRange.wholeWrites(from, head.end().seqNr(), Long.MAX_VALUE);
            assertThat(LogReading.read(fixture.log(meter), id, range, head.firstPage()))
                    .hasSize((int) (head.end().seqNr() - from + 1));
        }
        return meter.take();
    }

    /** The marks and the first partition concurrently: 21 units. The predecessor takes three requests one by one. */
    @Test
    void theRecoveryOfANewIdIsTwoRequests() {
        Cost cost = recovery(TestEvents.freshId(), 1);
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.BATCH_GET, 1, Operation.QUERY, 1));
        assertThat(cost.reads()).isEqualTo(MARKS + 1);
    }

    /** One more for the following partition, because a mark may be lost. The predecessor takes four. */
    @Test
    void theRecoveryOfAShortLogIsThreeRequests() {
        LogWriter writer = writer().write(TestEvents.events(50, 200));
        Cost cost = recovery(writer.persistenceId(), 1);
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.BATCH_GET, 1, Operation.QUERY, 2));
        assertThat(cost.reads()).isEqualTo(MARKS + 5 + 1);
    }

    /** The same after a snapshot, with or without events after it. */
    @Test
    void theRecoveryAfterASnapshotIsThreeRequests() {
        LogWriter writer = writer().write(TestEvents.events(40, 200)).write(TestEvents.events(10, 200));
        Cost cost = recovery(writer.persistenceId(), 41);
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.BATCH_GET, 1, Operation.QUERY, 2));
        assertThat(cost.reads()).isEqualTo(MARKS + 1 + 1);
        cost = recovery(writer.persistenceId(), 51);
        assertThat(cost.requests()).isEqualTo(Map.of(Operation.BATCH_GET, 1, Operation.QUERY, 2));
        assertThat(cost.reads()).isEqualTo(MARKS + 1 + 1);
    }

    /** At a boundary the item before is in another partition, whose last item is read. */
    @Test
    void theRecoveryAfterASnapshotAtABoundaryReadsNoPartitionTwice() {
        LogWriter writer = writer().write(TestEvents.events(99, 200));
        assertThat(recovery(writer.persistenceId(), 100).requests())
                .isEqualTo(Map.of(Operation.BATCH_GET, 1, Operation.QUERY, 2));
    }

    @Test
    void aLongReplayReadsEachPartitionOnceAndSeveralConcurrently() {
        LogWriter writer = writer();
        for (int i = 0; i < 12; i++) {
            writer.write(100);
        }
        meter.take();
        assertThat(LogReading.contents(LogReading.all(fixture.log(meter), idOf(writer))))
                .isEqualTo(writer.written());
        // Thirteen partitions, and two to find the end.
        assertThat(meter.take().requests()).isEqualTo(Map.of(Operation.BATCH_GET, 1, Operation.QUERY, 15));

        FaultProxy proxy = fixture.proxy();
        HeldRequest held = proxy.when(RequestMatch.reads().containing("-P-" + idOf(writer) + "-3"))
                .holdReply();
        CompletableFuture<List<StoredEvent>> reading =
                CompletableFuture.supplyAsync(() -> LogReading.all(fixture.log(proxy), idOf(writer)));
        held.awaitArrival();
        // A following partition is requested although this one is not answered yet.
        proxy.awaitRequests(RequestMatch.reads().containing("-P-" + idOf(writer) + "-10"), 1);
        held.release();
        assertThat(LogReading.contents(Await.result(reading))).isEqualTo(writer.written());
    }

    @Test
    void partitionsOfSeveralPagesAreNotReadAhead() {
        LogWriter writer = writer();
        for (int i = 0; i < 8; i++) {
            writer.write(TestEvents.events(50, 30_000));
        }
        meter.take();
        assertThat(LogReading.contents(LogReading.all(fixture.log(meter), idOf(writer))))
                .isEqualTo(writer.written());
        double oneReading = 400 * 8;
        assertThat(meter.take().reads()).isBetween(oneReading * 0.9, oneReading * 1.1);
    }

    private static String idOf(LogWriter writer) {
        return writer.next(TestEvents.events(1, 1)).persistenceId();
    }
}
