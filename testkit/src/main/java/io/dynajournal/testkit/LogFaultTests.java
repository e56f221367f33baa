package io.dynajournal.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.exception.StoreException;
import io.dynajournal.internal.store.EventLog;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Transient errors are retried; lasting ones are reported by their type. */
interface LogFaultTests extends LogTests {

    private static String resource() {
        return "arn:aws:dynamodb:eu-west-1:000000000000:table/journal/index/slices";
    }

    static Stream<ErrorAnswer> throttling() {
        return Stream.of(
                ErrorAnswer.throughputExceeded("IndexWriteKeyRangeThroughputExceeded", resource()),
                ErrorAnswer.throttling("TableReadKeyRangeThroughputExceeded", resource()),
                ErrorAnswer.requestLimit("TableWriteAccountLimitExceeded", resource()));
    }

    static Stream<ErrorAnswer> passing() {
        return Stream.concat(
                throttling(),
                Stream.of(
                        ErrorAnswer.internalServerError(),
                        ErrorAnswer.of(503, "ServiceUnavailable", "The service is busy."),
                        ErrorAnswer.of(400, "ThrottlingException", "Rate exceeded.")));
    }

    @ParameterizedTest
    @MethodSource("io.dynajournal.testkit.LogFaultTests#passing")
    default void transientErrorsAreRetried(ErrorAnswer error) {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        EventLog log = fixture().log(proxy);
        LogWriter writer = LogWriter.recover(log, id);
        int needed = fixture().writeRequests(one -> one.write(1));
        proxy.when(RequestMatch.writes()).times(2).answer(error);
        writer.write(1);
        assertThat(proxy.requests(RequestMatch.writes())).hasSize(needed + 2);
        proxy.when(RequestMatch.writes()).after(needed - 1).times(2).answer(error);
        writer.write(1);
        assertThat(proxy.requests(RequestMatch.writes())).hasSize(2 * needed + 4);
        int readsBefore = proxy.requests(RequestMatch.reads()).size();
        proxy.when(RequestMatch.reads()).times(3).answer(error);
        assertThat(LogReading.contents(LogReading.all(log, id))).isEqualTo(writer.written());
        assertThat(proxy.requests(RequestMatch.reads())).hasSizeGreaterThanOrEqualTo(readsBefore + 4);
        proxy.when(RequestMatch.all()).answer(error);
        Await.result(log.deleteTo(id, 2));
        assertThat(LogReading.all(log, id)).isEmpty();
        assertThat(LogReading.highest(log, id)).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("io.dynajournal.testkit.LogFaultTests#throttling")
    default void lastingThrottlingIsReportedWithItsReason(ErrorAnswer error) {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        EventLog log = fixture().log(proxy, LogFixture.IMPATIENT);
        LogWriter writer = LogWriter.recover(log, id).write(1);
        proxy.when(RequestMatch.all()).always().answer(error);
        // Concurrently, because each takes its full timeout.
        CompletionStage<?> write = writer.send(writer.next(TestEvents.events(1, 20)));
        CompletionStage<?> read = log.head(id, 1);
        for (CompletionStage<?> failing : List.of(write, read)) {
            assertThat(Await.failure(failing, StoreException.Throttled.class))
                    .hasMessageContaining(String.valueOf(error.reason()))
                    .hasMessageContaining(resource())
                    .hasMessageContaining(fixture().tableName());
        }
        assertThat(proxy.requests(RequestMatch.writes())).hasSizeGreaterThan(2);
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(1);
    }

    @Test
    default void lastingServerErrorsLeaveTheOutcomeUnknown() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        LogWriter writer = LogWriter.recover(fixture().log(proxy, LogFixture.IMPATIENT), id);
        proxy.when(RequestMatch.writes()).always().answer(ErrorAnswer.internalServerError());
        Await.failure(writer.send(writer.next(TestEvents.events(1, 20))), StoreException.Unavailable.class);
    }

    @Test
    default void lastingLostRepliesLeaveTheOutcomeUnknown() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        LogWriter writer = LogWriter.recover(fixture().log(proxy, LogFixture.IMPATIENT), id);
        proxy.when(RequestMatch.writes()).always().loseReply();
        Await.failure(writer.send(writer.next(TestEvents.events(1, 20))), StoreException.Unavailable.class);
        // It was stored: a recovery reads it and continues after it.
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(1);
        LogWriter.recover(fixture().log(), id).write(1);
        assertThat(LogReading.all(fixture().log(), id)).hasSize(2);
    }

    @Test
    default void aWriteWithoutAResponseTimesOut() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        LogWriter writer = LogWriter.recover(fixture().log(proxy, LogFixture.IMPATIENT), id);
        HeldRequest held = proxy.when(RequestMatch.writes()).always().hold();
        Await.failure(writer.send(writer.next(TestEvents.events(1, 20))), StoreException.Unavailable.class);
        held.release();
    }

    @Test
    default void aDeniedRequestIsNotRetried() {
        String id = TestEvents.freshId();
        FaultProxy proxy = fixture().proxy();
        LogWriter writer = LogWriter.recover(fixture().log(proxy), id);
        proxy.when(RequestMatch.writes()).answer(ErrorAnswer.of(400, "AccessDeniedException", "Not for you."));
        StoreException.Refused refused =
                Await.failure(writer.send(writer.next(TestEvents.events(1, 20))), StoreException.Refused.class);
        assertThat(refused)
                .hasMessageContaining("AccessDeniedException")
                .hasMessageContaining(fixture().tableName());
        assertThat(proxy.requests(RequestMatch.writes())).hasSize(1);
    }

    @Test
    default void aFailedDeleteLeavesAPrefixDeleted() {
        String counted = deletable();
        FaultProxy proxy = fixture().proxy();
        Await.result(fixture().log(proxy).deleteTo(counted, 268));
        int needed = proxy.requests(RequestMatch.writes()).size();
        IntStream.of(0, 1, 2, 3, 5, 9)
                .map(writes -> Math.min(writes, needed - 1))
                .distinct()
                .forEach(this::checkFailedDelete);
    }

    private void checkFailedDelete(int writesBeforeTheFailure) {
        String id = deletable();
        FaultProxy failing = fixture().proxy();
        failing.when(RequestMatch.writes())
                .after(writesBeforeTheFailure)
                .always()
                .answer(ErrorAnswer.of(400, "AccessDeniedException", "No."));
        Await.failure(fixture().log(failing).deleteTo(id, 268), StoreException.Refused.class);
        List<Long> left = LogReading.numbers(LogReading.allAgain(fixture().log(), id));
        assertThat(left)
                .as("after %d writes", writesBeforeTheFailure)
                .isEqualTo(LongStream.rangeClosed(left.get(0), 270).boxed().toList())
                .endsWith(269L, 270L);
        assertThat(LogReading.highest(fixture().log(), id)).isEqualTo(270);
        Await.result(fixture().log().deleteTo(id, 268));
        assertThat(LogReading.numbers(LogReading.all(fixture().log(), id))).containsExactly(269L, 270L);
    }

    /** Writes of many events and of one, 270 in total, so that every layout needs several requests to delete them. */
    private String deletable() {
        String id = TestEvents.freshId();
        LogWriter.recover(fixture().log(), id).write(90).write(90).write(78).writeSingles(12);
        return id;
    }
}
