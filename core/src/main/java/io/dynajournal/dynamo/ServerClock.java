package io.dynajournal.dynamo;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/**
 * This machine's clock, corrected by DynamoDB's: the {@code Date} header of each answer bounds the difference between the
 * two to about a second. A clock inside the bounds is left as it is; one outside is moved to the nearest bound. So writers
 * whose clocks are wrong by minutes still agree within a second or so, which keeps the order of commits across entities
 * near to what happened.
 */
final class ServerClock {

    /** Bounds of the difference, server minus local, in microseconds; old ones go, because clocks drift. */
    private record Bounds(long low, long high, long sinceMicros) {
        boolean agreesWith(long otherLow, long otherHigh, long nowMicros) {
            return otherLow <= high && otherHigh >= low && nowMicros - sinceMicros < LIFE;
        }
    }

    /** What a text says: it is the same for a second, in which there may be thousands of answers. */
    private record Date(String text, long micros) {}

    private static final long SECOND = 1_000_000;
    private static final long LIFE = Duration.ofMinutes(5).toNanos() / 1000;

    private final Clock local;
    private volatile Bounds bounds = new Bounds(Long.MIN_VALUE, Long.MAX_VALUE, 0);

    private volatile Date last = new Date("", 0);

    ServerClock(Clock local) {
        this.local = local;
    }

    long localMicros() {
        return micros(local.instant());
    }

    long micros() {
        Bounds known = bounds;
        long correction = Math.max(known.low(), Math.min(0, known.high()));
        return localMicros() + correction;
    }

    /** @param date an HTTP date, whole seconds, cut and not rounded */
    void observe(long sentMicros, long receivedMicros, String date) {
        Date read = last;
        if (!read.text().equals(date)) {
            try {
                read = new Date(date, micros(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date))));
            } catch (DateTimeParseException e) {
                return; // some proxies write other forms; then there is nothing to learn
            }
            last = read;
        }
        long server = read.micros();
        long low = server - receivedMicros;
        long high = server + SECOND - sentMicros;
        Bounds known = bounds;
        bounds = known.agreesWith(low, high, receivedMicros)
                ? new Bounds(Math.max(low, known.low()), Math.min(high, known.high()), known.sinceMicros())
                : new Bounds(low, high, receivedMicros);
    }

    private static long micros(Instant instant) {
        return instant.getEpochSecond() * SECOND + instant.getNano() / 1000;
    }
}
