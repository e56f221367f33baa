package io.dynajournal.internal.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

final class ServerClockTest {

    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");
    private static final long MICROS = NOW.getEpochSecond() * 1_000_000;
    private final ServerClock clock = new ServerClock(Clock.fixed(NOW, ZoneOffset.UTC));

    @Test
    void withoutAnAnswerTheLocalTimeHolds() {
        assertThat(clock.micros()).isEqualTo(MICROS);
    }

    @Test
    void aClockInsideTheBoundsIsLeftAlone() {
        clock.observe(MICROS - 5_000, MICROS, "Sun, 15 Nov 2026 12:00:00 GMT");
        assertThat(clock.micros()).isEqualTo(MICROS);
    }

    @Test
    void aSlowClockIsMovedUpToTheServersSecond() {
        clock.observe(MICROS - 5_000, MICROS, "Sun, 15 Nov 2026 12:05:00 GMT");
        assertThat(clock.micros()).isEqualTo(MICROS + 300_000_000L);
    }

    @Test
    void aFastClockIsMovedBackToTheEndOfTheServersSecond() {
        clock.observe(MICROS - 5_000, MICROS, "Sun, 15 Nov 2026 11:59:00 GMT");
        assertThat(clock.micros()).isEqualTo(MICROS - 60_000_000L + 1_000_000 + 5_000);
    }

    @Test
    void manyAnswersNarrowTheBounds() {
        clock.observe(MICROS - 5_000, MICROS, "Sun, 15 Nov 2026 12:05:00 GMT");
        clock.observe(MICROS - 5_000, MICROS - 400_000, "Sun, 15 Nov 2026 12:05:00 GMT");
        assertThat(clock.micros()).isEqualTo(MICROS + 300_400_000L);
    }

    @Test
    void anAnswerThatContradictsTheOldOnesReplacesThem() {
        clock.observe(MICROS - 5_000, MICROS, "Sun, 15 Nov 2026 12:05:00 GMT");
        clock.observe(MICROS - 5_000, MICROS, "Sun, 15 Nov 2026 12:00:00 GMT");
        assertThat(clock.micros()).isEqualTo(MICROS);
    }

    @Test
    void datesOfOtherFormsTeachNothing() {
        clock.observe(MICROS, MICROS, "yesterday");
        assertThat(clock.micros()).isEqualTo(MICROS);
    }
}
