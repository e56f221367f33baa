package io.dynajournal.internal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dynajournal.listener.Lane;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PaceTest {

    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Pace pace = new Pace();
    private long now = 1_000 * SECOND;

    /** Answers this many requests, evenly in the time. */
    private void served(int requests, long nanos) {
        for (int i = 0; i < requests; i++) {
            now += nanos / requests;
            pace.served(now);
        }
    }

    /** As many requests as are admitted while the time passes, by milliseconds. */
    private int admitted(Lane lane, long nanos) {
        int admitted = 0;
        for (long end = now + nanos; now < end; now += MILLISECOND) {
            while (pace.admits(lane, now)) {
                pace.sent(lane);
                admitted++;
            }
        }
        return admitted;
    }

    private void cutAt(int perSecond) {
        served(perSecond, SECOND);
        for (int i = 0; i < perSecond; i++) {
            pace.throttled(now, now);
        }
    }

    @Test
    void nothingIsLimitedBeforeTheFirstThrottling() {
        served(10_000, SECOND);
        assertThat(pace.limits(now)).isFalse();
        assertThat(pace.admits(Lane.MAINTENANCE, now)).isTrue();
        assertThat(pace.waitNanos(Lane.MAINTENANCE, now)).isZero();
    }

    @Test
    void throttlingCutsTheRateToAPartOfWhatWasServed() {
        cutAt(1_000);
        assertThat(pace.perSecond(now)).isCloseTo(700, within(75.0));
        assertThat(admitted(Lane.RECOVERY, SECOND)).isBetween(600, 850);
    }

    @Test
    void fewThrottledRequestsAmongManyAreLeftToRetries() {
        served(1_000, SECOND);
        for (int i = 0; i < 10; i++) {
            pace.throttled(now, now);
        }
        assertThat(pace.limits(now)).isFalse();
    }

    /** Otherwise the answers to one burst would cut the rate to nothing. */
    @Test
    void whatWasSentBeforeACutDoesNotCutAgain() {
        cutAt(1_000);
        double rate = pace.perSecond(now);
        long sent = now - 1;
        now += 200 * MILLISECOND;
        for (int i = 0; i < 100; i++) {
            pace.throttled(sent, now);
        }
        assertThat(pace.perSecond(now)).isGreaterThanOrEqualTo(rate);

        pace.throttled(now, now);
        assertThat(pace.perSecond(now)).isLessThan(rate);
    }

    @Test
    void theRateGrowsByAConstantStepAndIsForgottenAfterHalfAMinuteWithoutThrottling() {
        cutAt(1_000);
        double first = pace.perSecond(now);
        double second = pace.perSecond(now += SECOND);
        double third = pace.perSecond(now += SECOND);
        assertThat(third - second).isCloseTo(second - first, within(0.001)).isPositive();
        assertThat(pace.perSecond(now += 27 * SECOND)).isGreaterThan(2 * first);
        assertThat(pace.limits(now += 2 * SECOND)).isFalse();
    }

    @Test
    void noCutGoesBelowTheFloor() {
        for (int i = 0; i < 20; i++) {
            pace.throttled(now, now);
            now += 200 * MILLISECOND;
        }
        assertThat(pace.perSecond(now)).isGreaterThanOrEqualTo(Pace.MIN_PER_SECOND);
        assertThat(admitted(Lane.QUERY, 10 * SECOND)).isGreaterThanOrEqualTo(100);
    }

    /** Answers of several threads may read the clock in one order and be counted in another. */
    @Test
    void timeThatGoesBackIsNotCountedTwice() {
        cutAt(1_000);
        double rate = pace.perSecond(now += SECOND);
        for (int i = 0; i < 1_000; i++) {
            pace.served(now - 500 * MILLISECOND);
            pace.limits(now - 500 * MILLISECOND);
            pace.limits(now);
        }
        assertThat(pace.perSecond(now)).isEqualTo(rate);
    }

    @Test
    void writesGoFirstAndTheOthersShareWhatIsLeft() {
        cutAt(1_000);
        int writes = 0;
        int recoveries = 0;
        for (long end = now + 10 * SECOND; now < end; now += 10 * MILLISECOND) {
            for (int i = 0; i < 5; i++, writes++) {
                assertThat(pace.admits(Lane.WRITE, now)).isTrue();
                pace.sent(Lane.WRITE);
            }
            while (pace.admits(Lane.RECOVERY, now)) {
                pace.sent(Lane.RECOVERY);
                recoveries++;
            }
        }
        assertThat(writes).isEqualTo(5_000);
        // The rate is 700 to 1,050 a second, and writes use 500 of it.
        assertThat(recoveries).isBetween(3_000, 5_500);
    }

    @Test
    void recoveriesGoOnWhileWritesWouldUseAllThatThereIs() {
        cutAt(1_000);
        int writes = 0;
        int recoveries = 0;
        for (long end = now + SECOND; now < end; now += MILLISECOND) {
            for (int i = 0; i < 3 && pace.admits(Lane.WRITE, now); i++, writes++) {
                pace.sent(Lane.WRITE);
            }
            for (; pace.admits(Lane.RECOVERY, now); recoveries++) {
                pace.sent(Lane.RECOVERY);
            }
        }
        assertThat(writes).as("they never wait").isEqualTo(3_000);
        assertThat(recoveries).isBetween(60, 120);
    }

    @Test
    void recoveriesGoOnWhileATableThrottlesWritesForGood() {
        int recoveries = 0;
        for (int i = 0; i < 60 * 20; i++) {
            now += 50 * MILLISECOND;
            pace.sent(Lane.WRITE);
            pace.served(now);
            pace.sent(Lane.WRITE);
            pace.throttled(now, now);
            for (; pace.admits(Lane.RECOVERY, now) && pace.limits(now); recoveries++) {
                pace.sent(Lane.RECOVERY);
            }
        }
        assertThat(recoveries).isGreaterThan(60);
    }

    @Test
    void theWaitIsAsLongAsItTakes() {
        cutAt(1_000);
        for (int i = 0; i < 10_000; i++) {
            pace.sent(Lane.WRITE);
        }
        assertThat(pace.waitNanos(Lane.WRITE, now)).isZero();
        long wait = pace.waitNanos(Lane.RECOVERY, now);
        assertThat(wait).isBetween(1L, SECOND);
        now += wait;
        assertThat(pace.admits(Lane.RECOVERY, now)).isTrue();
        assertThat(pace.waitNanos(Lane.RECOVERY, now)).isZero();
    }
}
