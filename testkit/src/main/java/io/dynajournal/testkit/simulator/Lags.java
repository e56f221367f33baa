package io.dynajournal.testkit.simulator;

/** The time of a simulation, and how late tables show what was written. */
interface Lags {

    long nanoTime();

    long epochSeconds();

    /** How much later the next change appears in a global index. */
    long indexNanos(String table, String index);

    /** How much later eventually consistent reads of the table show the next change. */
    long replicaNanos(String table);

    /** Whether a global index does not hold all items yet. */
    boolean isBuilding(String table, String index);

    /** How long after its expiry an item is removed. */
    long expiryNanos(String table);
}
