package io.dynajournal.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CapacityLimitTest {

    private final AtomicLong now = new AtomicLong();
    private final CapacityLimit limit = new CapacityLimit(new CapacityLimit.Rates(100, 10), now::get);

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void aSecondOfTheRateIsFree() {
        assertThat(limit.nanosToWait(100, 10)).isZero();
    }

    @Test
    void workWaitsForWhatWasConsumedTooMuch() {
        assertThat(limit.nanosToWait(150, 0)).isEqualTo(millis(500));
        now.set(millis(200));
        assertThat(limit.nanosToWait(150, 0)).isEqualTo(millis(300));
        now.set(millis(500));
        assertThat(limit.nanosToWait(150, 0)).isZero();
    }

    @Test
    void readsAndWritesHaveTheirOwnRates() {
        assertThat(limit.nanosToWait(150, 30)).isEqualTo(millis(2000));
    }

    @Test
    void whatIsNotConsumedIsKeptForASecondOnly() {
        now.set(millis(60_000));
        assertThat(limit.nanosToWait(100, 0)).isZero();
        assertThat(limit.nanosToWait(200, 0)).isEqualTo(millis(1000));
    }

    @Test
    void withoutALimitNothingWaits() {
        CapacityLimit none = new CapacityLimit(CapacityLimit.Rates.NONE, now::get);
        assertThat(none.nanosToWait(1e9, 1e9)).isZero();
    }
}
