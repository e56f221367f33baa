package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventJournal;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.EventPage;
import io.dynajournal.internal.store.JournalCaches;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules that {@link EventJournal} adds to every layout: order per persistence id, views of writers, read-ahead. */
interface JournalTests extends LogTests {

    /** The events of a log of many pages. */
    int MANY = 280;

    /** In bytes: a page of a megabyte has four such events. */
    int LARGE = 280_000;

    private static EventBatch single(String id, String writer, long number) {
        return EventBatch.of(id, writer, number, TestEvents.events(1, 20));
    }

    private static SeqRange to(long from, long to) {
        return SeqRange.wholeWrites(from, to, Long.MAX_VALUE);
    }

    /** A write through the same client: requests sent before it have arrived by then, or are held. */
    private static void roundTrip(EventJournal journal) {
        String id = TestEvents.freshId();
        Object reader = new Object();
        Await.result(journal.highestSeqNr(id, 1, reader));
        Await.result(journal.append(single(id, TestEvents.freshWriter(), 1), reader));
    }

    /** A read through the same client. */
    private static void exchange(EventJournal journal) {
        Await.result(journal.highestSeqNr(TestEvents.freshId(), 1, new Object()));
    }

    @Test
    default void writesOfAPersistenceIdAreSentOneAfterAnother() {
        String id = TestEvents.freshId();
        String writer = TestEvents.freshWriter();
        Object reader = new Object();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        Await.result(journal.highestSeqNr(id, 1, reader));
        RequestMatch writes = RequestMatch.writes().containing(id);
        HeldRequest held = proxy.when(writes).hold();
        List<CompletionStage<Void>> appends = IntStream.rangeClosed(1, 5)
                .mapToObj(number -> journal.append(single(id, writer, number), reader))
                .toList();
        held.awaitArrival();
        roundTrip(journal);
        assertThat(proxy.requests(writes)).hasSize(1);
        held.release();
        appends.forEach(Await::result);
        assertThat(proxy.requests(writes)).hasSize(5 * fixture().writeRequests(one -> one.write(1)));
        // Each write knows the end of the one before it, so none but the first may read anything.
        assertThat(proxy.requests(RequestMatch.reads().containing(id)).size())
                .isEqualTo(readsOfARecoveryAndItsFirstWrite());
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    default void anIdThatCannotBeStoredDoesNotRecoverAsAnother() {
        EventJournal journal = fixture().journal(fixture().proxy());
        String id = TestEvents.freshId() + "\uD83D";
        assertThat(Await.failure(journal.highestSeqNr(id, 1, new Object()), StoreException.Refused.class))
                .hasMessageContaining("not valid Unicode");
        Await.failure(journal.highestSeqNr(id, new Object()), StoreException.Refused.class);
    }

    private int readsOfOneRecovery() {
        FaultProxy proxy = fixture().proxy();
        Await.result(fixture().journal(proxy).highestSeqNr(TestEvents.freshId(), 1, new Object()));
        return proxy.requests(RequestMatch.reads()).size();
    }

    private int readsOfARecoveryAndItsFirstWrite() {
        String id = TestEvents.freshId();
        Object reader = new Object();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        Await.result(journal.highestSeqNr(id, 1, reader));
        Await.result(journal.append(single(id, TestEvents.freshWriter(), 1), reader));
        return proxy.requests(RequestMatch.reads().containing(id)).size();
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
        HeldRequest held = proxy.when(writes).hold();
        CompletionStage<Void> first = journal.append(single(id, writer, 1), reader);
        CompletionStage<Void> second = journal.append(single(id, writer, 2), reader);
        CompletionStage<Void> third = journal.append(single(id, writer, 3), reader);
        held.awaitArrival();
        LogWriter other = LogWriter.recover(fixture().log(), id).write(1);
        held.release();
        Await.failure(first, StoreException.WriteConflict.class);
        Await.failure(second, StoreException.Unavailable.class);
        Await.failure(third, StoreException.Unavailable.class);
        Await.failure(journal.append(single(id, writer, 2), reader), StoreException.Unavailable.class);
        roundTrip(journal);
        assertThat(proxy.requests(writes)).hasSize(1);
        assertThat(LogReading.contents(LogReading.all(fixture().log(), id))).isEqualTo(other.written());
    }

    @Test
    default void aFailedWriterContinuesAfterARecovery() {
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
    default void aRecoveryWaitsForTheWriteInFlight() {
        String id = TestEvents.freshId();
        Object reader = new Object();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        Await.result(journal.highestSeqNr(id, 1, reader));
        int reads = proxy.requests(RequestMatch.reads().containing(id)).size();
        HeldRequest held = proxy.when(RequestMatch.writes().containing(id)).hold();
        CompletionStage<Void> write = journal.append(single(id, TestEvents.freshWriter(), 1), reader);
        held.awaitArrival();
        CompletableFuture<Long> highest =
                journal.highestSeqNr(id, 1, new Object()).toCompletableFuture();
        roundTrip(journal);
        assertThat(highest).isNotDone();
        assertThat(proxy.requests(RequestMatch.reads().containing(id))).hasSize(reads);
        held.release();
        assertThat(Await.result(highest)).isEqualTo(1);
        Await.result(write);
    }

    @Test
    default void aRecoveryWaitsForAWriteThatFails() {
        String id = TestEvents.freshId();
        Object reader = new Object();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        Await.result(journal.highestSeqNr(id, 1, reader));
        HeldRequest held = proxy.when(RequestMatch.writes().containing(id)).hold();
        CompletionStage<Void> write = journal.append(single(id, TestEvents.freshWriter(), 1), reader);
        held.awaitArrival();
        CompletionStage<Long> highest = journal.highestSeqNr(id, 1, new Object());
        LogWriter.recover(fixture().log(), id).write(3);
        held.release();
        Await.failure(write, StoreException.WriteConflict.class);
        assertThat(Await.result(highest)).isEqualTo(3);
    }

    @Test
    default void aRecoveryWaitsForADeleteThatReachesIntoIt() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        LogWriter.recover(fixture().log(), id).writeSingles(3);
        HeldRequest held = proxy.when(RequestMatch.writes().containing(id)).hold();
        CompletionStage<Void> delete = journal.deleteTo(id, 2);
        held.awaitArrival();
        CompletableFuture<Long> highest =
                journal.highestSeqNr(id, 1, new Object()).toCompletableFuture();
        roundTrip(journal);
        assertThat(highest).isNotDone();
        held.release();
        Await.result(delete);
        assertThat(Await.result(highest)).isEqualTo(3);
        assertThat(LogReading.numbers(LogReading.replay(journal, id, to(1, 3)))).containsExactly(3L);
    }

    /** How many writes a delete takes of five single events, up to a sequence number. */
    private int writesOfADelete(long toSeqNr) {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).writeSingles(5);
        FaultProxy proxy = fixture().proxy();
        Await.result(fixture().journal(proxy).deleteTo(id, toSeqNr));
        return proxy.requests(RequestMatch.writes()).size();
    }

    @Test
    default void aRecoveryAboveADeleteDoesNotWaitForIt() {
        int writes = writesOfADelete(3);
        assertThat(writes).isPositive();
        for (int passed = 0; passed < writes; passed++) {
            String id = TestEvents.freshId();
            LogWriter.recover(fixture().log(), id).writeSingles(5);
            FaultProxy proxy = fixture().proxy();
            EventJournal journal = fixture().journal(proxy);
            HeldRequest held =
                    proxy.when(RequestMatch.writes()).after(passed).always().hold();
            CompletionStage<Void> delete = journal.deleteTo(id, 3);
            held.awaitArrival();

            assertThat(Await.result(journal.highestSeqNr(id, 4, new Object()))).isEqualTo(5);
            assertThat(LogReading.numbers(LogReading.replay(journal, id, to(4, 5))))
                    .containsExactly(4L, 5L);
            assertThat(delete.toCompletableFuture()).isNotDone();
            held.release();
            Await.result(delete);
            assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(4L, 5L);
        }
    }

    @Test
    default void theHighestSequenceNumberDoesNotWaitForADeleteOfEverything() {
        int writes = writesOfADelete(5);
        for (int passed = 0; passed < writes; passed++) {
            String id = TestEvents.freshId();
            Object reader = new Object();
            LogWriter.recover(fixture().log(), id).writeSingles(5);
            FaultProxy proxy = fixture().proxy();
            EventJournal journal = fixture().journal(proxy);
            HeldRequest held =
                    proxy.when(RequestMatch.writes()).after(passed).always().hold();
            CompletionStage<Void> delete = journal.deleteTo(id, 5);
            held.awaitArrival();

            assertThat(Await.result(journal.highestSeqNr(id, new Object()))).isEqualTo(5);
            assertThat(Await.result(journal.highestSeqNr(id, 6, reader))).isEqualTo(5);
            assertThat(delete.toCompletableFuture()).isNotDone();
            held.release();
            Await.result(delete);
            Await.result(journal.append(single(id, TestEvents.freshWriter(), 6), reader));
            assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(6L);
        }
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
    default void theFirstPageOfAnotherRangeIsNotUsed() {
        String id = TestEvents.freshId();
        EventJournal journal = fixture().journal();
        LogWriter writer = LogWriter.recover(fixture().log(), id).writeSingles(6);
        Await.result(journal.highestSeqNr(id, 4, new Object()));
        assertThat(LogReading.numbers(LogReading.replay(journal, id, to(2, 6)))).containsExactly(2L, 3L, 4L, 5L, 6L);
        Await.result(journal.highestSeqNr(id, 4, new Object()));
        writer.write(1);
        // Another process wrote in between; the page ends before the requested range does.
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
    default void theViewOfARecoveryBelongsToTheRecoveredWriter() {
        String id = TestEvents.freshId();
        Object stale = new Object();
        Object fresh = new Object();
        EventJournal journal = fixture().journal();
        Await.result(journal.highestSeqNr(id, 1, stale));
        LogWriter other = LogWriter.recover(fixture().log(), id).write(1);
        Await.result(journal.highestSeqNr(id, 1, fresh));
        // Its event 1 was rejected, and it has not seen the other's: with the other's view it would continue after it.
        StoreException.WriteConflict conflict = Await.failure(
                journal.append(single(id, TestEvents.freshWriter(), 2), stale), StoreException.WriteConflict.class);
        assertThat(conflict.otherWriter()).isEqualTo(other.uuid());
        Await.result(journal.append(single(id, TestEvents.freshWriter(), 2), fresh));
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(1L, 2L);
    }

    @Test
    default void aForgottenWriterReadsTheEndAgain() {
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

    /** Without its view, the next sequence number would prove that it has seen the log up to there; a rejection skips one. */
    @Test
    default void aForgottenWriterWhoseEventWasRejectedDoesNotContinueAfterAnUnseenEvent() {
        EventJournal journal = new EventJournal(fixture().log(), new JournalCaches(1, 1 << 20, Duration.ofSeconds(5)));
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).write(2);
        String writer = TestEvents.freshWriter();
        Object reader = new Object();
        Await.result(journal.highestSeqNr(id, 1, reader));
        Await.result(journal.write(id, writer, reader, () -> {
            journal.rejected(id, writer);
            return CompletableFuture.completedFuture(List.of());
        }));
        LogWriter other = LogWriter.recover(fixture().log(), id).write(1);
        forgetWriters(journal);
        StoreException.WriteConflict conflict =
                Await.failure(journal.append(single(id, writer, 4), reader), StoreException.WriteConflict.class);
        assertThat(conflict.otherWriter()).isEqualTo(other.uuid());
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(3);
    }

    /** Another node deletes between two pages: a state must not be built from the events before and after those. */
    @Test
    default void aReplayDoesNotLeaveOutEventsThatAreDeletedMeanwhile() {
        EventLog log = fixture().log();
        LogWriter writer = LogWriter.recover(log, TestEvents.freshId());
        String id = writer.persistenceId();
        for (int i = 0; i < 12; i++) {
            writer.write(List.of(TestEvents.event(LARGE)));
        }
        EventJournal journal = fixture().journal();
        assertThat(Await.result(journal.highestSeqNr(id, 1, "X"))).isEqualTo(12);
        List<Long> seen = Collections.synchronizedList(new ArrayList<>());
        CompletionStage<Void> replay = journal.replay(id, to(1, 12), page -> {
            boolean isFirst = seen.isEmpty();
            seen.addAll(LogReading.numbers(page));
            return isFirst ? log.deleteTo(id, 10) : CompletableFuture.completedFuture(null);
        });
        boolean failed = false;
        try {
            Await.result(replay);
        } catch (StoreException.LogMoved moved) {
            failed = true;
        }
        assertThat(failed || seen.size() == 12)
                .as("replayed without a failure: %s", seen)
                .isTrue();
        // The restarted entity recovers what is left.
        assertThat(Await.result(journal.highestSeqNr(id, 1, "Y"))).isEqualTo(12);
        assertThat(LogReading.numbers(LogReading.replay(journal, id, to(1, 12))))
                .containsExactly(11L, 12L);
    }

    /**
     * What is missing after the first event was rejected, not deleted. A snapshot may be between or inside atomic writes, and one of
     * these reaches into the second hundred, which is another partition on some layouts.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 3, 6, 11, 12, 17, 95, 100})
    default void aReplayWithRejectedEventsIsComplete(long from) {
        LogWriter writer = LogWriter.recover(fixture().log(), TestEvents.freshId())
                .writeSingles(2)
                .write(8)
                .writeAt(12, TestEvents.events(3, 20))
                .writeAt(17, TestEvents.events(78, 20))
                .write(12)
                .writeAt(108, TestEvents.events(1, 20));
        EventJournal journal = fixture().journal();
        String id = writer.persistenceId();
        assertThat(Await.result(journal.highestSeqNr(id, from, "X"))).isEqualTo(108);
        assertThat(LogReading.numbers(LogReading.replay(journal, id, to(from, 108))))
                .isEqualTo(LongStream.rangeClosed(from, 108)
                        .filter(seqNr -> seqNr != 11 && seqNr != 15 && seqNr != 16 && seqNr != 107)
                        .boxed()
                        .toList());
    }

    @Test
    default void aForgottenWriterContinuesAfterARejectionIfTheLastEventIsItsOwn() {
        EventJournal journal = new EventJournal(fixture().log(), new JournalCaches(1, 1 << 20, Duration.ofSeconds(5)));
        String id = TestEvents.freshId();
        String writer = TestEvents.freshWriter();
        Object reader = new Object();
        Await.result(journal.highestSeqNr(id, 1, reader));
        Await.result(journal.append(single(id, writer, 1), reader));
        journal.rejected(id, writer);
        forgetWriters(journal);
        Await.result(journal.append(single(id, writer, 3), reader));
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(1L, 3L);
    }

    private static void forgetWriters(EventJournal journal) {
        String id = TestEvents.freshId();
        Object reader = new Object();
        Await.result(journal.highestSeqNr(id, 1, reader));
        Await.result(journal.append(single(id, TestEvents.freshWriter(), 1), reader));
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

    /** At least three pages on every layout: some limit pages by bytes, others by events. */
    private String manyPages() {
        LogWriter writer = LogWriter.recover(fixture().log(), TestEvents.freshId());
        writer.write(80).write(80).write(80);
        for (int i = 240; i < MANY; i++) {
            writer.write(List.of(TestEvents.event(60_000)));
        }
        return writer.persistenceId();
    }

    /** The number of requests after each page, for a reader that requests each page only when it needs it. */
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
    default void onePageIsReadAheadWhileOneIsConsumed() {
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
    default void aReplayWithAMaximumReadsNothingAhead() {
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
    default void aFailedPageFailsTheReplayInItsTurn() {
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
        HeldRequest held = proxy.when(RequestMatch.reads()).after(first).hold();
        CompletableFuture<Void> consumed = new CompletableFuture<>();
        CompletionStage<Void> replay = fixture().journal(proxy).replay(id, to(1, MANY), page -> consumed);
        held.awaitArrival();
        consumed.completeExceptionally(new IllegalStateException("not today"));
        assertThat(Await.failure(replay, IllegalStateException.class)).hasMessage("not today");
        held.release();
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
    default void anEmptyRangeSendsNoRequest() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        EventJournal journal = fixture().journal(proxy);
        assertThat(LogReading.replay(journal, id, to(5, 4))).isEmpty();
        assertThat(LogReading.replay(journal, id, SeqRange.wholeWrites(1, 9, 0)))
                .isEmpty();
        assertThat(proxy.requests()).isEmpty();
    }
}
