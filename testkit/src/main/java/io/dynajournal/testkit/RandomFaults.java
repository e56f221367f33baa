package io.dynajournal.testkit;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Faults drawn from a seed, each kind as likely as the others. Thread-safe. */
final class RandomFaults {

    private static final int MAX_DELAY_MILLIS = 3_000;
    private static final String RESOURCE = "arn:aws:dynamodb:us-east-1:000000000000:table/soak";

    private enum Kind {
        LOST_REQUEST,
        LOST_REPLY,
        SERVER_ERROR,
        THROTTLED,
        LATE_REQUEST,
        LATE_REPLY,
        ABANDONED
    }

    private final Random random;
    private final double probability;
    private final Map<String, Long> counts = new TreeMap<>();

    RandomFaults(long seed, double probability) {
        this.random = new Random(seed);
        this.probability = probability;
    }

    synchronized Map<String, Long> counts() {
        return Map.copyOf(counts);
    }

    synchronized Fault next(String operation) {
        counts.merge("requests", 1L, Long::sum);
        if (random.nextDouble() >= probability) {
            return new Fault.None();
        }
        if (operation.equals("BatchWriteItem") && random.nextBoolean()) {
            counts.merge("unprocessed", 1L, Long::sum);
            return new Fault.Unprocessed(random.nextInt(3));
        }
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        counts.merge(kind.name(), 1L, Long::sum);
        return switch (kind) {
            case LOST_REQUEST -> new Fault.LoseRequest();
            case LOST_REPLY -> new Fault.LoseReply();
            case SERVER_ERROR -> new Fault.Answer(ErrorAnswer.internalServerError());
            case THROTTLED ->
                new Fault.Answer(ErrorAnswer.throughputExceeded("TableWriteProvisionedThroughputExceeded", RESOURCE));
            case LATE_REQUEST -> new Fault.HoldRequest(releasedSoon());
            case LATE_REPLY -> new Fault.HoldReply(releasedSoon());
            case ABANDONED -> new Fault.DeliverLate(releasedSoon());
        };
    }

    private HeldRequest releasedSoon() {
        HeldRequest held = new HeldRequest();
        CompletableFuture.delayedExecutor(random.nextInt(MAX_DELAY_MILLIS), TimeUnit.MILLISECONDS)
                .execute(held::release);
        return held;
    }
}
