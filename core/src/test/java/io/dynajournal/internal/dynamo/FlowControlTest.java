package io.dynajournal.internal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynajournal.internal.dynamo.ThrottleSignal.Side;
import io.dynajournal.listener.Lane;
import io.dynajournal.listener.ThrottlingReason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FlowControlTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final RequestKind WRITE = new RequestKind(Lane.WRITE, "events", true);
    private static final RequestKind RECOVERY = new RequestKind(Lane.RECOVERY, "events", false);
    private static final RequestKind QUERY = new RequestKind(Lane.QUERY, "events", false);
    private static final RequestKind SCAN = new RequestKind(Lane.MAINTENANCE, "events", false);
    private static final RequestKind OTHER_TABLE = new RequestKind(Lane.RECOVERY, "snapshots", false);
    private static final ThrottleSignal HOT_KEY = new ThrottleSignal(ThrottlingReason.HOT_KEY, Side.READ);

    private final List<String> started = new ArrayList<>();
    private final List<Runnable> wakeUps = new ArrayList<>();
    private long now = SECOND;

    private FlowControl flow(int maxConcurrency) {
        return new FlowControl(maxConcurrency, true, Runnable::run, (nanos, task) -> wakeUps.add(task), () -> now);
    }

    private static void fill(FlowControl flow, int connections) {
        for (int i = 0; i < connections; i++) {
            assertThat(flow.tryAcquire(WRITE)).isTrue();
        }
    }

    private void acquire(FlowControl flow, RequestKind... kinds) {
        for (RequestKind kind : kinds) {
            flow.acquire(kind, () -> started.add(kind.lane().name()));
        }
    }

    /** Throttles as much as was served, so that there is a rate. */
    private void throttle(FlowControl flow, RequestKind kind, ThrottleSignal signal) {
        for (int i = 0; i < 10; i++) {
            assertThat(flow.tryAcquire(kind)).isTrue();
        }
        for (int i = 0; i < 10; i++) {
            flow.throttled(kind, signal, now);
        }
    }

    /** How many requests of a kind may be sent at once now. */
    private static int admitted(FlowControl flow, RequestKind kind) {
        int admitted = 0;
        while (admitted < 100 && flow.tryAcquire(kind)) {
            flow.served(kind);
            admitted++;
        }
        return admitted;
    }

    @Test
    void lanesGoBeforeOneAnother() {
        FlowControl flow = flow(4);
        fill(flow, 4);
        acquire(flow, SCAN, QUERY, RECOVERY, WRITE);
        assertThat(started).isEmpty();
        for (int i = 0; i < 4; i++) {
            flow.release(WRITE);
        }
        assertThat(started).containsExactly("WRITE", "RECOVERY", "QUERY", "MAINTENANCE");
    }

    @Test
    void requestsOfOneLaneGoInTheirOrder() {
        FlowControl flow = flow(4);
        fill(flow, 4);
        flow.acquire(RECOVERY, () -> started.add("first"));
        flow.acquire(OTHER_TABLE, () -> started.add("second"));
        flow.acquire(RECOVERY, () -> started.add("third"));
        for (int i = 0; i < 4; i++) {
            flow.release(WRITE);
        }
        assertThat(started).containsExactly("first", "second", "third");
    }

    @Test
    void theLaterLanesLeaveConnectionsFreeForWrites() {
        FlowControl flow = flow(8);
        int recoveries = 0;
        while (flow.tryAcquire(RECOVERY)) {
            recoveries++;
        }
        assertThat(recoveries).isEqualTo(6);
        assertThat(flow.tryAcquire(QUERY)).isFalse();
        assertThat(flow.tryAcquire(WRITE)).isTrue();
    }

    @Test
    void withOneConnectionEveryLaneCanUseIt() {
        for (RequestKind kind : List.of(WRITE, RECOVERY, QUERY, SCAN)) {
            FlowControl flow = flow(1);
            assertThat(flow.tryAcquire(kind)).isTrue();
            assertThat(flow.tryAcquire(kind)).isFalse();
        }
    }

    @Test
    void noLaneStandsStillWhileWritesUseAllConnections() {
        FlowControl flow = flow(2);
        fill(flow, 2);
        acquire(flow, SCAN);
        for (int i = 0; i < 20 && started.isEmpty(); i++) {
            flow.acquire(WRITE, () -> {});
            flow.release(WRITE);
        }
        assertThat(started).containsExactly("MAINTENANCE");
    }

    /** A busy application must still be able to delete, although it never leaves three quarters of its connections free. */
    @Test
    void noLaneWaitsBesideFreeConnectionsThatItMayUse() {
        FlowControl flow = flow(8);
        fill(flow, 6);
        assertThat(flow.tryAcquire(SCAN)).isTrue();
        assertThat(flow.tryAcquire(SCAN)).isTrue();

        flow.release(SCAN);
        flow.release(SCAN);
        flow.release(WRITE);
        acquire(flow, SCAN, SCAN, SCAN);
        assertThat(started).as("at most a quarter").hasSize(2);
        flow.release(SCAN);
        assertThat(started).hasSize(3);
    }

    /** The timer of a closed client runs tasks at once. */
    @Test
    void afterCloseNothingWaitsForItsPace() {
        FlowControl flow = new FlowControl(50, true, Runnable::run, (nanos, task) -> task.run(), () -> now);
        throttle(flow, RECOVERY, ThrottleSignal.UNKNOWN);
        acquire(flow, RECOVERY, RECOVERY, QUERY);
        assertThat(started).containsExactly("RECOVERY", "RECOVERY", "QUERY");
    }

    @Test
    void ofManyWaitingRequestsTheOneThatIsCancelledIsRemoved() {
        FlowControl flow = flow(1);
        fill(flow, 1);
        Runnable second = () -> started.add("second");
        flow.acquire(WRITE, () -> started.add("first"));
        flow.acquire(WRITE, second);
        flow.acquire(WRITE, () -> started.add("third"));
        assertThat(flow.cancel(WRITE, second)).isTrue();
        flow.release(WRITE);
        flow.release(WRITE);
        assertThat(started).containsExactly("first", "third");
    }

    @Test
    void aWakeUpThatWasReplacedByAnEarlierOneDoesNotMultiply() {
        FlowControl flow = flow(50);
        throttle(flow, RECOVERY, ThrottleSignal.UNKNOWN);
        acquire(flow, RECOVERY, RECOVERY, RECOVERY);
        for (int i = 0; i < 50; i++) {
            assertThat(wakeUps).hasSizeLessThanOrEqualTo(2);
            now += SECOND / 10;
            List<Runnable> due = List.copyOf(wakeUps);
            wakeUps.clear();
            due.forEach(Runnable::run);
        }
        assertThat(started).hasSize(3);
        assertThat(wakeUps).isEmpty();
    }

    @Test
    void aCancelledRequestIsNotStarted() {
        FlowControl flow = flow(1);
        fill(flow, 1);
        Runnable task = () -> started.add("cancelled");
        flow.acquire(WRITE, task);
        assertThat(flow.cancel(WRITE, task)).isTrue();
        assertThat(flow.cancel(WRITE, task)).isFalse();
        flow.release(WRITE);
        assertThat(started).isEmpty();
        assertThat(flow.tryAcquire(WRITE)).isTrue();
    }

    @Test
    void whatWaitsForItsPaceIsStartedByTheClock() {
        FlowControl flow = flow(50);
        throttle(flow, RECOVERY, ThrottleSignal.UNKNOWN);
        acquire(flow, RECOVERY);
        assertThat(started).isEmpty();
        assertThat(flow.isSlowedDown(RECOVERY)).isTrue();
        assertThat(wakeUps).hasSize(1);

        now += SECOND;
        wakeUps.remove(0).run();
        assertThat(started).containsExactly("RECOVERY");
    }

    @Test
    void aHotKeySlowsNothingDownButItself() {
        FlowControl flow = flow(50);
        throttle(flow, RECOVERY, HOT_KEY);
        assertThat(admitted(flow, RECOVERY)).isEqualTo(100);
        assertThat(flow.isSlowedDown(RECOVERY)).isFalse();
    }

    @Test
    void anotherTableIsNotSlowedDown() {
        FlowControl flow = flow(50);
        throttle(flow, RECOVERY, ThrottleSignal.UNKNOWN);
        assertThat(admitted(flow, RECOVERY)).isLessThan(10);
        assertThat(admitted(flow, OTHER_TABLE)).isEqualTo(100);
    }

    @Test
    void anAccountIsSlowedDownOnAllTables() {
        FlowControl flow = flow(50);
        throttle(flow, RECOVERY, new ThrottleSignal(ThrottlingReason.ACCOUNT, Side.BOTH));
        assertThat(admitted(flow, OTHER_TABLE)).isLessThan(10);
    }

    /** A table's capacity for reads is not that for writes. */
    @Test
    void readsThatAreThrottledDoNotSlowWritesDown() {
        FlowControl flow = flow(50);
        throttle(flow, RECOVERY, new ThrottleSignal(ThrottlingReason.TABLE, Side.READ));
        assertThat(admitted(flow, RECOVERY)).isLessThan(10);
        assertThat(admitted(flow, WRITE)).isEqualTo(100);
    }

    @Test
    void anIndexThatThrottlesQueriesDoesNotSlowRecoveriesDown() {
        FlowControl flow = flow(50);
        throttle(flow, QUERY, new ThrottleSignal(ThrottlingReason.INDEX, Side.READ));
        assertThat(admitted(flow, QUERY)).isLessThan(10);
        assertThat(admitted(flow, RECOVERY)).isEqualTo(100);
    }

    @Test
    void switchedOffItOnlyCountsConnections() {
        FlowControl flow = new FlowControl(50, false, Runnable::run, (nanos, task) -> wakeUps.add(task), () -> now);
        throttle(flow, RECOVERY, ThrottleSignal.UNKNOWN);
        assertThat(admitted(flow, RECOVERY)).isEqualTo(100);
        assertThat(flow.isSlowedDown(RECOVERY)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aStormOfRecoveriesDoesNotStarveWriters(long seed) {
        for (ThrottleSignal signal :
                List.of(ThrottleSignal.UNKNOWN, new ThrottleSignal(ThrottlingReason.ACCOUNT, Side.BOTH))) {
            SimulatedStorm storm = new SimulatedStorm(seed, true, signal);
            double calm = storm.calm(30);
            double p99 = storm.storm(10_000, 50);
            print("seed " + seed + ", " + signal.reason(), calm, p99, storm);
            assertThat(storm.failed()).isZero();
            assertThat(storm.recovered()).isEqualTo(10_000);
            assertThat(p99)
                    .as("%s: p99 %.1f ms, calm %.1f ms", storm, p99, calm)
                    .isLessThan(5 * calm);
        }
    }

    /** More than the toolkits let recover at the same time by default. */
    @Test
    void aStormOfManyConcurrentRecoveriesDoesNotStarveWriters() {
        SimulatedStorm storm = new SimulatedStorm(6, true, ThrottleSignal.UNKNOWN);
        double calm = storm.calm(30);
        double p99 = storm.storm(5_000, 500);
        print("seed 6, 500 concurrently", calm, p99, storm);
        assertThat(storm.failed()).isZero();
        assertThat(storm.recovered()).isEqualTo(5_000);
        assertThat(p99).as("%s: p99 %.1f ms, calm %.1f ms", storm, p99, calm).isLessThan(5 * calm);
    }

    @Test
    void withoutFlowControlTheStormWouldStarveThem() {
        SimulatedStorm storm = new SimulatedStorm(1, false, ThrottleSignal.UNKNOWN);
        double calm = storm.calm(30);
        double p99 = storm.storm(10_000, 50);
        print("seed 1, flow control off", calm, p99, storm);
        assertThat(p99).isGreaterThan(20 * calm);
    }

    /** If they waited for the rate they would time out in the queue, and most of the capacity would be lost. */
    @Test
    void whereWritesAloneAreTooManyAsManyAreStoredAsWithoutFlowControl() {
        for (int writers : List.of(170, 200, 400)) {
            double stored = new SimulatedStorm(7, true, ThrottleSignal.UNKNOWN).overload(writers, 120);
            double without = new SimulatedStorm(7, false, ThrottleSignal.UNKNOWN).overload(writers, 120);
            System.out.printf(
                    "%d writes a second on a table that takes %d: %.0f stored, without flow control %.0f%n",
                    2 * writers, SimulatedStorm.CAPACITY, stored, without);
            assertThat(stored).isGreaterThan(0.98 * without);
        }
    }

    /** For docs/performance.md. */
    private static void print(String name, double calm, double p99, SimulatedStorm storm) {
        System.out.printf(
                "%s: p99 of writes %.1f ms, before the storm %.1f ms; given up: %d%n", name, p99, calm, storm.failed());
    }
}
