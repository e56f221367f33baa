package io.dynajournal.internal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class BackoffTest {

    private final RetrySettings settings = new RetrySettings(
            Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofMillis(10), Duration.ofMillis(100));

    @Test
    void theBoundDoublesUpToTheLargest() {
        double almostOne = Math.nextDown(1.0);
        assertThat(Backoff.delayMillis(1, almostOne, settings)).isEqualTo(10);
        assertThat(Backoff.delayMillis(2, almostOne, settings)).isEqualTo(20);
        assertThat(Backoff.delayMillis(4, almostOne, settings)).isEqualTo(80);
        assertThat(Backoff.delayMillis(5, almostOne, settings)).isEqualTo(100);
        assertThat(Backoff.delayMillis(1000, almostOne, settings)).isEqualTo(100);
    }

    @Test
    void theJitterIsFull() {
        assertThat(Backoff.delayMillis(3, 0, settings)).isZero();
        assertThat(Backoff.delayMillis(3, 0.5, settings)).isEqualTo(20);
    }
}
