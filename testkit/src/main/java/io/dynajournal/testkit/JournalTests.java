package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.model.EventBatch;
import io.dynajournal.model.SeqRange;
import io.dynajournal.model.StoredEvent;
import io.dynajournal.store.EventJournal;
import io.dynajournal.store.EventLog;
import io.dynajournal.store.EventPage;
import io.dynajournal.store.JournalCaches;
import io.dynajournal.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The rules per entity that {@link EventJournal} adds to every layout. */
interface JournalTests extends LogTests {

    /** The events of a log of many pages. */
    int MANY = 280;

    private static EventBatch single(String id, String writer, long number) {
        return EventBatch.of(id, writer, number, TestEvents.events(1, 20));
    }

    private static SeqRange to(long from, long to) {
        return SeqRange.wholeWrites(from, to, Long.MAX_VALUE);
    }

    /** A whole exchange through the same client: what was sent before it has arrived by now, or it is held. */
    private static void roundTrip(EventJournal journal) {
        String id = TestEvents.freshId();
        Object reader = new Object();
        Await.result(journal.highestSeqNr(id, 1, reader));
        Await.result(journal.append(single(id, TestEvents.freshWriter(), 1), reader));
    }

    /** The same without a write, which may read what no other does. */
    private static void exchange(EventJournal journal) {
        Await.result(journal.highestSeqNr(TestEvents.freshId(), 1, new Object()));
    }

    @Test
    default void writesOfAnIdLeaveOneAfterAnother() {
        String id = TestEvents.freshId();
        String writer = TestEvents.freshWriter();
        Object reader = new Object();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        Await.result(journal.highestSeqNr(id, 1, reader));
        RequestMatch writes = RequestMatch.writes().containing(id);
        Gate gate = proxy.when(writes).hold();
        List<CompletionStage<Void>> appends = IntStream.rangeClosed(1, 5)
                .mapToObj(number -> journal.append(single(id, writer, number), reader))
                .toList();
        gate.awaitArrival();
        roundTrip(journal);
        assertThat(proxy.requests(writes)).hasSize(1);
        gate.release();
        appends.forEach(Await::result);
        assertThat(proxy.requests(writes)).hasSize(5 * fixture().writeRequests(one -> one.write(1)));
        // Each knew where the one before it ended, so none had to look.
        assertThat(proxy.requests(RequestMatch.reads().containing(id)).size()).isEqualTo(readsOfOneRecovery());
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    private int readsOfOneRecovery() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        Await.result(fixture().journal(proxy).highestSeqNr(id, 1, new Object()));
        return proxy.requests(RequestMatch.reads()).size();
    }

    @Test
    default void queuedWritesOfAFailedWriterAreNotSent() {
        String id = TestEvents.freshId();
        String writer = TestEvents.freshWriter();
        Object reader = new Object();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        Await.result(journal.highestSeqNr(id, 1, reader));
        RequestMatch writes = RequestMatch.writes().containing(id);
        Gate gate = proxy.when(writes).hold();
        CompletionStage<Void> first = journal.append(single(id, writer, 1), reader);
        CompletionStage<Void> second = journal.append(single(id, writer, 2), reader);
        CompletionStage<Void> third = journal.append(single(id, writer, 3), reader);
        gate.awaitArrival();
        LogWriter other = LogWriter.recover(fixture().log(), id).write(1);
        gate.release();
        Await.failure(first, StoreException.WriteConflict.class);
        Await.failure(second, StoreException.Unavailable.class);
        Await.failure(third, StoreException.Unavailable.class);
        Await.failure(journal.append(single(id, writer, 2), reader), StoreException.Unavailable.class);
        roundTrip(journal);
        assertThat(proxy.requests(writes)).hasSize(1);
        assertThat(LogReading.contents(LogReading.all(fixture().log(), id))).isEqualTo(other.written());
    }

    @Test
    default void aFailedWriterGoesOnAfterARecovery() {
        String id = TestEvents.freshId();
        String writer = TestEvents.freshWriter();
        Object reader = new Object();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        Await.result(journal.highestSeqNr(id, 1, reader));
        proxy.when(RequestMatch.writes()).answer(ErrorAnswer.of(400, "AccessDeniedException", "Not now."));
        Await.failure(journal.append(single(id, writer, 1), reader), StoreException.Refused.class);
        Await.failure(journal.append(single(id, writer, 1), reader), StoreException.Unavailable.class);
        assertThat(Await.result(journal.highestSeqNr(id, 1, reader))).isZero();
        Await.result(journal.append(single(id, writer, 1), reader));
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(1);
    }

    @Test
    default void theQueuedWriteOfAnotherWriterStillRuns() {
        String id = TestEvents.freshId();
        String one = TestEvents.freshWriter();
        String two = TestEvents.freshWriter();
        Object readerOne = new Object();
        Object readerTwo = new Object();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        Await.result(journal.highestSeqNr(id, 1, readerOne));
        Await.result(journal.highestSeqNr(id, 1, readerTwo));
        proxy.when(RequestMatch.writes()).answer(ErrorAnswer.of(400, "AccessDeniedException", "Not now."));
        CompletionStage<Void> failed = journal.append(single(id, one, 1), readerOne);
        CompletionStage<Void> unsent = journal.append(single(id, one, 2), readerOne);
        CompletionStage<Void> stored = journal.append(single(id, two, 1), readerTwo);
        Await.failure(failed, StoreException.Refused.class);
        Await.failure(unsent, StoreException.Unavailable.class);
        Await.result(stored);
        assertThat(proxy.requests(RequestMatch.writes()))
                .hasSize(1 + fixture().writeRequests(writer -> writer.write(1)));
        assertThat(LogReading.all(fixture().log(), id))
                .hasSize(1)
                .allSatisfy(event -> assertThat(event.writer()).isEqualTo(two));
    }

    @Test
    default void aReaderWaitsForTheWriteUnderWay() {
        String id = TestEvents.freshId();
        Object reader = new Object();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        Await.result(journal.highestSeqNr(id, 1, reader));
        int reads = proxy.requests(RequestMatch.reads().containing(id)).size();
        Gate gate = proxy.when(RequestMatch.writes().containing(id)).hold();
        CompletionStage<Void> write = journal.append(single(id, TestEvents.freshWriter(), 1), reader);
        gate.awaitArrival();
        CompletableFuture<Long> highest =
                journal.highestSeqNr(id, 1, new Object()).toCompletableFuture();
        roundTrip(journal);
        assertThat(highest).isNotDone();
        assertThat(proxy.requests(RequestMatch.reads().containing(id))).hasSize(reads);
        gate.release();
        assertThat(Await.result(highest)).isEqualTo(1);
        Await.result(write);
    }

    @Test
    default void aReaderWaitsForAWriteThatFails() {
        String id = TestEvents.freshId();
        Object reader = new Object();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        Await.result(journal.highestSeqNr(id, 1, reader));
        Gate gate = proxy.when(RequestMatch.writes().containing(id)).hold();
        CompletionStage<Void> write = journal.append(single(id, TestEvents.freshWriter(), 1), reader);
        gate.awaitArrival();
        CompletionStage<Long> highest = journal.highestSeqNr(id, 1, new Object());
        LogWriter.recover(fixture().log(), id).write(3);
        gate.release();
        Await.failure(write, StoreException.WriteConflict.class);
        assertThat(Await.result(highest)).isEqualTo(3);
    }

    @Test
    default void aReaderWaitsForTheDeleteUnderWay() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        LogWriter.recover(fixture().log(), id).writeSingles(3);
        Gate gate = proxy.when(RequestMatch.writes().containing(id)).hold();
        CompletionStage<Void> delete = journal.deleteTo(id, 2);
        gate.awaitArrival();
        CompletableFuture<Long> highest =
                journal.highestSeqNr(id, 1, new Object()).toCompletableFuture();
        roundTrip(journal);
        assertThat(highest).isNotDone();
        gate.release();
        Await.result(delete);
        assertThat(Await.result(highest)).isEqualTo(3);
        assertThat(LogReading.numbers(LogReading.replay(journal, id, to(1, 3)))).containsExactly(3L);
    }

    @Test
    default void theFirstPageIsUsedOnce() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        LogWriter writer = LogWriter.recover(fixture().log(), id).write(3);
        assertThat(Await.result(journal.highestSeqNr(id, 1, new Object()))).isEqualTo(3);
        int recovery = proxy.requests().size();
        assertThat(LogReading.contents(LogReading.replay(journal, id, to(1, 3))))
                .isEqualTo(writer.written());
        assertThat(proxy.requests()).hasSize(recovery);
        assertThat(LogReading.contents(LogReading.replay(journal, id, to(1, 3))))
                .isEqualTo(writer.written());
        assertThat(proxy.requests()).hasSizeGreaterThan(recovery);
    }

    @Test
    default void theFirstPageIsDroppedByAppendsAndDeletes() {
        String id = TestEvents.freshId();
        Object reader = new Object();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        LogWriter.recover(fixture().log(), id).write(3);

        Await.result(journal.highestSeqNr(id, 1, reader));
        Await.result(journal.append(single(id, TestEvents.freshWriter(), 4), reader));
        int before = proxy.requests(RequestMatch.reads()).size();
        assertThat(LogReading.numbers(LogReading.replay(journal, id, to(1, 3)))).containsExactly(1L, 2L, 3L);
        assertThat(proxy.requests(RequestMatch.reads())).hasSizeGreaterThan(before);

        Await.result(journal.highestSeqNr(id, 1, reader));
        Await.result(journal.deleteTo(id, 2));
        assertThat(LogReading.numbers(LogReading.replay(journal, id, to(1, 4)))).containsExactly(3L, 4L);
    }

    @Test
    default void theFirstPageOfAnotherQuestionIsNotUsed() {
        String id = TestEvents.freshId();
        EventJournal journal = fixture().journal();
        LogWriter writer = LogWriter.recover(fixture().log(), id).writeSingles(6);
        Await.result(journal.highestSeqNr(id, 4, new Object()));
        assertThat(LogReading.numbers(LogReading.replay(journal, id, to(2, 6)))).containsExactly(2L, 3L, 4L, 5L, 6L);
        Await.result(journal.highestSeqNr(id, 4, new Object()));
        writer.write(1);
        // Another process wrote in between; the page ends before what is asked for.
        assertThat(LogReading.numbers(LogReading.replay(journal, id, to(4, 7)))).containsExactly(4L, 5L, 6L, 7L);
    }

    @Test
    default void anOldFirstPageIsNotUsed() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal =
                new EventJournal(fixture().log(proxy), new JournalCaches(10, 1 << 20, Duration.ofNanos(1)));
        LogWriter.recover(fixture().log(), id).write(3);
        Await.result(journal.highestSeqNr(id, 1, new Object()));
        int before = proxy.requests().size();
        assertThat(LogReading.replay(journal, id, to(1, 3))).hasSize(3);
        assertThat(proxy.requests()).hasSizeGreaterThan(before);
    }

    @Test
    default void whatARecoverySawBelongsToTheOneThatRecovered() {
        String id = TestEvents.freshId();
        Object stale = new Object();
        Object fresh = new Object();
        EventJournal journal = fixture().journal();
        Await.result(journal.highestSeqNr(id, 1, stale));
        LogWriter other = LogWriter.recover(fixture().log(), id).write(1);
        Await.result(journal.highestSeqNr(id, 1, fresh));
        // Its number 1 was rejected, and it does not know of the other's: with the other's view it would write behind.
        StoreException.WriteConflict conflict = Await.failure(
                journal.append(single(id, TestEvents.freshWriter(), 2), stale), StoreException.WriteConflict.class);
        assertThat(conflict.otherWriter()).isEqualTo(other.uuid());
        Await.result(journal.append(single(id, TestEvents.freshWriter(), 2), fresh));
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(1L, 2L);
    }

    @Test
    default void aForgottenWriterLooksAgain() {
        EventJournal journal = new EventJournal(fixture().log(), new JournalCaches(1, 1 << 20, Duration.ofSeconds(5)));
        String one = TestEvents.freshId();
        String two = TestEvents.freshId();
        String writerOne = TestEvents.freshWriter();
        String writerTwo = TestEvents.freshWriter();
        Object readerOne = new Object();
        Object readerTwo = new Object();
        Await.result(journal.highestSeqNr(one, 1, readerOne));
        Await.result(journal.highestSeqNr(two, 1, readerTwo));
        for (int number = 1; number <= 3; number++) {
            Await.result(journal.append(single(one, writerOne, number), readerOne));
            Await.result(journal.append(single(two, writerTwo, number), readerTwo));
        }
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), one))).containsExactly(1L, 2L, 3L);
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), two))).containsExactly(1L, 2L, 3L);
    }

    @Test
    default void aReplayThatDoesNotReachItsEndFails() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(20);
        StoreException.LogDamaged failure = Await.failure(
                fixture().journal().replay(id, to(1, 25), page -> CompletableFuture.completedFuture(null)),
                StoreException.LogDamaged.class);
        assertThat(failure).hasMessageContaining(id).hasMessageContaining("20").hasMessageContaining("25");
    }

    @Test
    default void aReplayWaitsForItsConsumer() {
        String id = TestEvents.freshId();
        LogWriter writer = LogWriter.recover(fixture().log(), id);
        for (int i = 0; i < 12; i++) {
            writer.write(List.of(TestEvents.event(120_000)));
        }
        List<StoredEvent> got = new ArrayList<>();
        CompletableFuture<Void> consumed = new CompletableFuture<>();
        CompletableFuture<Void> handed = new CompletableFuture<>();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        CompletionStage<Void> replay = journal.replay(id, to(1, 12), page -> {
            got.addAll(page);
            handed.complete(null);
            return consumed;
        });
        Await.result(handed);
        roundTrip(journal);
        int gotFirst = got.size();
        assertThat(gotFirst).isLessThan(12);
        assertThat(replay.toCompletableFuture()).isNotDone();
        consumed.complete(null);
        Await.result(replay);
        assertThat(LogReading.contents(got).equals(writer.written())).isTrue();
    }

    /** Three pages and more on every layout: some end a page by its bytes, others by its numbers. */
    private String manyPages() {
        LogWriter writer = LogWriter.recover(fixture().log(), TestEvents.freshId());
        writer.write(80).write(80).write(80);
        for (int i = 240; i < MANY; i++) {
            writer.write(List.of(TestEvents.event(60_000)));
        }
        return writer.persistenceId();
    }

    /** How many requests were sent when each page had come, by one who asks for a page only when he needs it. */
    private List<Integer> requestsByPage(String id, SeqRange range) {
        FaultProxy proxy = fixture().proxy();
        EventLog log = fixture().log(proxy);
        List<Integer> requests = new ArrayList<>();
        EventPage page = Await.result(log.read(id, range, null));
        requests.add(proxy.requests().size());
        while (page.next() != null) {
            page = Await.result(log.read(id, range, page.next()));
            requests.add(proxy.requests().size());
        }
        return requests;
    }

    private List<Integer> requestsByPage(String id) {
        List<Integer> requests = requestsByPage(id, to(1, MANY));
        assertThat(requests.size()).isGreaterThan(2);
        assertThat(requests.get(1)).isGreaterThan(requests.get(0));
        return requests;
    }

    @Test
    default void oneMorePageIsOnTheWayWhileOneIsConsumed() {
        String id = manyPages();
        List<Integer> requests = requestsByPage(id);
        List<StoredEvent> got = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<Void> handed = new CompletableFuture<>();
        CompletableFuture<Void> consumed = new CompletableFuture<>();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        CompletionStage<Void> replay = journal.replay(id, to(1, MANY), page -> {
            got.addAll(page);
            handed.complete(null);
            return consumed;
        });
        Await.result(handed);
        int first = got.size();
        proxy.awaitRequests(RequestMatch.reads(), requests.get(1));
        exchange(journal);
        int others = readsOfOneRecovery();
        assertThat(got).hasSize(first);
        assertThat(proxy.requests(RequestMatch.reads())).hasSize(requests.get(1) + others);
        consumed.complete(null);
        Await.result(replay);
        assertThat(LogReading.numbers(got))
                .isEqualTo(LongStream.rangeClosed(1, MANY).boxed().toList());
        assertThat(proxy.requests(RequestMatch.reads())).hasSize(requests.get(requests.size() - 1) + others);
    }

    @Test
    default void aReplayUpToACountReadsNothingAhead() {
        String id = manyPages();
        SeqRange three = SeqRange.wholeWrites(241, MANY, 3);
        List<Integer> requests = requestsByPage(id, three);
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        assertThat(LogReading.numbers(LogReading.replay(journal, id, three))).containsExactly(241L, 242L, 243L);
        exchange(journal);
        assertThat(proxy.requests(RequestMatch.reads()))
                .hasSize(requests.get(requests.size() - 1) + readsOfOneRecovery());
    }

    @Test
    default void aPageThatCannotBeReadFailsTheReplayInItsTurn() {
        String id = manyPages();
        int first = requestsByPage(id).get(0);
        FaultProxy proxy = fixture().proxy();
        proxy.when(RequestMatch.reads()).after(first).answer(ErrorAnswer.of(400, "AccessDeniedException", "Not now."));
        CompletableFuture<Void> consumed = new CompletableFuture<>();
        List<StoredEvent> got = Collections.synchronizedList(new ArrayList<>());
        EventJournal journal = fixture().journal(proxy);
        CompletionStage<Void> replay = journal.replay(id, to(1, MANY), page -> {
            got.addAll(page);
            return consumed;
        });
        proxy.awaitRequests(RequestMatch.reads(), first + 1);
        roundTrip(journal);
        assertThat(replay.toCompletableFuture()).isNotDone();
        consumed.complete(null);
        Await.failure(replay, StoreException.Refused.class);
        assertThat(got).isNotEmpty();
    }

    @Test
    default void aConsumerThatFailsDoesNotWaitForTheNextPage() {
        String id = manyPages();
        int first = requestsByPage(id).get(0);
        FaultProxy proxy = fixture().proxy();
        Gate gate = proxy.when(RequestMatch.reads()).after(first).hold();
        CompletableFuture<Void> consumed = new CompletableFuture<>();
        CompletionStage<Void> replay = fixture().journal(proxy).replay(id, to(1, MANY), page -> consumed);
        gate.awaitArrival();
        consumed.completeExceptionally(new IllegalStateException("not today"));
        assertThat(Await.failure(replay, IllegalStateException.class)).hasMessage("not today");
        gate.release();
    }

    @Test
    default void aFailingConsumerFailsTheReplay() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).write(2);
        IllegalStateException failure = Await.failure(
                fixture()
                        .journal()
                        .replay(
                                id,
                                to(1, 2),
                                page -> CompletableFuture.failedFuture(new IllegalStateException("not today"))),
                IllegalStateException.class);
        assertThat(failure).hasMessage("not today");
    }

    @Test
    default void anEmptyRangeAsksForNothing() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        assertThat(LogReading.replay(journal, id, to(5, 4))).isEmpty();
        assertThat(LogReading.replay(journal, id, SeqRange.wholeWrites(1, 9, 0)))
                .isEmpty();
        assertThat(proxy.requests()).isEmpty();
    }
}
