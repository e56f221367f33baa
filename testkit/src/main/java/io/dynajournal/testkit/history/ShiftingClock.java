package io.dynajournal.testkit.history;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/** A clock that is wrong by a duration, which may change: forwards, or backwards. */
final class ShiftingClock extends Clock {

    private final Clock right;
    private Duration ahead;

    ShiftingClock(Clock right, Duration ahead) {
        this.right = right;
        this.ahead = ahead;
    }

    void shift(Duration by) {
        ahead = ahead.plus(by);
    }

    @Override
    public ZoneId getZone() {
        return right.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }

    @Override
    public Instant instant() {
        return right.instant().plus(ahead);
    }
}
