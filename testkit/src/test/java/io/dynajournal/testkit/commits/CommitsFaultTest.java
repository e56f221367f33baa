package io.dynajournal.testkit.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.layout.commits.CommitsJournal;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.testkit.Await;
import io.dynajournal.testkit.ErrorAnswer;
import io.dynajournal.testkit.FaultProxy;
import io.dynajournal.testkit.HeldRequest;
import io.dynajournal.testkit.LocalDynamo;
import io.dynajournal.testkit.LogFixture;
import io.dynajournal.testkit.LogReading;
import io.dynajournal.testkit.LogWriter;
import io.dynajournal.testkit.RequestMatch;
import io.dynajournal.testkit.TestEvents;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Crashes and races where the native layout needs more than one request. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommitsFaultTest {

    /** The head of a commit in parts: only the head has the number of parts. */
    private static final RequestMatch HEAD = RequestMatch.operation("PutItem").containing("\"parts\"");

    private static final RequestMatch BATCHES = RequestMatch.operation("BatchWriteItem");

    @RegisterExtension
    final LocalDynamo local = new LocalDynamo();

    private final String id = TestEvents.freshId();
    private LogFixture fixture = freshFixture();

    /** A table per test, so that its items can be counted. */
    @BeforeEach
    void table() {
        fixture = freshFixture();
    }

    private LogFixture freshFixture() {
        return LogFixture.create(
                local, new CommitsJournal(local.freshTable(), true, true, 16, true, 8192, 3, 3, Duration.ofDays(1)));
    }

    private int itemsInTable() {
        return (int) new JournalTable(local.client(), fixture.tableName())
                .allItems().stream()
                        .filter(item ->
                                !AttributeValue.fromS("#dynajournal/registry").equals(item.get("pid")))
                        .count();
    }

    @Test
    void aCrashBetweenThePartsAndTheHeadLeavesNoTraceInTheLog() {
        FaultProxy proxy = fixture.proxy();
        LogWriter crashed = LogWriter.recover(fixture.log(proxy, Retries.TWO_ATTEMPTS), id);
        proxy.when(HEAD).always().loseRequest();
        EventBatch large = crashed.next(TestEvents.events(200, 200));
        Await.failure(crashed.send(large), StoreException.Unavailable.class);
        // The parts are stored, but nothing refers to them.
        assertThat(itemsInTable()).isGreaterThan(4);
        assertThat(LogReading.all(fixture.log(), id)).isEmpty();
        assertThat(LogReading.highest(fixture.log(), id)).isZero();
        LogWriter next = LogWriter.recover(fixture.log(), id)
                .write(TestEvents.events(150, 200))
                .write(1);
        assertThat(LogReading.contents(LogReading.all(fixture.log(), id))).isEqualTo(next.written());
    }

    @Test
    void aCrashAmongThePartsSendsNoHead() {
        FaultProxy proxy = fixture.proxy();
        LogWriter crashed = LogWriter.recover(fixture.log(proxy, Retries.TWO_ATTEMPTS), id);
        proxy.when(RequestMatch.writes()).after(3).always().loseRequest();
        EventBatch large = crashed.next(TestEvents.events(200, 200));
        Await.failure(crashed.send(large), StoreException.Unavailable.class);
        assertThat(proxy.requests(HEAD)).isEmpty();
        assertThat(LogReading.all(fixture.log(), id)).isEmpty();
    }

    @Test
    void theHeadIsSentAfterAllPartsAreStored() {
        FaultProxy proxy = fixture.proxy();
        LogWriter writer = LogWriter.recover(fixture.log(proxy), id);
        HeldRequest part = proxy.when(RequestMatch.operation("PutItem").containing("#dynajournal/part/"))
                .hold();
        CompletionStage<LogEnd> write = writer.send(writer.next(TestEvents.events(200, 200)));
        part.awaitArrival();
        // A whole write of another log through the same proxy: a head that did not wait would have arrived by then.
        LogWriter.recover(fixture.log(proxy), TestEvents.freshId()).write(1);
        assertThat(proxy.requests(HEAD)).isEmpty();
        part.release();
        Await.result(write);
        assertThat(LogReading.all(fixture.log(), id)).hasSize(200);
    }

    @Test
    void aHeadThatLandsAfterItsWriterGaveUpIsWhole() {
        FaultProxy proxy = fixture.proxy();
        LogWriter lost = LogWriter.recover(fixture.log(proxy, Retries.TWO_ATTEMPTS), id);
        HeldRequest late = proxy.when(HEAD).deliverLate();
        proxy.when(HEAD).always().loseRequest();
        EventBatch large = lost.next(TestEvents.events(200, 200));
        Await.failure(lost.send(large), StoreException.Unavailable.class);
        late.release();
        late.awaitDelivery();
        assertThat(LogReading.contents(LogReading.all(fixture.log(), id)))
                .isEqualTo(large.writes().get(0));
    }

    @Test
    void nobodySeesPartsBeforeTheirHead() {
        FaultProxy proxy = fixture.proxy();
        LogWriter writer = LogWriter.recover(fixture.log(proxy), id).write(1);
        HeldRequest head = proxy.when(HEAD).hold();
        CompletionStage<LogEnd> write = writer.send(writer.next(TestEvents.events(200, 200)));
        head.awaitArrival();
        assertThat(LogReading.numbers(LogReading.all(fixture.log(), id))).containsExactly(1L);
        assertThat(LogReading.highest(fixture.log(), id)).isEqualTo(1);
        head.release();
        assertThat(Await.result(write).seqNr()).isEqualTo(201);
        assertThat(LogReading.all(fixture.log(), id)).hasSize(201);
    }

    @Test
    void aRejectedCommitDeletesItsParts() {
        FaultProxy proxy = fixture.proxy();
        LogWriter two = LogWriter.recover(fixture.log(proxy), id);
        HeldRequest head = proxy.when(HEAD).hold();
        proxy.when(BATCHES).process(1);
        CompletionStage<LogEnd> write = two.send(two.next(TestEvents.events(200, 200)));
        head.awaitArrival();
        LogWriter one = LogWriter.recover(fixture.log(), id).write(2);
        head.release();
        StoreException.WriteConflict conflict = Await.failure(write, StoreException.WriteConflict.class);
        assertThat(conflict.otherWriter()).isEqualTo(one.uuid());
        assertThat(itemsInTable()).isEqualTo(1);
        assertThat(LogReading.contents(LogReading.all(fixture.log(), id))).isEqualTo(one.written());
    }

    @Test
    void lostRepliesOfPartsAndHeadAreRetried() {
        FaultProxy proxy = fixture.proxy();
        LogWriter writer = LogWriter.recover(fixture.log(proxy), id);
        proxy.when(HEAD).loseReply();
        proxy.when(RequestMatch.operation("PutItem")).times(2).loseReply();
        proxy.when(RequestMatch.operation("PutItem")).loseRequest();
        writer.write(TestEvents.events(200, 200)).write(1);
        assertThat(LogReading.contents(LogReading.all(fixture.log(), id))).isEqualTo(writer.written());
        int items = itemsInTable();
        String other = TestEvents.freshId();
        LogWriter.recover(fixture.log(), other)
                .write(TestEvents.events(200, 200))
                .write(1);
        assertThat(itemsInTable()).isEqualTo(2 * items);
    }

    @Test
    void aDeletedCommitLosesItsPartsAndKeepsItsSequenceNumbers() {
        FaultProxy proxy = fixture.proxy();
        LogWriter.recover(fixture.log(), id).write(TestEvents.events(200, 200));
        assertThat(itemsInTable()).isGreaterThan(4);
        proxy.when(BATCHES).process(2);
        proxy.when(BATCHES).process(0);
        Await.result(fixture.log(proxy).deleteTo(id, 200));
        assertThat(proxy.requests(BATCHES)).hasSize(3);
        assertThat(itemsInTable()).isEqualTo(1);
        assertThat(LogReading.highest(fixture.log(), id)).isEqualTo(200);
    }

    @Test
    void partsThatAnInterruptedDeleteLeftAreDeletedByTheNext() {
        FaultProxy proxy = fixture.proxy();
        LogWriter.recover(fixture.log(), id).write(TestEvents.events(200, 200)).write(1);
        proxy.when(BATCHES).answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        Await.failure(fixture.log(proxy).deleteTo(id, 200), StoreException.Refused.class);
        assertThat(itemsInTable()).isGreaterThan(4);
        assertThat(LogReading.numbers(LogReading.all(fixture.log(), id))).containsExactly(201L);
        Await.result(fixture.log().deleteTo(id, 200));
        assertThat(itemsInTable()).isEqualTo(2);
    }

    @Test
    void ourOwnWriteThatWasDeletedBeforeItsRetryIsNoConflict() {
        FaultProxy proxy = fixture.proxy();
        LogWriter writer = LogWriter.recover(fixture.log(proxy), id);
        RequestMatch put = RequestMatch.operation("PutItem");
        proxy.when(put).loseReply();
        HeldRequest retry = proxy.when(put).hold();
        CompletionStage<LogEnd> write = writer.send(writer.next(TestEvents.events(3, 20)));
        retry.awaitArrival();
        Await.result(fixture.log().deleteTo(id, 3));
        retry.release();
        assertThat(Await.result(write).seqNr()).isEqualTo(3);
        assertThat(LogReading.all(fixture.log(), id)).isEmpty();
        assertThat(LogReading.highest(fixture.log(), id)).isEqualTo(3);
    }

    @Test
    void aTombstoneStopsAStaleWriterWithParts() {
        LogWriter stale = LogWriter.recover(fixture.log(), id);
        LogWriter.recover(fixture.log(), id).writeSingles(3);
        Await.result(fixture.log().deleteTo(id, 3));
        int items = itemsInTable();
        Await.failure(stale.send(stale.next(TestEvents.events(200, 200))), StoreException.WriteConflict.class);
        assertThat(itemsInTable()).isEqualTo(items);
    }

    @Test
    void aDeleteDuringAReplayFailsIt() {
        EventLog log = fixture.log();
        LogWriter.recover(log, id).writeSingles(12);
        SeqRange range = LogReading.everythingFrom(1);
        EventPage first = Await.result(log.read(id, range, null));
        assertThat(LogReading.numbers(first.events())).containsExactly(1L, 2L, 3L);
        Await.result(fixture.log().deleteTo(id, 8));
        Await.failure(log.read(id, range, first.next()), StoreException.LogMoved.class);
        assertThat(LogReading.numbers(LogReading.all(log, id))).containsExactly(9L, 10L, 11L, 12L);
    }

    @Test
    void aDeleteOfEventsAlreadyReplayedDoesNotFailTheReplay() {
        EventLog log = fixture.log();
        LogWriter.recover(log, id).writeSingles(12);
        SeqRange range = LogReading.everythingFrom(1);
        EventPage first = Await.result(log.read(id, range, null));
        Await.result(fixture.log().deleteTo(id, 2));
        assertThat(LogReading.numbers(LogReading.read(log, id, range, first.next())))
                .isEqualTo(List.of(4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L));
    }

    @Test
    void aDeleteThatWasInterruptedAfterTheFirstPageIsCompletedByTheReader() {
        LogWriter.recover(fixture.log(), id).writeSingles(12);
        FaultProxy proxy = fixture.proxy();
        proxy.when(RequestMatch.writes()).after(1).always().answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        Await.failure(fixture.log(proxy).deleteTo(id, 10), StoreException.Refused.class);
        assertThat(LogReading.numbers(LogReading.allAgain(fixture.log(), id))).containsExactly(11L, 12L);
        assertThat(LogReading.numbers(LogReading.all(fixture.log(), id))).containsExactly(11L, 12L);
    }

    @Test
    void reservedIdsAreRefused() {
        EventBatch batch = EventBatch.of("#dynajournal/part/x", TestEvents.freshWriter(), 1, TestEvents.events(1, 20));
        StoreException.Refused refused = Await.failure(fixture.log().append(batch, null), StoreException.Refused.class);
        assertThat(refused).hasMessageContaining("#dynajournal/");
        assertThat(itemsInTable()).isZero();
    }
}
