package io.dynajournal.testkit;

import io.dynajournal.listener.RequestListener;

/**
 * Adds up the cost of requests that pass a {@link FaultProxy}, by AWS's published rules whatever server answers them. Open
 * a store with {@link LocalDynamo#open(CostMeter)}, or connect a client to {@link FaultProxy#measure(CostMeter)} with {@link
 * #WITH_CAPACITY} as its listener. Thread-safe.
 */
public final class CostMeter {

    /** Makes a client ask for the consumed capacity, from which the meter takes the units of single reads and writes. */
    public static final RequestListener WITH_CAPACITY = new RequestListener() {};

    private Cost sum = Cost.NONE;

    /** The cost since the last call. */
    public synchronized Cost take() {
        Cost taken = sum;
        sum = Cost.NONE;
        return taken;
    }

    synchronized void add(Cost cost) {
        sum = sum.plus(cost);
    }
}
