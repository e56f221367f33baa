package io.dynajournal.cli.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How fast a copy is where requests take time, and what it keeps in memory. */
class CopyScaleTest {

    /** One million with {@code -Ddynajournal.copy.events=1000000}. */
    private static final long EVENTS = Long.getLong("dynajournal.copy.events", 50_000);

    private static final int REQUEST_MILLIS = 4;

    private static double eventsPerSecond(int idsInFlight, int logs) {
        SlowLogs target = new SlowLogs(REQUEST_MILLIS);
        Copy copy = new Copy(
                new SlowLogs(REQUEST_MILLIS).with(logs, 500).store(),
                target.store(),
                new TestStores.Positions(),
                idsInFlight,
                () -> false);
        long start = System.nanoTime();
        copy.pass();
        long nanos = System.nanoTime() - start;
        assertThat(copy.report().failures()).isEmpty();
        assertThat(target.written()).isEqualTo(logs * 500L);
        return logs * 500L * 1e9 / nanos;
    }

    @Test
    void manyIdsAreFiveTimesAsFastAsOneAtATime() {
        double one = eventsPerSecond(1, 8);
        double many = eventsPerSecond(32, 128);
        System.out.printf("one id at a time %,.0f events per second, 32 ids %,.0f%n", one, many);
        assertThat(many).isGreaterThan(5 * one);
    }

    /** Whatever the copy kept of the events it read would show at the end, and pages that it reads ahead at once. */
    @Test
    void longLogIsCopiedPageByPage() {
        SlowLogs source = new SlowLogs(0).with(1, EVENTS);
        SlowLogs target = new SlowLogs(0);
        AtomicLong ahead = new AtomicLong();
        TestStores.Positions positions = new TestStores.Positions();
        Checkpoint checkpoint = new Checkpoint() {
            @Override
            public long reached(String persistenceId) {
                return positions.reached(persistenceId);
            }

            @Override
            public void reached(String persistenceId, long seqNr) {
                positions.reached(persistenceId, seqNr);
                ahead.accumulateAndGet(source.read() - target.written(), Math::max);
            }
        };
        long before = usedBytes();
        Copy copy = new Copy(source.store(), target.store(), checkpoint, 1, () -> false);
        copy.pass();
        assertThat(copy.report().failures()).isEmpty();
        assertThat(copy.report().events()).isEqualTo(EVENTS);
        assertThat(copy.report().verifiedLogs()).isEqualTo(1);
        assertThat(ahead.get()).isLessThanOrEqualTo(2L * SlowLogs.PAGE);
        assertThat(usedBytes() - before).isLessThan(16L << 20);
    }

    private static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
