package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.model.EventBatch;
import io.dynajournal.internal.model.SeqRange;
import io.dynajournal.internal.model.StoredEvent;
import io.dynajournal.internal.store.EventLog;
import io.dynajournal.internal.store.LogEnd;
import io.dynajournal.internal.store.LogHead;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The requests of a recovery show different moments. Each of them is held while another writer stores events: what the
 * recovery did not replay must stop the recovered writer.
 */
interface LogScheduleTests extends LogTests {

    /** The log ends at 3, or at 5 after the other's writes. A recovery from 5 has a snapshot at a rejected sequence number. */
    @ParameterizedTest
    @ValueSource(longs = {1, 3, 4, 5, 6})
    default void anEventStoredDuringARecoveryIsReplayedOrStopsTheRecoveredWriter(long from) {
        FaultProxy quiet = fixture().proxy();
        Await.result(fixture().log(quiet).head(threeEvents().persistenceId(), from));
        int reads = quiet.requests(RequestMatch.reads()).size();
        assertThat(reads).isPositive();
        for (int held = 0; held < reads; held++) {
            FaultProxy before = fixture().proxy();
            assertConsistent(
                    before, before.when(RequestMatch.reads()).after(held).hold(), from);
            FaultProxy after = fixture().proxy();
            assertConsistent(after, after.when(RequestMatch.reads()).after(held).holdReply(), from);
        }
    }

    private LogWriter threeEvents() {
        return LogWriter.recover(fixture().log(), TestEvents.freshId()).writeSingles(3);
    }

    private void assertConsistent(FaultProxy proxy, HeldRequest held, long from) {
        LogWriter other = threeEvents();
        String id = other.persistenceId();
        CompletableFuture<LogHead> recovery =
                fixture().log(proxy).head(id, from).toCompletableFuture();
        held.awaitArrival();
        other.writeSingles(2);
        held.release();
        LogHead head = Await.result(recovery);
        long end = head.end().seqNr();
        assertThat(end).isBetween(3L, 5L);
        assertThat(LogReading.numbers(replay(id, from, head)))
                .isEqualTo(LongStream.rangeClosed(from, end).boxed().toList());
        EventLog log = fixture().log();
        EventBatch next =
                EventBatch.of(id, TestEvents.freshWriter(), Math.max(end, from - 1) + 1, TestEvents.events(1, 20));
        CompletionStage<LogEnd> written = log.append(next, head.end());
        if (end == 5) {
            Await.result(written);
        } else {
            Await.failure(written, StoreException.WriteConflict.class);
            assertThat(LogReading.highest(log, id)).isEqualTo(5);
        }
    }

    private List<StoredEvent> replay(String id, long from, LogHead head) {
        long end = head.end().seqNr();
        return end < from
                ? List.of()
                : LogReading.read(
                        fixture().log(), id, SeqRange.wholeWrites(from, end, Long.MAX_VALUE), head.firstPage());
    }
}
