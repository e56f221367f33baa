package io.dynajournal.peers.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OpenLoopTest {

    private static final int OPERATIONS = 0;
    private static final int EVENTS = 1;
    private static final int NANOS = 2;
    private static final int MEDIAN = 5;
    private static final int PERCENTILE_999 = 7;
    private static final long MILLI = 1_000_000;

    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(4);

    @AfterEach
    void close() {
        timer.shutdownNow();
    }

    private static long[] run(Arrivals arrivals, int entities, int leadIn, int limit, OpenLoop.Operation operation)
            throws Exception {
        OpenLoop loop = new OpenLoop(arrivals, entities, leadIn, limit, operation);
        loop.begin();
        String fields = loop.result().get(60, TimeUnit.SECONDS);
        return Arrays.stream(fields.split("\t", -1)).mapToLong(Long::parseLong).toArray();
    }

    private OpenLoop.Operation endingAfter(long millis) {
        return (loop, entity, index) -> timer.schedule(() -> loop.done(index), millis, TimeUnit.MILLISECONDS);
    }

    @Test
    void percentilesAreByNearestRank() {
        Percentiles thousand = new Percentiles(
                LongStream.rangeClosed(1, 1_000).map(i -> 1_001 - i).toArray());
        assertThat(thousand.at(50)).isEqualTo(500);
        assertThat(thousand.at(99)).isEqualTo(990);
        assertThat(thousand.at(99.9)).isEqualTo(999);
        assertThat(thousand.at(100)).isEqualTo(1_000);
        assertThat(new Percentiles(new long[] {3, 1, 2}).at(50)).isEqualTo(2);
        assertThat(new Percentiles(new long[] {7}).at(99.9)).isEqualTo(7);
        assertThat(new Percentiles(new long[0]).at(50)).isZero();
    }

    @Test
    void arrivalsKeepTheRateAndRepeatWithTheSeed() {
        Arrivals arrivals = Arrivals.poisson(1_000, 2_000, 10, 5);
        assertThat(arrivals.count()).isEqualTo(2_000);
        assertThat(arrivals.offset(1_999)).isBetween(1_999 * MILLI, 2_000 * MILLI);
        long[] gaps = LongStream.range(1, 2_000)
                .map(i -> arrivals.offset((int) i) - arrivals.offset((int) i - 1))
                .sorted()
                .toArray();
        // The median of an exponential distribution is 0.69 of its mean.
        assertThat(gaps[1_000] / 1e6).isBetween(0.6, 0.8);
        assertThat(gaps[0]).isNotNegative();
        Arrivals again = Arrivals.poisson(1_000, 2_000, 10, 5);
        assertThat(again.offset(77)).isEqualTo(arrivals.offset(77));
        assertThat(again.entity(77)).isEqualTo(arrivals.entity(77)).isBetween(0, 9);
    }

    @Test
    void belowSaturationEverythingIsAcknowledged() throws Exception {
        long[] result = run(Arrivals.poisson(500, 1_200, 1_000, 1), 1_000, 200, 1_000, endingAfter(5));
        // Wide bounds: a slow machine delays some operations into and out of the measured second.
        assertThat(result[OPERATIONS]).isBetween(400L, 600L);
        assertThat(result[EVENTS]).isBetween(300L, 600L);
        assertThat(result[NANOS]).isBetween(1_000 * MILLI, 5_000 * MILLI);
        assertThat(result[MEDIAN]).isBetween(5 * MILLI, 200 * MILLI);
    }

    @Test
    void timeSpentWaitingForABusyEntityCounts() throws Exception {
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        long[] result = run(Arrivals.poisson(200, 1_000, 1, 1), 1, 0, 10, (loop, entity, index) -> {
            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            timer.schedule(
                    () -> {
                        inFlight.decrementAndGet();
                        loop.done(index);
                    },
                    20,
                    TimeUnit.MILLISECONDS);
        });
        assertThat(most).hasValue(1);
        // 200 arrive in a second, at most 50 end: half of them have waited since the middle of the load or longer.
        assertThat(result[EVENTS]).isLessThanOrEqualTo(50);
        assertThat(result[MEDIAN]).isGreaterThan(250 * MILLI);
        assertThat(result[PERCENTILE_999]).isGreaterThan(500 * MILLI);
    }

    @Test
    void theNumberOfOperationsInFlightIsLimited() throws Exception {
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        long[] result = run(Arrivals.poisson(1_000, 500, 100, 1), 100, 0, 3, (loop, entity, index) -> {
            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            timer.schedule(
                    () -> {
                        inFlight.decrementAndGet();
                        loop.done(index);
                    },
                    10,
                    TimeUnit.MILLISECONDS);
        });
        assertThat(most).hasValue(3);
        assertThat(result[EVENTS]).isBetween(50L, 150L);
    }

    @Test
    void aLoadThatCannotBeStartedInTimeIsCutOff() throws Exception {
        long[] result = run(Arrivals.poisson(1_000, 500, 1_000, 1), 1_000, 0, 1_000, (loop, entity, index) -> {
            LockSupport.parkNanos(10 * MILLI);
            loop.done(index);
        });
        assertThat(result[NANOS]).isBetween(500 * MILLI, 5_000 * MILLI);
        assertThat(result[EVENTS]).isLessThan(100);
        assertThat(result[MEDIAN]).isGreaterThan(200 * MILLI);
    }

    @Test
    void operationsInFlightAtTheEndAreAwaitedAndCountWithTheirLatency() throws Exception {
        // They end one by one.
        OpenLoop.Operation operation =
                (loop, entity, index) -> timer.schedule(() -> loop.done(index), 500 + index, TimeUnit.MILLISECONDS);
        long[] result = run(Arrivals.poisson(5_000, 200, 1_000, 1), 1_000, 0, 1_000, operation);
        assertThat(result[OPERATIONS]).isBetween(500L, 1_000L);
        assertThat(result[MEDIAN]).isGreaterThanOrEqualTo(500 * MILLI);
    }

    @Test
    void aFailedOperationFailsTheLoad() {
        assertThatThrownBy(() -> run(
                        Arrivals.poisson(100, 200, 10, 1),
                        10,
                        0,
                        10,
                        (loop, entity, index) -> loop.fail(new IllegalStateException("rejected"))))
                .hasRootCauseMessage("rejected");
    }
}
