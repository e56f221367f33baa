package io.dynajournal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class BackoffTest {

    private final RetrySettings settings = new RetrySettings(
            Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofMillis(10), Duration.ofMillis(100));

    @Test
    void theBoundDoublesUpToTheLargest() {
        double almostOne = Math.nextDown(1.0);
        assertThat(Backoff.waitMillis(1, almostOne, settings)).isEqualTo(10);
        assertThat(Backoff.waitMillis(2, almostOne, settings)).isEqualTo(20);
        assertThat(Backoff.waitMillis(4, almostOne, settings)).isEqualTo(80);
        assertThat(Backoff.waitMillis(5, almostOne, settings)).isEqualTo(100);
        assertThat(Backoff.waitMillis(1000, almostOne, settings)).isEqualTo(100);
    }

    @Test
    void theJitterIsFull() {
        assertThat(Backoff.waitMillis(3, 0, settings)).isZero();
        assertThat(Backoff.waitMillis(3, 0.5, settings)).isEqualTo(20);
    }
}
