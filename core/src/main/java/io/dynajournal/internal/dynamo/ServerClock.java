package io.dynajournal.internal.dynamo;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/**
 * This machine's clock, corrected by DynamoDB's: the {@code Date} header of each answer bounds the difference between the
 * two to about a second. A clock within the bounds is used unchanged, another one is moved to the nearest bound. So writers
 * whose clocks are wrong by minutes agree within about a second, which keeps commits of different entities in order.
 * Thread-safe.
 */
final class ServerClock {

    /** Bounds of the difference, server minus local, in microseconds. They expire, because clocks drift. */
    private record Bounds(long low, long high, long sinceMicros) {
        boolean agreesWith(long otherLow, long otherHigh, long nowMicros) {
            return otherLow <= high && otherHigh >= low && nowMicros - sinceMicros < MAX_AGE_MICROS;
        }
    }

    /** The last parsed header: thousands of answers within a second have the same. */
    private record Date(String text, long micros) {}

    private static final long SECOND_MICROS = 1_000_000;
    private static final long MAX_AGE_MICROS = Duration.ofMinutes(5).toNanos() / 1000;

    private final Clock local;
    private volatile Bounds bounds = new Bounds(Long.MIN_VALUE, Long.MAX_VALUE, 0);

    private volatile Date last = new Date("", 0);

    ServerClock(Clock local) {
        this.local = local;
    }

    Instant local() {
        return local.instant();
    }

    long localMicros() {
        return micros(local.instant());
    }

    long micros() {
        Bounds known = bounds;
        long correction = Math.max(known.low(), Math.min(0, known.high()));
        return localMicros() + correction;
    }

    /** @param date an HTTP date, truncated to seconds */
    void observe(long sentMicros, long receivedMicros, String date) {
        Date read = last;
        if (!read.text().equals(date)) {
            try {
                read = new Date(date, micros(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date))));
            } catch (DateTimeParseException e) {
                return; // Some proxies use other formats.
            }
            last = read;
        }
        long server = read.micros();
        long low = server - receivedMicros;
        long high = server + SECOND_MICROS - sentMicros;
        Bounds known = bounds;
        bounds = known.agreesWith(low, high, receivedMicros)
                ? new Bounds(Math.max(low, known.low()), Math.min(high, known.high()), known.sinceMicros())
                : new Bounds(low, high, receivedMicros);
    }

    private static long micros(Instant instant) {
        return instant.getEpochSecond() * SECOND_MICROS + instant.getNano() / 1000;
    }
}
