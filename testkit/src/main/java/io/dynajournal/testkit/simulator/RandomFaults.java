package io.dynajournal.testkit.simulator;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Delays, faults and lags by a seed. One request in twenty is slow, so that later requests pass it; a few are slower than any timeout
 * and arrive after their caller has given up. Not thread-safe.
 */
public final class RandomFaults implements Faults {

    private static final int USUAL_MICROS = 4_000;
    private static final int SLOW_MICROS = 400_000;
    private static final int LATE_MICROS = 20_000_000;
    private static final Fault[] FAULTS = {
        Fault.THROTTLED,
        Fault.INTERNAL_ERROR,
        Fault.INTERNAL_ERROR_AFTER_EFFECT,
        Fault.LOST_REQUEST,
        Fault.LOST_REPLY,
        Fault.LOST_REPLY,
        Fault.NOT_CONNECTED
    };

    private static final double OUTAGE_RATE = 0.9;

    private static final List<Throttling> REASONS = List.of(Throttling.values());

    private record Outage(Fault fault, Predicate<SimulatedRequest> concerned) {}

    private final SplittableRandom random;
    private final Map<String, Outage> outages = new HashMap<>();
    private double rate;
    private Duration maxIndexLag = Duration.ofMillis(500);
    private Duration maxReplicaLag = Duration.ofMillis(200);
    private Duration maxExpiryDelay = Duration.ofDays(2);

    RandomFaults(long seed, double rate) {
        this.random = new SplittableRandom(seed);
        this.rate = rate;
    }

    /** The share of requests that get a fault from now on. */
    public void rate(double share) {
        rate = share;
    }

    /**
     * From now on most of these requests of a node get this fault, whatever the rate.
     *
     * @param concerned which requests
     */
    public void outage(String node, Fault fault, Predicate<SimulatedRequest> concerned) {
        outages.put(node, new Outage(fault, concerned));
    }

    /** Ends the outage of a node. */
    public void endOutage(String node) {
        outages.remove(node);
    }

    /** Ends all outages. */
    public void endOutages() {
        outages.clear();
    }

    /** How late an index shows a change at most; the default is half a second. */
    public RandomFaults maxIndexLag(Duration lag) {
        maxIndexLag = lag;
        return this;
    }

    /** How late eventually consistent reads show a change at most; the default is 200 ms. */
    public RandomFaults maxReplicaLag(Duration lag) {
        maxReplicaLag = lag;
        return this;
    }

    /** How long after its expiry an item is removed at most; the default is 48 hours. */
    public RandomFaults maxExpiryDelay(Duration delay) {
        maxExpiryDelay = delay;
        return this;
    }

    @Override
    public Fate fate(SimulatedRequest request) {
        Fate fate = Fate.delayed(delay(), delay());
        Outage outage = outages.get(request.node());
        if (outage != null && outage.concerned().test(request) && random.nextDouble() < OUTAGE_RATE) {
            return fate.with(outage.fault(), outage.fault() == Fault.THROTTLED ? reason() : null);
        }
        if (random.nextDouble() >= rate) {
            return fate;
        }
        Fault special = special(request.operation());
        Fault fault = special != null && random.nextInt(3) == 0 ? special : FAULTS[random.nextInt(FAULTS.length)];
        return fate.with(fault, fault == Fault.THROTTLED ? reason() : null);
    }

    /** The fault that only this operation can have. */
    private static @Nullable Fault special(String operation) {
        return switch (operation) {
            case "BatchGetItem", "BatchWriteItem" -> Fault.UNPROCESSED;
            case "TransactWriteItems", "TransactGetItems" -> Fault.TRANSACTION_CONFLICT;
            case "BatchExecuteStatement" -> Fault.SHORT_ANSWER;
            default -> null;
        };
    }

    private @Nullable Throttling reason() {
        return REASONS.get(random.nextInt(REASONS.size()));
    }

    private Duration delay() {
        int kind = random.nextInt(200);
        int max = kind == 0 && rate > 0 ? LATE_MICROS : kind < 10 ? SLOW_MICROS : USUAL_MICROS;
        return Duration.ofNanos(1000L * (1 + random.nextInt(max)));
    }

    @Override
    public Duration indexLag(String table, String index) {
        return upTo(maxIndexLag);
    }

    @Override
    public Duration replicaLag(String table) {
        return upTo(maxReplicaLag);
    }

    @Override
    public Duration expiryDelay(String table) {
        return upTo(maxExpiryDelay);
    }

    private Duration upTo(Duration max) {
        return Duration.ofNanos((long) (random.nextDouble() * max.toNanos()));
    }
}
