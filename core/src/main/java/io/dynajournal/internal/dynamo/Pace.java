package io.dynajournal.internal.dynamo;

import io.dynajournal.listener.Lane;
import java.util.concurrent.TimeUnit;

/**
 * How many requests a second something takes that may throttle: any number until it does. Then the rate is cut to a part of what was
 * served, and grows by a constant step until it throttles again: additive increase, multiplicative decrease. Writes never wait for
 * the rate, because they are what it protects: if they alone are too many, they would only wait until they time out. The other lanes
 * share what writes leave. Not thread-safe; the time is an argument.
 */
final class Pace {

    /** No cut goes below this: DynamoDB throttles by itself what is still too much. */
    static final double MIN_PER_SECOND = 10;

    /** A cut leaves this part of what was served. */
    static final double AFTER_CUT = 0.7;

    /** Growth in a second, as a part of the rate after the last cut; not less than the lowest rate. */
    private static final double GROWTH = 0.05;

    /** Less throttling than this is no reason to slow down: retries take care of it. */
    private static final double TOLERATED = 0.02;

    /** The lanes after writes may use this part of the rate even if writes could use all of it. */
    private static final double RESERVED = 0.125;

    /** How long writes above the rate may keep the other lanes from using more than what is reserved. */
    private static final double MAX_DEBT_SECONDS = 0.5;

    private static final double BURST_SECONDS = 0.05;
    private static final long FORGET_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long MIN_BETWEEN_CUTS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LastSecond served = new LastSecond();
    private final LastSecond throttled = new LastSecond();

    // Requests per second; 0 for any number.
    private double rate;
    private double growth;
    private double tokens;
    private double reserved;
    private long refilled;
    private long cut;
    private long lastThrottled;

    /** Whether there is a rate now. */
    boolean limits(long now) {
        refill(now);
        return rate > 0;
    }

    /** Requests per second; 0 for any number. */
    double perSecond(long now) {
        refill(now);
        return rate;
    }

    /** Whether a request of this lane may be sent now. */
    boolean admits(Lane lane, long now) {
        refill(now);
        return rate == 0 || lane == Lane.WRITE || tokens >= 1 || reserved >= 1;
    }

    /** How long until it may be. */
    long waitNanos(Lane lane, long now) {
        if (admits(lane, now)) {
            return 0;
        }
        double seconds = Math.min((1 - tokens) / rate, (1 - reserved) / (rate * RESERVED));
        return TimeUnit.MILLISECONDS.toNanos(1) + (long) (seconds * SECOND_NANOS);
    }

    /** A request is sent. */
    void sent(Lane lane) {
        if (rate == 0) {
            return;
        }
        if (lane != Lane.WRITE && tokens < 1) {
            reserved -= 1;
        } else {
            tokens = Math.max(-rate * MAX_DEBT_SECONDS, tokens - 1);
        }
    }

    /** A request was answered, and not throttled. */
    void served(long now) {
        served.add(now);
    }

    /** A request was throttled. What was sent before the last cut says nothing about the rate since. */
    void throttled(long sentAt, long now) {
        refill(now);
        throttled.add(now);
        lastThrottled = now;
        boolean isNews = rate == 0 || (sentAt - cut >= 0 && now - cut >= MIN_BETWEEN_CUTS_NANOS);
        if (isNews && isTooMuch(now)) {
            cut(now);
        }
    }

    private boolean isTooMuch(long now) {
        double refused = throttled.count(now);
        return refused > TOLERATED * (refused + served.count(now));
    }

    private void cut(long now) {
        rate = Math.max(MIN_PER_SECOND, AFTER_CUT * served.perSecond(now));
        growth = Math.max(MIN_PER_SECOND, GROWTH * rate);
        tokens = 0;
        refilled = now;
        cut = now;
        served.restart(now);
        throttled.restart(now);
    }

    private void refill(long now) {
        if (rate == 0) {
            return;
        }
        if (now - lastThrottled > FORGET_NANOS) {
            rate = 0;
            return;
        }
        if (now - refilled <= 0) {
            return;
        }
        double seconds = (now - refilled) / SECOND_NANOS;
        refilled = now;
        rate += growth * seconds;
        tokens = Math.min(Math.max(1, rate * BURST_SECONDS), tokens + rate * seconds);
        reserved = Math.min(1, reserved + rate * RESERVED * seconds);
    }
}
