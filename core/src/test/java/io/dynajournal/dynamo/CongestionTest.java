package io.dynajournal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class CongestionTest {

    private static final int MANY = 8;

    // Soon behind the largest number: such a clock may stand anywhere.
    private long now = Long.MAX_VALUE - 5_000_000;
    private final Congestion congestion = new Congestion(now);

    private void answers(int count, long micros, int onTheWay) {
        for (int i = 0; i < count; i++) {
            congestion.answered(TimeUnit.MICROSECONDS.toNanos(micros), onTheWay, now);
        }
    }

    private void pass(long seconds) {
        now += TimeUnit.SECONDS.toNanos(seconds);
    }

    private boolean lasts() {
        return congestion.lasts(now);
    }

    @Test
    void manyThatTakeSixTimesAsLongAsTheQuickestAreCongested() {
        answers(1, 1_000, 1);
        answers(15, 6_100, MANY);
        assertThat(lasts()).isFalse();
        answers(1, 6_100, MANY);
        assertThat(lasts()).isTrue();
    }

    @Test
    void theUsualSpreadIsNone() {
        answers(1, 1_000, 1);
        answers(160, 6_000, 50);
        assertThat(lasts()).isFalse();
    }

    @Test
    void fewAreNeverCongested() {
        answers(1, 1_000, 1);
        answers(160, 100_000, MANY - 1);
        assertThat(lasts()).isFalse();
    }

    @Test
    void aFewSlowOnesAmongManyAreNoCongestion() {
        answers(16, 2_000, MANY);
        for (int i = 0; i < 10; i++) {
            answers(15, 2_000, MANY);
            answers(1, 150_000, MANY);
        }
        assertThat(lasts()).isFalse();
    }

    @Test
    void itEndsAfterASecondAndIsFoundAgain() {
        answers(1, 1_000, 1);
        answers(16, 20_000, MANY);
        // What comes meanwhile waits for groups.
        answers(100, 50_000, MANY);
        pass(1);
        assertThat(lasts()).isFalse();
        answers(15, 20_000, MANY);
        assertThat(lasts()).isFalse();
        answers(1, 20_000, MANY);
        assertThat(lasts()).isTrue();
        pass(1);
        answers(16, 2_000, MANY);
        assertThat(lasts()).isFalse();
    }

    /** Across the ocean, say, after a fail-over: in the end nobody waits for what was quick there once. */
    @Test
    void theQuickestIsForgotten() {
        answers(1, 1_000, 1);
        for (int minute = 0; minute < 30; minute++) {
            answers(16, 15_000, MANY);
            assertThat(lasts()).as("minute %d", minute).isEqualTo(minute <= 10);
            pass(60);
        }
    }
}
