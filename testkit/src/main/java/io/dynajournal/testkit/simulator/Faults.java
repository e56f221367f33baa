package io.dynajournal.testkit.simulator;

import java.time.Duration;

/**
 * Decides what happens to each request, and how late tables and indexes show what was written. Called from one thread at a time, in
 * the order of the requests, so that a decision by a seeded generator is the same in every run.
 */
public interface Faults {

    /** What happens to a request. */
    Fate fate(SimulatedRequest request);

    /** How much later the next change of a table appears in one of its global indexes. */
    default Duration indexLag(String table, String index) {
        return Duration.ZERO;
    }

    /**
     * Whether a global index is still being built, as for hours after it was added to a large table: reads of it fail, and the table's
     * description shows it as {@code CREATING}. Asked with each read and each description, so that it may end at any time.
     */
    default boolean isIndexBuilding(String table, String index) {
        return false;
    }

    /** How much later eventually consistent reads of a table show its next change. */
    default Duration replicaLag(String table) {
        return Duration.ZERO;
    }

    /** How long after its expiry DynamoDB removes the next item. */
    default Duration expiryDelay(String table) {
        return Duration.ZERO;
    }

    /** A millisecond each way, and no fault. */
    static Faults none() {
        Fate fine = Fate.delayed(Duration.ofMillis(1), Duration.ofMillis(1));
        return request -> fine;
    }

    /** Random delays that put concurrent requests into every order, and no fault. */
    static RandomFaults random(long seed) {
        return new RandomFaults(seed, 0);
    }

    /**
     * Random delays and faults.
     *
     * @param rate the share of requests that get a fault, from 0 to 1
     */
    static RandomFaults random(long seed, double rate) {
        return new RandomFaults(seed, rate);
    }

    /** Faults for chosen requests; all others get none. */
    static ScriptedFaults script() {
        return new ScriptedFaults();
    }
}
