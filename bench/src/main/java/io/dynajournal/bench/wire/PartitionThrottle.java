package io.dynajournal.bench.wire;

import java.util.HashMap;
import java.util.Map;

/**
 * Limits the write units per partition key and second, as DynamoDB does for a partition. A key that was idle may use up to
 * one second's units in a burst. Not thread-safe.
 */
final class PartitionThrottle {

    /** DynamoDB's limit for a partition. */
    static final int UNITS_PER_SECOND = 1_000;

    private static final double NANOS_PER_SECOND = 1e9;
    /** Keys above this number: those with a full allowance are forgotten, which changes nothing for them. */
    private static final int MAX_TRACKED_KEYS = 100_000;

    private final class Allowance {
        private double units = unitsPerSecond;
        private long refilledAt;

        Allowance(long now) {
            this.refilledAt = now;
        }

        void refill(long now) {
            units = Math.min(unitsPerSecond, units + (now - refilledAt) / NANOS_PER_SECOND * unitsPerSecond);
            refilledAt = now;
        }
    }

    private final int unitsPerSecond;
    private final Map<String, Allowance> allowances = new HashMap<>();

    PartitionThrottle(int unitsPerSecond) {
        this.unitsPerSecond = unitsPerSecond;
    }

    /** Takes the units if the key has them left; a refused write takes none. */
    boolean tryWrite(String partitionKey, int units, long nowNanos) {
        if (allowances.size() > MAX_TRACKED_KEYS) {
            forgetIdleKeys(nowNanos);
        }
        Allowance allowance = allowances.computeIfAbsent(partitionKey, key -> new Allowance(nowNanos));
        allowance.refill(nowNanos);
        if (allowance.units < units) {
            return false;
        }
        allowance.units -= units;
        return true;
    }

    private void forgetIdleKeys(long nowNanos) {
        allowances.values().removeIf(allowance -> {
            allowance.refill(nowNanos);
            return allowance.units >= unitsPerSecond;
        });
    }
}
