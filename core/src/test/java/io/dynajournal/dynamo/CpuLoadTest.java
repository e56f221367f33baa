package io.dynajournal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CpuLoadTest {

    private final AtomicLong now = new AtomicLong(-5);
    private final AtomicLong cpu = new AtomicLong(TimeUnit.SECONDS.toNanos(3));

    private CpuLoad load() {
        return new CpuLoad(cpu::get, now::get, 4);
    }

    private void pass(long millis, long busyMillis) {
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
        cpu.addAndGet(TimeUnit.MILLISECONDS.toNanos(busyMillis));
    }

    @Test
    void moreThanHalfOfAllProcessorsIsHigh() {
        CpuLoad load = load();
        assertThat(load.isHigh()).isFalse();
        pass(40, 81);
        assertThat(load.isHigh()).isTrue();
        pass(40, 80);
        assertThat(load.isHigh()).isFalse();
    }

    @Test
    void aMomentTellsNothing() {
        CpuLoad load = load();
        pass(39, 156);
        assertThat(load.isHigh()).isFalse();
        pass(1, 4);
        assertThat(load.isHigh()).isTrue();
        pass(39, 0);
        assertThat(load.isHigh()).isTrue();
    }

    @Test
    void anIdleTimeBeforeCounts() {
        CpuLoad load = load();
        pass(10_000, 0);
        pass(50, 200);
        assertThat(load.isHigh()).isFalse();
    }

    @Test
    void whereNobodyKnowsItIsHigh() {
        cpu.set(-1);
        CpuLoad load = load();
        pass(40, 0);
        assertThat(load.isHigh()).isTrue();
    }

    @Test
    void theProcessIsLookedAt() {
        CpuLoad load = CpuLoad.ofProcess();
        assertThat(load.isHigh()).isFalse();
    }
}
