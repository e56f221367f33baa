package io.dynajournal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class HandOverTest {

    private final Deque<Runnable> handedOver = new ArrayDeque<>();
    // Soon behind the largest number: such a clock may stand anywhere.
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 20_000);
    private final HandOver handOver = new HandOver(handedOver::add, nanos::get);
    private int done;

    private void pass(long micros) {
        nanos.addAndGet(TimeUnit.MICROSECONDS.toNanos(micros));
    }

    /** Whether it was done at once. */
    private boolean isDone(long takes) {
        int before = done;
        handOver.execute(() -> {
            pass(takes);
            done++;
        });
        return done > before;
    }

    @Test
    void aTaskAfterAPauseIsDoneAtOnce() {
        assertThat(isDone(100)).isTrue();
        pass(50);
        assertThat(isDone(100)).isTrue();
        assertThat(handedOver).isEmpty();
    }

    @Test
    void aTaskThatCameMeanwhileIsHandedOver() {
        assertThat(isDone(100)).isTrue();
        assertThat(isDone(0)).isFalse();
        pass(49);
        assertThat(isDone(0)).isFalse();
        assertThat(handedOver).hasSize(2);
    }

    @Test
    void tasksThatComeFasterThanThePauseAreAllHandedOver() {
        assertThat(isDone(0)).isTrue();
        for (int i = 0; i < 10; i++) {
            pass(40);
            assertThat(isDone(0)).isFalse();
        }
        pass(50);
        assertThat(isDone(0)).isTrue();
    }

    @Test
    void afterALongTaskTheOthersAreHandedOverForASecond() {
        assertThat(isDone(1_001)).isTrue();
        pass(999_999);
        assertThat(isDone(0)).isFalse();
        pass(50);
        assertThat(isDone(1_000)).isTrue();
        pass(50);
        assertThat(isDone(0)).isTrue();
    }

    @Test
    void aTaskThatFailsIsStillATask() {
        assertThatThrownBy(() -> handOver.execute(() -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");
        assertThat(isDone(0)).isFalse();
    }
}
