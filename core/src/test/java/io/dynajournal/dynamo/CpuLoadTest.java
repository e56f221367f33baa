package io.dynajournal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
    void aProcessThatKeepsAllProcessorsBusyIsHigh() {
        CpuLoad load = CpuLoad.ofProcess();
        AtomicBoolean stop = new AtomicBoolean();
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
            Thread busy = new Thread(() -> {
                while (!stop.get()) {
                    Thread.onSpinWait();
                }
            });
            busy.setDaemon(true);
            busy.start();
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        boolean high = false;
        while (!high && System.nanoTime() - deadline < 0) {
            high = load.isHigh();
        }
        stop.set(true);
        assertThat(high).isTrue();
    }
}
