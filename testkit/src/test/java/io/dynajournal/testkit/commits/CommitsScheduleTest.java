package io.dynajournal.testkit.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.store.EventJournal;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.JournalCaches;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.listener.Lane;
import io.dynajournal.listener.RequestListener;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.HeldRequest;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.SeenLanes;
import io.dynajournal.testkit.TestEvents;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Each rule of the native layout is there because a schedule without it lost or changed an acknowledged event. Here each of
 * these schedules runs on the real code.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommitsScheduleTest {

    private static final RequestMatch PUTS = RequestMatch.operation("PutItem");

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final CommitsJournal layout =
            new CommitsJournal(local.freshTable(), false, false, 16, false, 4096, 1000, 3, Duration.ofDays(30));
    private final CommitsJournal pagesOfOne = inPagesOf(1);

    private CommitsJournal inPagesOf(int items) {
        return new CommitsJournal(layout.tableName(), false, false, 16, false, 4096, items, 3, Duration.ofDays(30));
    }

    @BeforeAll
    void createTable() {
        local.create(layout.table());
    }

    private EventLog log() {
        return layout.open(local.open(RequestListener.NONE));
    }

    private EventLog log(FaultProxy proxy) {
        return layout.open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE));
    }

    private EventLog logThatGivesUp(FaultProxy proxy) {
        return layout.open(local.open(proxy, Retries.TWO_ATTEMPTS, RequestListener.NONE));
    }

    private JournalTable table() {
        return new JournalTable(local.client(), layout.tableName());
    }

    private static List<Long> numbers(EventLog log, String id) {
        return LogReading.numbers(LogReading.all(log, id));
    }

    private static StoreException.WriteConflict refused(CompletionStage<?> write) {
        return Await.failure(write, StoreException.WriteConflict.class);
    }

    // ---- the key (rule 1) ----

    @Test
    void aWriterAfterItsOwnRejectionStillMeetsTheOther() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).write(1).write(1);
        LogWriter a = LogWriter.recover(log(), id);
        LogWriter b = LogWriter.recover(log(), id);
        a.write(1);
        // B's event 3 was rejected, so B writes 4, which is free: only the key that it derives from 2 collides.
        EventBatch four = EventBatch.of(id, b.uuid(), 4, TestEvents.events(1, 20));
        assertThat(refused(b.send(four)).otherWriter()).isEqualTo(a.uuid());
        assertThat(numbers(log(), id)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void twoIncarnationsOnOneNodeDoNotShareAView() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).write(1).write(1);
        EventJournal node = new EventJournal(log(), JournalCaches.DEFAULTS);
        Object first = new Object();
        Object second = new Object();
        assertThat(Await.result(node.highestSeqNr(id, 1, first))).isEqualTo(2);
        assertThat(Await.result(node.highestSeqNr(id, 1, second))).isEqualTo(2);
        String a = TestEvents.freshWriter();
        String b = TestEvents.freshWriter();
        Await.result(node.append(EventBatch.of(id, a, 4, TestEvents.events(1, 20)), first)); // its 3 was rejected
        refused(node.append(EventBatch.of(id, b, 5, TestEvents.events(1, 20)), second)); // its 3 and 4 were rejected
        assertThat(numbers(log(), id)).containsExactly(1L, 2L, 4L);
    }

    @Test
    void aSnapshotAtARejectedSequenceNumberLosesNothing() {
        String id = TestEvents.freshId();
        LogWriter before = LogWriter.recover(log(), id).write(1).write(1);
        // 3 was rejected, a snapshot has 3, the next incarnation recovers from 4 and writes 4.
        LogEnd end = Await.result(log().head(id, 4)).end();
        assertThat(end.seqNr()).isEqualTo(2);
        String after = TestEvents.freshWriter();
        Await.result(log().append(EventBatch.of(id, after, 4, TestEvents.events(1, 20)), end));
        assertThat(LogReading.numbers(LogReading.read(log(), id, LogReading.everythingFrom(4))))
                .containsExactly(4L);
        assertThat(numbers(log(), id)).containsExactly(1L, 2L, 4L);
        assertThat(refused(before.send(before.next(TestEvents.events(1, 20)))).otherWriter())
                .isEqualTo(after);
    }

    // ---- retries and late arrivals (rules 3 and 4) ----

    @Test
    void anOwnWriteThatWasDeletedBeforeTheRetryIsStillOurs() {
        String id = TestEvents.freshId();
        FaultProxy proxy = local.proxy();
        LogWriter writer = LogWriter.recover(log(proxy), id);
        proxy.when(PUTS).loseReply();
        HeldRequest retry = proxy.when(PUTS).hold();
        CompletableFuture<LogEnd> write =
                writer.send(writer.next(TestEvents.events(2, 20))).toCompletableFuture();
        retry.awaitArrival();
        Await.result(log().deleteTo(id, 2));
        retry.release();
        assertThat(Await.result(write).seqNr()).isEqualTo(2);
        assertThat(numbers(log(), id)).isEmpty();
        assertThat(LogReading.highest(log(), id)).isEqualTo(2);
    }

    @Test
    void aPutThatArrivesAfterItsWriterGaveUpStopsTheNextOne() {
        String id = TestEvents.freshId();
        FaultProxy proxy = local.proxy();
        LogWriter gone = LogWriter.recover(logThatGivesUp(proxy), id);
        HeldRequest late = proxy.when(PUTS).deliverLate();
        proxy.when(PUTS).always().loseRequest();
        Await.failure(gone.send(gone.next(TestEvents.events(1, 20))), StoreException.Unavailable.class);
        LogWriter next = LogWriter.recover(log(), id);
        late.release();
        late.awaitDelivery();
        assertThat(refused(next.send(next.next(TestEvents.events(1, 20)))).otherWriter())
                .isEqualTo(gone.uuid());
        assertThat(numbers(log(), id)).containsExactly(1L);
    }

    // ---- parts (rule 5) ----

    @Test
    void theLoserRemovesItsPartsAndNobodyElses() {
        String id = TestEvents.freshId();
        LogWriter a = LogWriter.recover(log(), id);
        LogWriter b = LogWriter.recover(log(), id);
        a.write(TestEvents.events(1, 20_000));
        int items = table().allItems().size();
        refused(b.send(b.next(TestEvents.events(1, 20_000))));
        assertThat(table().allItems().size()).isEqualTo(items);
        assertThat(LogReading.contents(LogReading.all(log(), id))).isEqualTo(a.written());
    }

    @Test
    void partsOfAnUnknownOutcomeStayForTheHeadThatArrivesLate() {
        String id = TestEvents.freshId();
        FaultProxy proxy = local.proxy();
        LogWriter writer = LogWriter.recover(logThatGivesUp(proxy), id);
        RequestMatch head = PUTS.containing("\"sum\"");
        HeldRequest late = proxy.when(head).deliverLate();
        proxy.when(head).always().loseRequest();
        EventBatch batch = writer.next(TestEvents.events(1, 20_000));
        Await.failure(writer.send(batch), StoreException.Unavailable.class);
        assertThat(numbers(log(), id)).isEmpty();
        late.release();
        late.awaitDelivery();
        assertThat(LogReading.contents(LogReading.all(log(), id)))
                .isEqualTo(batch.writes().get(0));
    }

    // ---- deletes (rules 6 to 9) ----

    @Test
    void aTombstoneCoversRejectedSequenceNumbersToo() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(log(), id).write(1).writeAt(4, TestEvents.events(1, 20));
        Await.result(log().deleteTo(id, 4));
        assertThat(LogReading.highest(log(), id)).isEqualTo(4);
        writer.write(1);
        assertThat(numbers(log(), id)).containsExactly(5L);
    }

    @Test
    void afterTheTombstonesHaveExpiredTheLogIsWhole() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(log(), id).writeSingles(6);
        Await.result(log().deleteTo(id, 2));
        Await.result(log().deleteTo(id, 4));
        table().expireTombstones(id);
        // The first tombstone keeps the id, the highest one the sequence number.
        assertThat(table().items(id)).extracting(JournalTable::seq).containsExactly(1L, 4L, 5L, 6L);
        assertThat(numbers(log(), id)).containsExactly(5L, 6L);
        Await.result(log().deleteTo(id, Long.MAX_VALUE));
        table().expireTombstones(id);
        assertThat(numbers(log(), id)).isEmpty();
        assertThat(LogReading.highest(log(), id)).isEqualTo(6);
        writer.write(1);
        assertThat(numbers(log(), id)).containsExactly(7L);
    }

    @Test
    void aDeleteThatCrashesAfterItsFirstTombstoneLeavesALegalLog() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).writeSingles(6);
        FaultProxy proxy = local.proxy();
        EventLog crashing = log(proxy);
        proxy.when(PUTS.containing("\"seq\":{\"N\":\"1\"}"))
                .answer(ErrorAnswer.of(400, "ValidationException", "crash"));
        Await.failure(crashing.deleteTo(id, 4), StoreException.Refused.class);
        assertThat(numbers(log(), id)).containsExactly(5L, 6L);
        table().expireTombstones(id);
        assertThat(numbers(log(), id)).containsExactly(5L, 6L);
        Await.result(log().deleteTo(id, 5));
        assertThat(numbers(log(), id)).containsExactly(6L);
    }

    @Test
    void aReplayThatMeetsACrashedDeleteAfterItsFirstPageCompletesIt() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).writeSingles(6);
        FaultProxy proxy = local.proxy();
        proxy.when(PUTS.containing("\"seq\":{\"N\":\"1\"}"))
                .answer(ErrorAnswer.of(400, "ValidationException", "crash"));
        proxy.when(PUTS.containing("\"seq\":{\"N\":\"2\"}"))
                .answer(ErrorAnswer.of(400, "ValidationException", "crash"));
        Await.failure(log(proxy).deleteTo(id, 4), StoreException.Refused.class);
        SeenLanes lanes = new SeenLanes();
        EventLog small = pagesOfOne.open(local.open(lanes));
        Await.failure(LogReading.reading(small, id, LogReading.everythingFrom(1)), StoreException.LogMoved.class);
        assertThat(lanes.take()).as("a recovery waits for it").containsExactly(Lane.RECOVERY);
        assertThat(numbers(small, id)).containsExactly(5L, 6L);
    }

    private EventJournal node(CommitsJournal small, FaultProxy proxy) {
        return new EventJournal(
                small.open(local.open(proxy, LocalDynamo.PATIENT, RequestListener.NONE)), JournalCaches.DEFAULTS);
    }

    /** A recovery of a log of six pages: it knows the end, so it requests 2, 3 and 4 concurrently. */
    private CompletableFuture<List<Long>> recoveryInPagesOfOne(FaultProxy proxy, String id) {
        EventJournal node = node(pagesOfOne, proxy);
        assertThat(Await.result(node.highestSeqNr(id, 1, "X"))).isEqualTo(6);
        return CompletableFuture.supplyAsync(
                () -> LogReading.numbers(LogReading.replay(node, id, SeqRange.wholeWrites(1, 6, Long.MAX_VALUE))));
    }

    private static RequestMatch pageFrom(int number) {
        return RequestMatch.operation("Query").containing("\":from\":{\"N\":\"" + number + "\"}");
    }

    @Test
    void pagesThatOvertakeEachOtherAreReplayedInOrder() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).writeSingles(6);
        FaultProxy proxy = local.proxy();
        HeldRequest second = proxy.when(pageFrom(2)).hold();
        HeldRequest third = proxy.when(pageFrom(3)).holdReply();
        CompletableFuture<List<Long>> recovery = recoveryInPagesOfOne(proxy, id);
        second.awaitArrival();
        third.awaitArrival();
        third.release();
        third.awaitDelivery();
        second.release();
        assertThat(Await.result(recovery)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    }

    @Test
    void aDeleteBetweenPagesThatOvertakeEachOtherFailsTheReplay() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).writeSingles(6);
        FaultProxy proxy = local.proxy();
        HeldRequest second = proxy.when(pageFrom(2)).hold();
        HeldRequest third = proxy.when(pageFrom(3)).holdReply();
        CompletableFuture<List<Long>> recovery = recoveryInPagesOfOne(proxy, id);
        second.awaitArrival();
        third.awaitArrival();
        // Page 3 shows the log before the delete, page 2 after it.
        Await.result(log().deleteTo(id, 3));
        third.release();
        second.release();
        Await.failure(recovery, StoreException.LogMoved.class);
        assertThat(numbers(log(), id)).containsExactly(4L, 5L, 6L);
    }

    @Test
    void anEventThatIsStoredWhileTheEndIsReadIsReplayed() {
        String id = TestEvents.freshId();
        // The first page has nine sequence numbers, so the segment after it is longer than the log.
        LogWriter writer = LogWriter.recover(log(), id).write(8).write(1).write(1);
        FaultProxy proxy = local.proxy();
        HeldRequest end = proxy.when(RequestMatch.operation("Query").containing("\"ScanIndexForward\":false"))
                .hold();
        EventJournal node = node(inPagesOf(2), proxy);
        CompletableFuture<Long> highest = node.highestSeqNr(id, 1, "X").toCompletableFuture();
        end.awaitArrival();
        writer.write(1);
        end.release();
        assertThat(Await.result(highest)).isEqualTo(11);
        // A page that was read before the end may miss events that the end includes.
        assertThat(LogReading.replay(node, id, SeqRange.wholeWrites(1, 11, Long.MAX_VALUE)))
                .hasSize(11);
    }

    @Test
    void aWriterWithAnOldViewReadsTheLogBeforeItWrites() {
        String id = TestEvents.freshId();
        LogWriter stale = LogWriter.recover(log(), id).write(1);
        LogWriter other = LogWriter.recover(log(), id).write(1).write(1);
        Await.result(log().deleteTo(id, 3));
        table().expireTombstones(id);
        assertThat(table().items(id)).extracting(JournalTable::seq).containsExactly(1L, 3L);
        LogEnd seen = stale.seen();
        LogEnd old = new LogEnd(
                seen.seqNr(),
                seen.timestampMicros(),
                seen.writer(),
                seen.seenAtMillis() - Duration.ofDays(16).toMillis());
        // Key 2 is free again, so only the age of the view can stop this write.
        EventBatch two = stale.next(TestEvents.events(1, 20));
        assertThat(refused(log().append(two, old)).otherWriter()).isEqualTo(other.uuid());
        assertThat(LogReading.highest(log(), id)).isEqualTo(3);
    }

    @Test
    void anOldViewOfAnUnchangedLogMayWrite() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(log(), id).write(1);
        LogEnd seen = writer.seen();
        LogEnd old = new LogEnd(seen.seqNr(), seen.timestampMicros(), seen.writer(), 0);
        Await.result(log().append(writer.next(TestEvents.events(1, 20)), old));
        assertThat(numbers(log(), id)).containsExactly(1L, 2L);
    }

    @Test
    void aTombstoneThatHasExpiredButIsStillThereStopsAStaleWriter() {
        String id = TestEvents.freshId();
        LogWriter stale = LogWriter.recover(log(), id).write(1);
        LogWriter other = LogWriter.recover(log(), id).write(1).write(1);
        Await.result(log().deleteTo(id, 3));
        table().set(id, 2, "exp", 1_000);
        assertThat(refused(stale.send(stale.next(TestEvents.events(1, 20)))).otherWriter())
                .isEqualTo(other.uuid());
    }

    @Test
    void anUpdateThatArrivesLateDoesNotBringACommitBack() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).write(3).write(1);
        FaultProxy proxy = local.proxy();
        HeldRequest late = proxy.when(RequestMatch.operation("UpdateItem")).hold();
        CompletableFuture<Void> inside = log(proxy).deleteTo(id, 2).toCompletableFuture();
        late.awaitArrival();
        Await.result(log().deleteTo(id, 4));
        table().remove(id, 1);
        late.release();
        Await.result(inside);
        assertThat(table().items(id)).extracting(JournalTable::seq).containsExactly(4L);
    }

    @Test
    void aLateTombstoneDoesNotReplaceTheCommitOfANewIncarnation() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).write(1);
        FaultProxy proxy = local.proxy();
        HeldRequest late = proxy.when(PUTS).hold();
        CompletableFuture<Void> delete = log(proxy).deleteTo(id, 1).toCompletableFuture();
        late.awaitArrival();
        table().remove(id, 1); // an operator resets the entity
        LogWriter fresh = LogWriter.recover(log(), id).write(1);
        late.release();
        Await.result(delete);
        assertThat(LogReading.contents(LogReading.all(log(), id))).isEqualTo(fresh.written());
    }

    // ---- expiring events (rules 2 and 9) ----

    @Test
    void anExpiredCommitStillStopsAStaleWriter() {
        String id = TestEvents.freshId();
        LogWriter stale = LogWriter.recover(log(), id);
        LogWriter.recover(log(), id).write(1);
        table().set(id, 1, "exp", 1_000);
        refused(stale.send(stale.next(TestEvents.events(1, 20))));
        assertThat(numbers(log(), id)).isEmpty();
        assertThat(LogReading.highest(log(), id)).isEqualTo(1);
    }

    @Test
    void theFloorKeepsTheHighestSequenceNumberWhenAllEventsHaveExpired() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).write(1).write(1);
        table().putFloor(id, 10);
        table().remove(id, 1);
        assertThat(numbers(log(), id)).containsExactly(2L);
        assertThat(LogReading.highest(log(), id)).isEqualTo(2);
        table().remove(id, 2);
        assertThat(numbers(log(), id)).isEmpty();
        assertThat(LogReading.highest(log(), id)).isEqualTo(10);
        LogWriter.recover(log(), id).write(1);
        assertThat(numbers(log(), id)).containsExactly(11L);
    }

    @Test
    void theHighestSequenceNumberSurvivesWhenALaterCommitExpiresBeforeAnEarlierOne() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).write(1).write(1).write(1);
        table().putFloor(id, 3);
        for (long seq = 1; seq <= 3; seq++) {
            table().set(id, seq, "exp", 1_000);
        }
        table().remove(id, 3); // time to live removes items in any order
        assertThat(LogReading.highest(log(), id)).isEqualTo(3);
        LogWriter.recover(log(), id).write(1);
        assertThat(numbers(log(), id)).containsExactly(4L);
        assertThat(LogReading.numbers(LogReading.read(log(), id, LogReading.everythingFrom(3))))
                .containsExactly(4L);
    }

    // ---- replay (rules 10 and 12) ----

    @Test
    void commitsThatAreStoredBetweenTheTwoQueriesAreNoGap() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(log(), id).writeSingles(4);
        FaultProxy proxy = local.proxy();
        HeldRequest forward = proxy.when(RequestMatch.operation("Query").containing("BETWEEN"))
                .hold();
        HeldRequest backward =
                proxy.when(RequestMatch.operation("Query").containing("seq <")).holdReply();
        CompletableFuture<List<Long>> replay = CompletableFuture.supplyAsync(
                () -> LogReading.numbers(LogReading.read(log(proxy), id, LogReading.everythingFrom(6))));
        forward.awaitArrival();
        backward.awaitArrival(); // it has seen 4
        writer.write(1).write(1);
        forward.release(); // it will see 6
        backward.release();
        assertThat(replay.join()).containsExactly(6L);
    }

    @Test
    void aFirstPageServesOnlyTheRecoveryThatRequestedIt() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(log(), id).writeSingles(4);
        EventJournal node = new EventJournal(log(), JournalCaches.DEFAULTS);
        assertThat(Await.result(node.highestSeqNr(id, 1, "X"))).isEqualTo(4);
        writer.write(1); // elsewhere
        FaultProxy proxy = local.proxy();
        assertThat(Await.result(node.highestSeqNr(id, 1, "Y"))).isEqualTo(5);
        assertThat(LogReading.numbers(LogReading.replay(node, id, SeqRange.wholeWrites(1, 5, Long.MAX_VALUE))))
                .containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(LogReading.numbers(LogReading.replay(node, id, SeqRange.wholeWrites(1, 4, Long.MAX_VALUE))))
                .containsExactly(1L, 2L, 3L, 4L);
        proxy.close();
    }

    @Test
    void aReplayThatEndsBeforeTheHighestSequenceNumberFails() {
        String id = TestEvents.freshId();
        LogWriter.recover(log(), id).writeSingles(3);
        EventJournal node = new EventJournal(log(), JournalCaches.DEFAULTS);
        table().remove(id, 3);
        CompletionStage<Void> replay = node.replay(
                id, SeqRange.wholeWrites(1, 3, Long.MAX_VALUE), page -> CompletableFuture.completedFuture(null));
        assertThat(Await.failure(replay, StoreException.LogDamaged.class))
                .hasMessageContaining("ends at sequence number 2");
    }
}
