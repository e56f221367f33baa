package io.dynajournal.dynamo;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Whether puts wait for each other at the server: many are on the way, and they take several times as long as one takes that is
 * quick. A put then loses little by waiting here instead, for company. Told by puts that go alone; while it lasts there are few of
 * them, so it ends by itself after a while, and has to be found again. Not thread-safe.
 */
final class Congestion {

    /** So many answers are looked at together. */
    private static final int LOOK = 16;

    /** Fewer on the way do not wait for each other for long. */
    private static final int CROWD = 8;

    /** DynamoDB takes two or three times as long as when it is quick, on average, without any congestion. */
    private static final int TIMES = 6;

    static final Duration LASTS = Duration.ofSeconds(1);

    /** The quickest counts twice as long after such a time, so that a server which has become slower is not held to it. */
    private static final long FORGETTING = TimeUnit.MINUTES.toNanos(10);

    private long quickest = Long.MAX_VALUE;
    private int looked;
    private long taken;
    private long since;
    private long until;

    Congestion(long now) {
        this.since = now;
        this.until = now;
    }

    boolean lasts(long now) {
        return now - until < 0;
    }

    /**
     * A put that went alone was answered.
     *
     * @param took how long that was
     * @param onTheWay how many requests were then, itself included
     * @return whether this begins a congestion
     */
    boolean answered(long took, int onTheWay, long now) {
        quickest = Math.min(quickest, Math.max(1, took));
        if (onTheWay < CROWD || lasts(now)) {
            return false;
        }
        looked++;
        taken += took;
        if (looked < LOOK) {
            return false;
        }
        boolean begins = taken / LOOK > TIMES * quickest;
        if (begins) {
            until = now + LASTS.toNanos();
        }
        quickest += (long) (quickest * Math.min(1, (double) (now - since) / FORGETTING));
        looked = 0;
        taken = 0;
        since = now;
        return begins;
    }
}
